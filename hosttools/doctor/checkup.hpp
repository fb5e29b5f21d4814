// All findings about one file: what its text says, and whether a model can be made of it.
#pragma once

#include <filesystem>
#include <vector>

#include "urdf/finding.hpp"
#include "urdf/scan.hpp"

namespace lockstep::host {

std::vector<Finding> check_up(const std::filesystem::path& file, const ScanLimits& limits);

}  // namespace lockstep::host
