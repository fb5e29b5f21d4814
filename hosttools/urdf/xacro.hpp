// Files of macros: the program xacro makes a URDF of them where it is installed.
#pragma once

#include <filesystem>
#include <string>

#include "text/finding.hpp"
#include "urdf/scan.hpp"

namespace lockstep::host {

// The line of the first <xacro:...> element, or of the first value to compute in a file that
// declares these; comments passed over; 0 if there is none.
int first_macro(std::string_view text);

// What xacro writes for the file; empty and a finding if that fails. `line` is for the finding.
std::string expand_macros(const std::filesystem::path& file, int line, const ScanLimits& limits,
                          Findings& findings);

}  // namespace lockstep::host
