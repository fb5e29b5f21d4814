#include "lockstep/observe/disturbance.hpp"

#include <CppUTest/TestHarness.h>

#include <cmath>
#include <memory>

#include "lockstep/hash.hpp"
#include "lockstep/integrate/joint_stepper.hpp"
#include "lockstep/table_model.hpp"
#include "six_axis_arm.hpp"
#include "support/allocation_guard.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;

namespace {

constexpr double kDt = 0.001;

// an arm of one kilogram at a metre, turning about a horizontal axis, and its damper
constexpr Body kPendulum = {.R_PJ = {1, 0, 0, 0, 0, -1, 0, 1, 0},
                            .mass = 1,
                            .h = {1, 0, 0},
                            .inertia = {0, 0, 0, 1, 0, 1},
                            .damping = 0.25};

// The arm swings under torques of its own while `push` pushes; what is observed at the end.
template <class Form, class T>
Eigen::Matrix<T, 6, 1> observed(const typename ViewOf<Form, T>::Type& model, int ticks, T gain,
                                T push) {
  const auto stepper = std::make_unique<JointStepper<Form, T>>(model);
  const auto observer = std::make_unique<DisturbanceObserver<Form, T>>(model);
  auto state = stepper->make_input();
  state.q << T(0.1), T(-0.4), T(0.8), T(0.2), T(0.5), T(-0.3);
  CHECK_TRUE(Status::kOk == observer->start(state.q, state.v, state.gravity));
  for (int i = 0; i < ticks; ++i) {
    auto tau = state.tau;
    for (int k = 0; k < 6; ++k) tau[k] = T(k < 3 ? 20 : 1) * T((i / 50 + k) % 3 - 1);
    state.tau = tau;
    state.tau[1] = state.tau[1] + push;
    CHECK_TRUE(Status::kOk == stepper->step(state, T(kDt), Integrator::kRungeKutta4));
    CHECK_TRUE(Status::kOk == observer->update(state.q, state.v, tau, state.gravity, gain, T(kDt)));
  }
  return observer->external();
}

}  // namespace

TEST_GROUP(DisturbanceObserver){};

// 1 - (1 + K dt)^-n of it, whatever else the arm does; the other joints feel nothing
TEST(DisturbanceObserver, AConstantPushIsFoundWithinTheTimeConstant) {
  using Form = six_axis_arm;
  for (const double gain : {10.0, 50.0, 200.0}) {
    for (const int ticks : {5, 20, 100, 400}) {
      const auto r = observed<Form, double>({}, ticks, gain, 7);
      const double expected = 7 * (1 - std::pow(1 + gain * kDt, -ticks));
      DOUBLES_EQUAL(expected, r[1], 0.02);
      for (const int k : {0, 2, 3, 4, 5}) DOUBLES_EQUAL(0, r[k], 0.02);
    }
  }
}

// what is left is the integral's error: a quarter of the step, a sixteenth of it
TEST(DisturbanceObserver, WithoutAPushOnlyTheErrorOfTheIntegralIsLeft) {
  const auto error = [](double dt) {
    JointStepper<six_axis_arm> stepper;
    DisturbanceObserver<six_axis_arm> observer;
    auto state = stepper.make_input();
    state.q << 0.1, -0.4, 0.8, 0.2, 0.5, -0.3;
    CHECK_TRUE(Status::kOk == observer.start(state.q, state.v, state.gravity));
    double most = 0;
    for (int i = 0; i < std::lround(0.5 / dt); ++i) {
      CHECK_TRUE(Status::kOk == stepper.step(state, dt, Integrator::kRungeKutta4));
      CHECK_TRUE(Status::kOk ==
                 observer.update(state.q, state.v, state.tau, state.gravity, 50, dt));
      most = std::max(most, observer.external().cwiseAbs().maxCoeff());
    }
    return most;
  };
  const double coarse = error(0.002), fine = error(0.0005);
  CHECK_TRUE(coarse > 0);
  CHECK_AT_MOST(coarse / 12, fine, "second order");
}

// a blow of 0.2 N m s at once: K J, and then K J (1 + K dt)^-n
TEST(DisturbanceObserver, ABlowOnAPendulumIsSeenAtOnceAndFadesAsALag) {
  using Table = TableModel<double, 1>;
  Table table;
  CHECK_TRUE(Status::kOk == table.assign({&kPendulum, 1}));
  JointStepper<Table> stepper(table);
  DisturbanceObserver<Table> observer(table);
  auto state = stepper.make_input();
  state.q << 0.3;
  CHECK_TRUE(Status::kOk == observer.start(state.q, state.v, state.gravity));
  const auto thresholds = Eigen::VectorXd::Constant(1, 2.0).eval();
  const double gain = 50, blow = 0.2;
  for (int i = 1; i <= 300; ++i) {
    const int since = i - 100;
    CHECK_TRUE(Status::kOk == stepper.step(state, kDt, Integrator::kRungeKutta4));
    if (since == 0) state.v[0] += blow / 1.0;  // I = 1
    CHECK_TRUE(Status::kOk ==
               observer.update(state.q, state.v, state.tau, state.gravity, gain, kDt));
    const double r = observer.external()[0];
    const double expected = since < 0 ? 0 : gain * blow * std::pow(1 + gain * kDt, -since - 1);
    DOUBLES_EQUAL(expected, r, 2e-3);
    LONGS_EQUAL(expected > 2 ? 0 : kNone, first_beyond(observer.external(), thresholds));
  }
}

TEST(DisturbanceObserver, StaysBoundedForAnyGain) {
  const auto r = observed<six_axis_arm, double>({}, 200, 1e9, 7);
  DOUBLES_EQUAL(7, r[1], 0.05);
}

TEST(DisturbanceObserver, StaticAndTableGiveTheSameBits) {
  const auto check = [](auto scalar) {
    using T = decltype(scalar);
    using Table = TableModel<T, 6>;
    const auto table = std::make_unique<Table>();
    CHECK_TRUE(Status::kOk == table->assign(six_axis_arm::kBodies));
    Hash fixed, loaded;
    for (const T& x : observed<six_axis_arm, T>({}, 300, T(50), T(3))) fixed.add(x);
    for (const T& x : observed<Table, T>(*table, 300, T(50), T(3))) loaded.add(x);
    CHECK_TRUE(fixed.value() == loaded.value());
    return fixed.value();
  };
  // the same from gcc and clang, and on the chips of tests/chip
  const std::uint64_t in_double = check(0.0), in_float = check(0.0f);
  CHECK_TRUE(in_double != in_float);
}

TEST(DisturbanceObserver, BadNumbersAreRefusedAndChangeNothing) {
  DisturbanceObserver<six_axis_arm> observer;
  const auto in = Problem<StaticModel<six_axis_arm, double>, double>().make_input();
  auto nan = in.v;
  nan[3] = std::nan("");
  CHECK_TRUE(Status::kOutOfOrder == observer.update(in.q, in.v, in.tau, in.gravity, 50, kDt));
  CHECK_TRUE(Status::kNotFinite == observer.start(in.q, nan, in.gravity));
  CHECK_TRUE(Status::kOk == observer.start(in.q, in.v, in.gravity));
  auto push = in.tau;
  push[0] = 5;
  CHECK_TRUE(Status::kOk == observer.update(in.q, in.v, push, in.gravity, 50, kDt));
  const auto before = observer.external();
  CHECK_TRUE(Status::kNotFinite == observer.update(in.q, nan, push, in.gravity, 50, kDt));
  CHECK_TRUE(Status::kNotFinite == observer.update(in.q, in.v, nan, in.gravity, 50, kDt));
  for (const double bad : {-1.0, std::nan(""), HUGE_VAL}) {
    CHECK_TRUE(Status::kBadTimeStep == observer.update(in.q, in.v, push, in.gravity, 50, bad));
    CHECK_TRUE(Status::kBadConstraint == observer.update(in.q, in.v, push, in.gravity, bad, kDt));
  }
  CHECK_TRUE(before == observer.external());
}

TEST(DisturbanceObserver, WhatIsNoNumberIsBeyondEveryThreshold) {
  const auto thresholds = Eigen::Vector2d(1, 1);
  LONGS_EQUAL(kNone, first_beyond(Eigen::Vector2d(1, -1), thresholds));
  LONGS_EQUAL(1, first_beyond(Eigen::Vector2d(1, -1.1), thresholds));
  LONGS_EQUAL(0, first_beyond(Eigen::Vector2d(std::nan(""), 0), thresholds));
  // what has no threshold has none
  LONGS_EQUAL(kNone, first_beyond(Eigen::Vector3d(0, 0, 9), thresholds));
  LONGS_EQUAL(kNone, first_beyond(Eigen::Matrix<double, 1, 1>(0.5), thresholds));
}

TEST(DisturbanceObserver, NeverAllocates) {
  DisturbanceObserver<six_axis_arm> observer;
  const auto in = Problem<StaticModel<six_axis_arm, double>, double>().make_input();
  LONGS_EQUAL(0, test::allocations_in([&] {
                CHECK_TRUE(Status::kOk == observer.start(in.q, in.v, in.gravity));
                CHECK_TRUE(Status::kOk == observer.update(in.q, in.v, in.tau, in.gravity, 50, kDt));
              }));
}
