#include "inspect/operations.hpp"

#include <memory>

#include "inspect/odd_pose.hpp"
#include "lockstep/solver.hpp"
#include "model/table.hpp"
#include "text/error.hpp"

namespace lockstep::host {

OperationCount count_operations(const Tree& tree) {
  using RunSolver = Solver<TableModel<Counted, kHostBodies>, Counted>;
  const auto model = to_table<Counted>(tree);
  const auto solver = std::make_unique<RunSolver>(*model);
  const auto in = std::make_unique<RunSolver::Input>(solver->make_input());
  const auto out = std::make_unique<RunSolver::Output>(solver->make_output());

  set_odd_pose(tree, in->q);
  Counted::operations = {};
  static_cast<void>(solver->forward_dynamics(*in, *out));
  return Counted::operations;
}

}  // namespace lockstep::host
