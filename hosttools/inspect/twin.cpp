#include "inspect/twin.hpp"

#include <memory>

#include "apps/measure/states.hpp"
#include "lockstep/solver.hpp"
#include "model/table.hpp"

namespace lockstep::host {

template <class T>
std::uint64_t hash_of_answers(const Tree& tree, int states) {
  using RunSolver = Solver<TableModel<T, kHostBodies>, T>;
  const auto model = to_table<T>(tree);
  const auto solver = std::make_unique<RunSolver>(*model);
  const auto in = std::make_unique<typename RunSolver::Input>(solver->make_input());
  const auto out = std::make_unique<typename RunSolver::Output>(solver->make_output());
  measure::Random random;
  Hash hash;
  for (int i = 0; i < states; ++i) {
    measure::next_state<T>(random, tree.bodies, *in);
    measure::add_answer(hash, solver->forward_dynamics(*in, *out), *out);
  }
  return hash.value();
}

template std::uint64_t hash_of_answers<float>(const Tree& tree, int states);
template std::uint64_t hash_of_answers<double>(const Tree& tree, int states);

}  // namespace lockstep::host
