// The order in which a robot's links are visited: depth first from each root, roots in the file's
// order of links, children in its order of joints. Every link comes after its parent.
// Throws Error when the joints make no forest.
#pragma once

#include <vector>

#include "urdf/description.hpp"

namespace lockstep::host {

struct Visit {
  static constexpr int kRoot = -1;
  int link = 0;        // indices into the description
  int parent = kRoot;  // link
  int joint = kRoot;   // that carries the link
};

std::vector<Visit> depth_first(const Description& description);

}  // namespace lockstep::host
