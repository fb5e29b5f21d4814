#include "inspect/twin.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "apps/measure/states.hpp"
#include "eval/comparison.hpp"
#include "lockstep/solver.hpp"
#include "model/table.hpp"

namespace lockstep::host {

namespace {

// On the heap, too large for a stack.
template <class T>
struct Twin {
  using RunSolver = Solver<TableModel<T, kHostBodies>, T>;
  std::unique_ptr<TableModel<T, kHostBodies>> model;
  RunSolver solver;
  typename RunSolver::Input in;
  typename RunSolver::Output out;

  explicit Twin(const Tree& tree)
      : model(to_table<T>(tree)),
        solver(*model),
        in(solver.make_input()),
        out(solver.make_output()) {}

  Status answer() { return solver.forward_dynamics(in, out); }
};

Spread spread(std::vector<double> errors) {
  if (errors.empty()) return {};
  std::ranges::sort(errors);
  return {.median = errors[errors.size() / 2], .worst = errors.back()};
}

}  // namespace

template <class T>
std::uint64_t hash_of_answers(const Tree& tree, int states) {
  const auto twin = std::make_unique<Twin<T>>(tree);
  measure::Random random;
  Hash hash;
  for (int i = 0; i < states; ++i) {
    measure::next_state<T>(random, tree.bodies, twin->in);
    measure::add_answer(hash, twin->answer(), twin->out);
  }
  return hash.value();
}

template std::uint64_t hash_of_answers<float>(const Tree& tree, int states);
template std::uint64_t hash_of_answers<double>(const Tree& tree, int states);

FloatError float_error(const Tree& tree, int states) {
  const auto rounded = std::make_unique<Twin<float>>(tree);
  const auto exact = std::make_unique<Twin<double>>(tree);
  measure::Random random;
  std::vector<double> accelerations, reactions;
  for (int i = 0; i < states; ++i) {
    measure::next_state<float>(random, tree.bodies, rounded->in);
    exact->in.q = rounded->in.q.cast<double>();
    exact->in.v = rounded->in.v.cast<double>();
    exact->in.tau = rounded->in.tau.cast<double>();
    exact->in.gravity = rounded->in.gravity.cast<double>();
    if (rounded->answer() != Status::kOk || exact->answer() != Status::kOk) continue;
    accelerations.push_back(relative_error(rounded->out.vdot.cast<double>(), exact->out.vdot));
    reactions.push_back(relative_error(rounded->out.reaction.cast<double>(), exact->out.reaction));
  }
  return {.states = static_cast<int>(accelerations.size()),
          .accelerations = spread(std::move(accelerations)),
          .reactions = spread(std::move(reactions))};
}

}  // namespace lockstep::host
