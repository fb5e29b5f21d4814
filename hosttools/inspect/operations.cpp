#include "inspect/operations.hpp"

#include <memory>

#include "robot/robot.hpp"

namespace lockstep::host {

OperationCount count_operations(const Tree& tree) {
  const auto run = std::make_unique<HostRobot<Counted, Solver<HostModel<Counted>, Counted>>>(tree);
  set_odd_pose(tree, run->in.q);
  Counted::operations = {};
  static_cast<void>(run->solver.forward_dynamics(run->in, run->out));
  return Counted::operations;
}

}  // namespace lockstep::host
