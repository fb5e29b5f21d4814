// robot.urdf -> Description. The file is scanned and examined first; urdfdom, which is unsafe on
// unchecked input, then reads the tree from a text that holds nothing but checked names and
// numbers.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "text/finding.hpp"
#include "urdf/describe_collisions.hpp"
#include "urdf/description.hpp"
#include "urdf/rules.hpp"
#include "urdf/scan.hpp"

namespace lockstep::host {

struct ReadOptions {
  ScanLimits limits = {};
  bool ignore_mimic = false;  // every joint is independent; a wrong <mimic> is a warning only
  MeshOptions mesh = {};
};

// Throws Error if a finding is an error. Warnings are appended to `warnings`, and of the notes that
// of meshes that are not there.
Description read_urdf(const std::filesystem::path& file, const ReadOptions& options,
                      std::vector<Finding>& warnings);

// The same from text; `file` is the name that messages use.
Description read_urdf_text(std::string text, const std::string& file, const ReadOptions& options,
                           std::vector<Finding>& warnings);

// Every joint is independent; what is wrong with a <mimic> is a warning.
void forget_mimics(Examination& examination);

// The second half: from an examination without errors. Shapes are left to describe_collisions.
Description describe(const Draft& draft, const std::string& file);

}  // namespace lockstep::host
