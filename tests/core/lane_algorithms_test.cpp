// Steps and kinematics in lanes: every lane gets the bits and the status of its state alone.
#include <CppUTest/TestHarness.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "lockstep/integrate/joint_stepper.hpp"
#include "lockstep/kinematics.hpp"
#include "quadruped.hpp"
#include "support/all_joints.hpp"
#include "support/model_states.hpp"

using namespace lockstep;

namespace {

template <class T>
auto bits(T x) {
  if constexpr (sizeof(T) == 4) {
    return std::bit_cast<std::uint32_t>(x);
  } else {
    return std::bit_cast<std::uint64_t>(x);
  }
}

template <class LaneValues, class Values>
void check_lane(const LaneValues& lanes, int lane, const Values& one) {
  for (Eigen::Index i = 0; i < one.size(); ++i) {
    CHECK_TRUE(bits(lanes.data()[i][lane]) == bits(one.data()[i]));
  }
}

// What makes a state special: none of its own, at rest, far round, or one that fails.
template <class State, class T>
void make_special(int kind, State& state, T far) {
  if (kind == 1) state.v.setZero(), state.tau.setZero();
  if (kind == 2) state.q[state.q.size() - 1] = far;
  if (kind == 3) state.v[0] = std::numeric_limits<T>::quiet_NaN();
  if (kind == 4) state.tau.setConstant(std::numeric_limits<T>::max());
  // goes well at first and fails later in the step
  if (kind == 5) state.tau.setConstant(sizeof(T) == 4 ? T(1e25F) : T(1e200));
}

template <class Model, class T, int kWidth>
void check_steps() {
  using Wide = Lanes<T, kWidth>;
  const auto one = std::make_unique<JointStepper<Model, T>>();
  const auto several = std::make_unique<JointStepper<Model, Wide>>();
  test::Random random(17);
  std::vector<decltype(one->make_input())> states(kWidth, one->make_input());
  auto wide = several->make_input();
  auto external = one->make_wrenches();
  auto wide_external = several->make_wrenches();
  int failures = 0;
  for (int round = 0; round < 24; ++round) {
    for (int k = 0; k < kWidth; ++k) {
      auto& state = states[at(k)];
      test::randomize<Model>(state, T(3), random);
      make_special((round + k) % 6, state, T(0.75) * kMaxAngle<T>);
      set_lane(wide, k, state);
    }
    const auto integrator =
        round % 2 == 0 ? Integrator::kSemiImplicitEuler : Integrator::kRungeKutta4;
    const bool pushed = round % 4 > 1;
    external.setConstant(static_cast<T>(random.uniform(-5, 5)));
    for (Eigen::Index i = 0; i < external.size(); ++i) wide_external.data()[i] = external.data()[i];
    const auto step = [&](auto& stepper, auto& state, const auto& wrenches) {
      return pushed ? stepper.step(state, wrenches, T(1e-3), integrator)
                    : stepper.step(state, T(1e-3), integrator);
    };
    const auto statuses = step(*several, wide, wide_external);
    for (int k = 0; k < kWidth; ++k) {
      auto& state = states[at(k)];
      const Status status = step(*one, state, external);
      CHECK_TRUE(status == statuses[at(k)]);
      failures += status == Status::kOk ? 0 : 1;
      check_lane(wide.q, k, state.q);
      check_lane(wide.v, k, state.v);
      if (status == Status::kOk) check_lane(several->output().vdot, k, one->output().vdot);
    }
  }
  CHECK_TRUE(failures > 4 * kWidth && failures < 20 * kWidth);
  for (const Status status : several->step(wide, T(-1), Integrator::kRungeKutta4)) {
    CHECK_TRUE(Status::kBadTimeStep == status);
  }
}

template <class Model, class T, int kWidth>
void check_kinematics(const LinkFrame<double>& link) {
  using Wide = Lanes<T, kWidth>;
  const auto one = std::make_unique<Kinematics<Model, T>>();
  const auto several = std::make_unique<Kinematics<Model, Wide>>();
  const Problem<StaticModel<Model, T>, T> problem;
  const Problem<StaticModel<Model, Wide>, Wide> wide_problem;
  test::Random random(19);
  auto wide = wide_problem.make_input();
  std::vector<decltype(problem.make_input())> states(kWidth, problem.make_input());
  for (int round = 0; round < 8; ++round) {
    for (int k = 0; k < kWidth; ++k) {
      test::randomize<Model>(states[at(k)], T(3), random);
      if (round == k) states[at(k)].v[0] = std::numeric_limits<T>::infinity();
      set_lane(wide, k, states[at(k)]);
    }
    typename Kinematics<Model, Wide>::Pose pose;
    auto twist = several->make_twist();
    auto J = several->make_jacobian();
    auto centre_J = several->make_centre_jacobian();
    typename Kinematics<Model, Wide>::Momentum momentum;
    typename Kinematics<Model, Wide>::Energy energy;
    const auto posed = several->pose(wide.q, link, pose);
    const auto moved = several->twist(wide.q, wide.v, link, Axes::kOfWorld, twist);
    const auto turned = several->jacobian(wide.q, link, Axes::kOfLink, J);
    const auto centred = several->centre_jacobian(wide.q, centre_J);
    const auto summed = several->momentum(wide.q, wide.v, momentum);
    const auto weighed = several->energy(wide.q, wide.v, wide.gravity, energy);
    for (int k = 0; k < kWidth; ++k) {
      const auto& state = states[at(k)];
      typename Kinematics<Model, T>::Pose own_pose;
      auto own_twist = one->make_twist();
      auto own_J = one->make_jacobian();
      auto own_centre_J = one->make_centre_jacobian();
      typename Kinematics<Model, T>::Momentum own_momentum;
      typename Kinematics<Model, T>::Energy own_energy;
      CHECK_TRUE(posed[at(k)] == one->pose(state.q, link, own_pose));
      CHECK_TRUE(moved[at(k)] == one->twist(state.q, state.v, link, Axes::kOfWorld, own_twist));
      CHECK_TRUE(turned[at(k)] == one->jacobian(state.q, link, Axes::kOfLink, own_J));
      CHECK_TRUE(centred[at(k)] == one->centre_jacobian(state.q, own_centre_J));
      CHECK_TRUE(summed[at(k)] == one->momentum(state.q, state.v, own_momentum));
      CHECK_TRUE(weighed[at(k)] == one->energy(state.q, state.v, state.gravity, own_energy));
      CHECK_EQUAL(round == k, moved[at(k)] != Status::kOk);
      check_lane(pose.R_WL, k, own_pose.R_WL), check_lane(pose.p_WL, k, own_pose.p_WL);
      check_lane(twist, k, own_twist), check_lane(J, k, own_J);
      check_lane(centre_J, k, own_centre_J);
      check_lane(momentum.angular, k, own_momentum.angular);
      check_lane(momentum.about_centre, k, own_momentum.about_centre);
      CHECK_TRUE(bits(energy.kinetic[k]) == bits(own_energy.kinetic));
      CHECK_TRUE(bits(energy.potential[k]) == bits(own_energy.potential));
    }
  }
}

}  // namespace

TEST_GROUP(LaneAlgorithms){};

TEST(LaneAlgorithms, StepsHaveTheBitsOfEachState) {
  check_steps<test::AllJoints, double, 4>();
  check_steps<test::AllJoints, float, 8>();
  check_steps<quadruped, double, 4>();
}

TEST(LaneAlgorithms, KinematicsHasTheBitsOfEachState) {
  check_kinematics<test::AllJoints, double, 4>(link_frame<test::AllJoints>("tool"));
  check_kinematics<test::AllJoints, float, 8>(link_frame<test::AllJoints>("tool"));
}
