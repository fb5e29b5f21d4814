// What the links of a URDF look like: <visual> elements, as far as they can be drawn. They decide
// nothing, so what is wrong with one leaves it out without a word.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "mesh/mesh.hpp"
#include "urdf/describe_collisions.hpp"
#include "urdf/scan.hpp"

namespace lockstep::host {

// Triangles, three points each, where the file tells them and they are not too many; otherwise the
// corners of the hull. In the file's units.
struct DrawnMesh {
  bool triangles = false;
  std::vector<MeshPoint> points;
};

struct Visual {
  std::string link;
  contact::ShapeType type = contact::ShapeType::kPoints;  // kPoints: a mesh
  Placement<double> X_LV = {};
  std::array<double, 3> half = {}, scale = {1, 1, 1};
  double radius = 0;
  std::size_t mesh = 0;                              // number of a DrawnMesh
  std::optional<std::array<double, 4>> colour = {};  // red, green, blue, alpha from 0 to 1
};

struct Visuals {
  std::vector<Visual> shapes;
  std::vector<DrawnMesh> meshes;
};

Visuals read_visuals(const std::string& file, const ScanLimits& limits, const MeshOptions& options);
Visuals visuals_of(const std::string& text, const std::string& file, const MeshOptions& options);

}  // namespace lockstep::host
