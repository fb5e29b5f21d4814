#include "inspect/twin.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "apps/measure/states.hpp"
#include "eval/comparison.hpp"
#include "model/loop_rows.hpp"
#include "robot/solvers.hpp"

namespace lockstep::host {

namespace {

// On the heap, too large for a stack.
template <class T>
struct Twin {
  using RunSolver = HostSolver<T>;
  std::unique_ptr<HostModel<T>> model;
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

template <class T>
struct ClosedTwin {
  using RunSolver = HostClosedSolver<T>;
  std::unique_ptr<HostModel<T>> model;
  RunSolver solver;
  typename RunSolver::Input in;
  struct : RunSolver::Output {
    std::vector<T> forces;
  } out;
  typename RunSolver::Forces solved;

  explicit ClosedTwin(const Tree& tree)
      : model(to_table<T>(tree)),
        solver(*model, TreeRows<T>(tree)),
        in(solver.make_input()),
        out{solver.make_output(), std::vector<T>(static_cast<std::size_t>(row_count(tree)))} {}

  Status answer() {
    const Status status = solver.forward_dynamics(in, out, solved);
    std::copy_n(solved.mu.begin(), out.forces.size(), out.forces.begin());
    return status;
  }
};

template <class T, class AnyTwin>
std::uint64_t hash_of(const Tree& tree, int states) {
  const auto twin = std::make_unique<AnyTwin>(tree);
  measure::Random random;
  Hash hash;
  for (int i = 0; i < states; ++i) {
    measure::next_state<T>(random, tree.bodies, twin->in);
    const Status status = twin->answer();
    measure::add_answer(hash, status, twin->out);
  }
  return hash.value();
}

Spread spread(std::vector<double> errors) {
  if (errors.empty()) return {};
  std::ranges::sort(errors);
  return {.median = errors[errors.size() / 2], .worst = errors.back()};
}

}  // namespace

template <class T>
std::uint64_t hash_of_answers(const Tree& tree, int states, bool closed) {
  return closed ? hash_of<T, ClosedTwin<T>>(tree, states) : hash_of<T, Twin<T>>(tree, states);
}

template std::uint64_t hash_of_answers<float>(const Tree& tree, int states, bool closed);
template std::uint64_t hash_of_answers<double>(const Tree& tree, int states, bool closed);

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
