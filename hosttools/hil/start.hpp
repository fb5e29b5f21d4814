// Where a run begins.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>

#include "hil/scenario.hpp"
#include "model/tree.hpp"
#include "robot/ground.hpp"

namespace lockstep::host::hil {

// Calls visit(i, at) for each body i whose joint has one degree of freedom, at.q and at.v.
template <class Visit>
void for_single_joints(const Tree& tree, Visit&& visit) {
  Counts at;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    if (dof_count(tree.bodies[i].joint) == 1) visit(i, at);
    at.add(tree.bodies[i].joint);
  }
}

// The scenario's start; of a closed robot without one a pose that is assembled, which then is the
// scenario's start, and of a robot that floats `drop` above the ground. `file` is the robot's.
// Throws Error.
Eigen::VectorXd find_start(const Tree& tree, const std::string& file, const Bounds& bounds,
                           const std::optional<double>& drop, Scenario& scenario);

}  // namespace lockstep::host::hil
