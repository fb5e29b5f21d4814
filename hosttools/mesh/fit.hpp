// A simple shape in place of a mesh, around the corners of its hull.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "lockstep/contact/records.hpp"
#include "mesh/mesh.hpp"

namespace lockstep::host {

enum class MeshFit {
  kPoints,
  kBox,
  kSphere,
  kCapsule,
  kInertia,  // no file is read: the box that has the link's mass and inertia
};

// Of a mesh M; the frame S is in the middle of the shape, a capsule's z along its axis.
struct FittedShape {
  contact::ShapeType type = contact::ShapeType::kPoints;
  Placement<double> X_MS;
  MeshPoint half = {};
  double radius = 0;
  std::vector<MeshPoint> points = {};
};

// At most `most` of the corners: the extreme ones along x, y and z, then always the one that is
// farthest from all chosen so far. Order kept.
std::vector<MeshPoint> thin_out(const std::vector<MeshPoint>& corners, std::size_t most);

// The box, of one density, with this mass and these moments xx xy xz yy yz zz about its centre;
// none where they are those of a point. M is the frame of the moments.
std::optional<FittedShape> box_of_inertia(double mass, const std::array<double, 6>& inertia);

// Box: along the mesh's axes. Sphere: within 1 % of the smallest. Capsule: around the longest side
// of the box. All but thinned points hold every corner. There is at least one corner, and the kind
// is not kInertia.
FittedShape fit(const std::vector<MeshPoint>& corners, MeshFit kind, std::size_t most_points);

}  // namespace lockstep::host
