// The shapes of a draft's links, meshes included: the files are read here.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "mesh/fit.hpp"
#include "text/finding.hpp"
#include "urdf/description.hpp"
#include "urdf/draft.hpp"

namespace lockstep::host {

// Rubber on a dry floor. A pair takes the geometric mean.
inline constexpr double kDefaultFriction = 0.8;

struct MeshOptions {
  std::vector<std::filesystem::path> package_paths = {};
  MeshFit fit = MeshFit::kPoints;
  std::size_t most_points = 16;
};

// Adds them to a description of the same links. The shapes of meshes that are not there are left
// out with one note for all of them, and of a kind that is not read with one each; a damaged mesh
// is an error.
void describe_collisions(const Draft& draft, const MeshOptions& options, Description& description,
                         Findings& findings);

}  // namespace lockstep::host
