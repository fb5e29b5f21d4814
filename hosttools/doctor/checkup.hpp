// All findings about one file: what its text says, whether a model can be made of it, and what its
// loops do.
#pragma once

#include <filesystem>
#include <vector>

#include "urdf/finding.hpp"
#include "urdf/scan.hpp"

namespace lockstep::host {

std::vector<Finding> check_up(const std::filesystem::path& file, const ScanLimits& limits);

}  // namespace lockstep::host
