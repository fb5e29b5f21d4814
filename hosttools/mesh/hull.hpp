// The convex hull of a cloud of points: Quickhull (Barber, Dobkin, Huhdanpaa 1996), here with the
// faces in a plain list. The same points, in any order, give the same corners in the same order.
#pragma once

#include <vector>

#include "mesh/mesh.hpp"

namespace lockstep::host {

// Of the largest side of the cloud: what sticks out less than this is left out. It bounds the
// corners of a round mesh, however fine, to about a thousand.
inline constexpr double kHullTolerance = 1e-3;

// The hull's corners, sorted by x, y, z; of flat, straight or single clouds too. A tolerance below
// 1e-9 would ask for what rounding decides.
std::vector<MeshPoint> convex_hull(std::vector<MeshPoint> points,
                                   double tolerance = kHullTolerance);

}  // namespace lockstep::host
