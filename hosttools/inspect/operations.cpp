#include "inspect/operations.hpp"

#include <memory>

#include "error.hpp"
#include "lockstep/solver.hpp"
#include "model/table.hpp"

namespace lockstep::host {

OperationCount count_operations(const Tree& tree) {
  using RunSolver = Solver<TableModel<Counted, kHostBodies>, Counted>;
  const auto model = to_table<Counted>(tree);
  const auto solver = std::make_unique<RunSolver>(*model);
  const auto in = std::make_unique<RunSolver::Input>(solver->make_input());
  const auto out = std::make_unique<RunSolver::Output>(solver->make_output());

  // the zero pose may be a singular one, where the solver stops short; quaternions stay unit
  int q = 0;
  for (const Body& body : tree.bodies) {
    const int count = config_count(body.joint);
    for (int k = 0; k < count && count <= 3; ++k) in->q[q + k] = 0.1 + 0.7 * (q + k) / (q + 9);
    q += count;
  }
  Counted::operations = {};
  static_cast<void>(solver->forward_dynamics(*in, *out));
  return Counted::operations;
}

}  // namespace lockstep::host
