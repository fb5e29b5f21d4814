// Where a run begins.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>

#include "hil/scenario.hpp"
#include "model/tree.hpp"
#include "robot/ground.hpp"
#include "robot/hold_limit.hpp"

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

struct Start {
  Eigen::VectorXd q, v;  // of the robot as it is computed
  std::string note;      // if it is not what one would think; empty else
};

// Where the scenario says. Otherwise as --start: in the zero pose, as a file says, or (`asked` is
// empty) in the robot's usual pose; that then is the scenario's start. What floats is `drop` above
// the ground. `file` is the robot's. Throws Error.
Start find_start(const RobotTrees& robot, const std::string& file, const Bounds& bounds,
                 const std::optional<double>& drop, Scenario& scenario,
                 const std::string& asked = "");

}  // namespace lockstep::host::hil
