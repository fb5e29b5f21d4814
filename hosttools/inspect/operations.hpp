// What one forward_dynamics call of a robot costs in arithmetic.
#pragma once

#include "inspect/counted.hpp"
#include "model/tree.hpp"

namespace lockstep::host {

// A pose for counting: the zero pose may be a singular one, where solvers stop short. Quaternions
// stay as they are: unit.
template <class Configs>
void set_odd_pose(const Tree& tree, Configs& to) {
  int q = 0;
  for (const Body& body : tree.bodies) {
    const int count = config_count(body.joint);
    for (int k = 0; k < count && count <= 3; ++k) to[q + k] = 0.1 + 0.7 * (q + k) / (q + 9);
    q += count;
  }
}

OperationCount count_operations(const Tree& tree);

}  // namespace lockstep::host
