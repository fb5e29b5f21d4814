#include "inspect/expected.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "apps/measure/states.hpp"
#include "apps/measure/step.hpp"
#include "inspect/counted.hpp"
#include "model/loop_rows.hpp"
#include "oracle/relative_error.hpp"
#include "robot/bounded_tables.hpp"
#include "robot/robot.hpp"

namespace lockstep::host {

// Compiled in counted_step.cpp.
extern template class HostBoundedStepper<CountedNumber<float>,
                                         contact::Plane<CountedNumber<float>>>;
extern template class HostBoundedStepper<CountedNumber<double>,
                                         contact::Plane<CountedNumber<double>>>;

namespace {

Spread spread(std::vector<double> errors) {
  if (errors.empty()) return {};
  std::ranges::sort(errors);
  return {.median = errors[errors.size() / 2], .worst = errors.back()};
}

// N is T, or counts as T does.
template <class T, class N>
class Stepped {
  static constexpr bool kIsPlain = std::is_same_v<T, N>;
  using Ground = std::conditional_t<kIsPlain, AnyGround<N>, contact::Plane<N>>;
  using Stepper = HostBoundedStepper<N, Ground>;

 public:
  Stepped(const Tree& tree, RowSolver solver, int contacts)
      : settings_(measure::step_settings<N>(solver, contacts)),
        shapes_(tree),
        bounds_(joint_bounds(tree)),
        robot_(std::make_unique<HostRobot<N, Stepper>>(
            tree, TreeRows<N>(tree), bounds_,
            Scene<N, Ground>{shapes_.colliders(), shapes_.pairs(), floor()})) {}

  // From a state that was drawn with plain numbers.
  template <class Drawn>
  Status step(const Drawn& drawn) {
    const auto copy = [](const auto& from, auto& to) {
      for (std::size_t i = 0; i < from.size(); ++i) {
        to[static_cast<Eigen::Index>(i)] = static_cast<N>(static_cast<double>(from[i]));
      }
    };
    auto& in = robot_->in;
    copy(drawn.q, in.q), copy(drawn.v, in.v), copy(drawn.tau, in.tau);
    copy(drawn.gravity, in.gravity);
    return robot_->solver.step(in, settings_);
  }

  auto answer() const {
    const auto& [vdot, reaction, lambda] = robot_->solver.output();
    const auto& result = robot_->solver.result();
    struct {
      std::span<const N> vdot, reaction, lambda, forces, q, v;
    } out = {view(vdot),
             view(reaction),
             view(lambda),
             std::span(result.forces).first(static_cast<std::size_t>(result.row_count)),
             view(robot_->in.q),
             view(robot_->in.v)};
    return out;
  }

 private:
  template <class Values>
  static std::span<const N> view(const Values& values) {
    return {values.data(), static_cast<std::size_t>(values.size())};
  }
  // The same plane, where it is the ground of the host's own stepper.
  static Ground floor() {
    if constexpr (kIsPlain) {
      constexpr contact::Plane<double> kFloor = measure::kFloor<double>;
      return {{{.ground = true,
                .height = kFloor.offset,
                .ground_friction = kFloor.material.friction,
                .ground_restitution = kFloor.material.restitution}},
              {}};
    } else {
      return measure::kFloor<N>;
    }
  }
  static std::vector<JointLimits<N>> joint_bounds(const Tree& tree) {
    std::vector<JointLimits<N>> all;
    for (const Body& body : tree.bodies) all.push_back(to_joint_limits<N>(body));
    return all;
  }

  BoundedSettings<N> settings_;
  TreeColliders<N> shapes_;
  std::vector<JointLimits<N>> bounds_;
  std::unique_ptr<HostRobot<N, Stepper>> robot_;
};

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

template <class T>
ExpectedStep expect_step(const Tree& tree, int states, RowSolver solver, int contacts) {
  Stepped<T, T> plain(tree, solver, contacts);
  Stepped<T, CountedNumber<T>> counted(tree, solver, contacts);
  const Counts counts = to_table<T>(tree)->counts();
  const auto numbers = [](int count) { return std::vector<T>(static_cast<std::size_t>(count)); };
  struct {
    std::vector<T> q, v, tau, gravity;
  } drawn = {numbers(counts.q), numbers(counts.v), numbers(counts.v), numbers(3)};
  measure::Random random;
  Hash hash;
  ExpectedStep expected;
  for (int i = 0; i < states; ++i) {
    measure::next_state<T>(random, tree.bodies, drawn);
    const Status status = plain.step(drawn);
    measure::add_answer(hash, status, plain.answer());
    if (i >= measure::kToldStates) continue;
    Counting::operations = {};
    static_cast<void>(counted.step(drawn));
    expected.operations.push_back(Counting::operations.total());
  }
  expected.hash = hash.value();
  return expected;
}

template ExpectedStep expect_step<float>(const Tree&, int, RowSolver, int);
template ExpectedStep expect_step<double>(const Tree&, int, RowSolver, int);

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
