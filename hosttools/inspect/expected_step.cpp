#include "inspect/expected_step.hpp"

#include <algorithm>
#include <memory>

#include "apps/measure/states.hpp"
#include "apps/measure/step.hpp"
#include "inspect/counted.hpp"
#include "robot/bounded_tables.hpp"
#include "robot/robot.hpp"

namespace lockstep::host {

// Compiled in counted_step.cpp.
extern template class HostBoundedStepper<CountedNumber<float>,
                                         contact::Plane<CountedNumber<float>>>;
extern template class HostBoundedStepper<CountedNumber<double>,
                                         contact::Plane<CountedNumber<double>>>;

namespace {

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
    for (const Body& body : tree.bodies) {
      const JointLimits<T> own = to_joint_limits<T>(body);
      const auto counted = [](T value) { return static_cast<N>(static_cast<double>(value)); };
      all.push_back(
          {counted(own.lower), counted(own.upper), counted(own.velocity), counted(own.friction)});
    }
    return all;
  }

  BoundedSettings<N> settings_;
  TreeColliders<N> shapes_;
  std::vector<JointLimits<N>> bounds_;
  std::unique_ptr<HostRobot<N, Stepper>> robot_;
};

}  // namespace

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

}  // namespace lockstep::host
