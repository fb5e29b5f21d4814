// All findings about one file: what its text says, whether its meshes can be read and a model can
// be made of it, what its loops do, and which shapes may meet.
#pragma once

#include <filesystem>
#include <vector>

#include "model/reduce.hpp"
#include "text/finding.hpp"
#include "urdf/read.hpp"

namespace lockstep::host {

std::vector<Finding> check_up(const std::filesystem::path& file, const ReadOptions& read,
                              const ReduceOptions& reduced = {});
// Where it is known to be a URDF.
std::vector<Finding> check_up_robot(const std::filesystem::path& file, const ReadOptions& read,
                                    const ReduceOptions& reduced);

}  // namespace lockstep::host
