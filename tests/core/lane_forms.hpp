// Steps in lanes against the steps of each state alone: the same bits and statuses.
#pragma once

#include <CppUTest/TestHarness.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "core/test_joint_stepper.hpp"
#include "support/model_states.hpp"

namespace lockstep::test {

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
  const auto one = std::make_unique<TestJointStepper<Model, T>>();
  const auto several = std::make_unique<JointStepper<Model, Wide>>();
  Random random(17);
  std::vector<decltype(one->make_input())> states(kWidth, one->make_input());
  auto wide = several->make_input();
  auto external = one->make_wrenches();
  auto wide_external = several->make_wrenches();
  int failures = 0;
  for (int round = 0; round < 24; ++round) {
    for (int k = 0; k < kWidth; ++k) {
      auto& state = states[at(k)];
      randomize<Model>(state, T(3), random);
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

}  // namespace lockstep::test
