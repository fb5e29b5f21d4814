// The first look at a file, at its raw bytes: XML libraries recurse once per nesting level and
// urdfdom's has no limit, so size and depth are judged before any of them sees the text.
// One pass, no recursion.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "text/finding.hpp"

namespace lockstep::host {

struct ScanLimits {
  std::size_t max_bytes = 4u * 1024u * 1024u;
  int max_depth = 64;
};

// The file's bytes, at most one more than the limit; empty and a finding if it cannot be read.
std::string load(const std::filesystem::path& file, const ScanLimits& limits, Findings& findings);

// Finds what no XML library should be given. A user who raises the depth limit past what the
// library allows loses nothing: what lies that deep is no URDF and is blanked, line breaks kept.
void scan(std::string& text, const ScanLimits& limits, Findings& findings);

}  // namespace lockstep::host
