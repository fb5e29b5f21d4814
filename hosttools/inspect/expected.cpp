#include "inspect/expected.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "apps/measure/states.hpp"
#include "model/loop_rows.hpp"
#include "robot/relative_error.hpp"
#include "robot/robot.hpp"

namespace lockstep::host {

namespace {

Spread spread(std::vector<double> errors) {
  if (errors.empty()) return {};
  std::ranges::sort(errors);
  return {.median = errors[errors.size() / 2], .worst = errors.back()};
}

}  // namespace

template <class T>
std::uint64_t hash_of_answers(const Tree& tree, int states, bool closed) {
  measure::Random random;
  Hash hash;
  const auto draw = [&](auto& robot, const auto& answer) {
    for (int i = 0; i < states; ++i) {
      measure::next_state<T>(random, tree.bodies, robot.in);
      answer();
    }
  };
  if (!closed) {
    const auto run = std::make_unique<HostRobot<T>>(tree);
    draw(*run, [&] {
      const Status status = run->solver.forward_dynamics(run->in, run->out);
      measure::add_answer(hash, status, run->out);
    });
    return hash.value();
  }
  using Closed = HostClosedSolver<T>;
  const auto run = std::make_unique<HostRobot<T, Closed>>(tree, TreeRows<T>(tree));
  typename Closed::Forces solved;
  struct : Closed::Output {
    std::span<const T> forces;
  } out{run->out, std::span(solved.mu).first(static_cast<std::size_t>(row_count(tree)))};
  draw(*run, [&] {
    const Status status = run->solver.forward_dynamics(run->in, out, solved);
    measure::add_answer(hash, status, out);
  });
  return hash.value();
}

template std::uint64_t hash_of_answers<float>(const Tree& tree, int states, bool closed);
template std::uint64_t hash_of_answers<double>(const Tree& tree, int states, bool closed);

FloatError float_error(const Tree& tree, int states) {
  const auto rounded = std::make_unique<HostRobot<float>>(tree);
  const auto exact = std::make_unique<HostRobot<double>>(tree);
  const auto solves = [](auto& run) {
    return run.solver.forward_dynamics(run.in, run.out) == Status::kOk;
  };
  measure::Random random;
  std::vector<double> accelerations, reactions;
  for (int i = 0; i < states; ++i) {
    measure::next_state<float>(random, tree.bodies, rounded->in);
    exact->in.q = rounded->in.q.cast<double>();
    exact->in.v = rounded->in.v.cast<double>();
    exact->in.tau = rounded->in.tau.cast<double>();
    exact->in.gravity = rounded->in.gravity.cast<double>();
    if (!solves(*rounded) || !solves(*exact)) continue;
    accelerations.push_back(relative_error(rounded->out.vdot.cast<double>(), exact->out.vdot));
    reactions.push_back(relative_error(rounded->out.reaction.cast<double>(), exact->out.reaction));
  }
  return {.states = static_cast<int>(accelerations.size()),
          .accelerations = spread(std::move(accelerations)),
          .reactions = spread(std::move(reactions))};
}

}  // namespace lockstep::host
