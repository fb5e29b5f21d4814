#include "lockstep/observe/predictor.hpp"

#include <CppUTest/TestHarness.h>

#include <cmath>
#include <limits>
#include <vector>

#include "lockstep/devices/drivetrains.hpp"
#include "six_axis_arm.hpp"
#include "support/allocation_guard.hpp"

using namespace lockstep;

namespace {

constexpr double kDt = 0.001;
constexpr Integrator kEuler = Integrator::kSemiImplicitEuler;
using Arm = Predictor<six_axis_arm, 8>;

}  // namespace

TEST_GROUP(Predictor){};

// an arm whose drives delay, predicted at each tick for the tick at which that one's torque acts
TEST(Predictor, IsWhereTheArmWillBeBitForBit) {
  for (const int delay : {0, 1, 5, 8}) {
    JointStepper<six_axis_arm> stepper;
    Arm predictor;
    const std::vector<Drivetrain<double>> trains(6, Drivetrain<double>{.delay = delay});
    Drivetrains<six_axis_arm> drives;
    CHECK_TRUE(Status::kOk == drives.set(trains));
    auto state = stepper.make_input();
    std::vector<Arm::Input> predicted, was;
    for (int tick = 0; tick < 100; ++tick) {
      was.push_back(state);
      predicted.push_back(state);
      CHECK_TRUE(Status::kOk == predictor.predict(predicted.back(), delay, kDt, kEuler));
      auto command = state.tau;
      for (int k = 0; k < 6; ++k) command[k] = 10 * std::sin(0.1 * tick + k);
      CHECK_TRUE(Status::kOk == predictor.sent(command));
      CHECK_TRUE(Status::kOk == drives.drive(state.v, command, kDt));
      state.tau = drives.tau();
      CHECK_TRUE(Status::kOk == stepper.step(state, kDt, kEuler));
      drives.follow(state.v, state.tau, kDt);
    }
    for (std::size_t tick = 0; tick + static_cast<std::size_t>(delay) < was.size(); ++tick) {
      const auto& later = was[tick + static_cast<std::size_t>(delay)];
      CHECK_TRUE(later.q == predicted[tick].q && later.v == predicted[tick].v);
    }
  }
}

TEST(Predictor, BadNumbersAreRefusedAndChangeNothing) {
  Arm predictor;
  auto state = JointStepper<six_axis_arm>().make_input();
  auto nan = state.tau;
  nan[0] = std::numeric_limits<double>::quiet_NaN();
  CHECK_TRUE(Status::kNotFinite == predictor.sent(nan));
  const auto before = state;
  CHECK_TRUE(Status::kWrongSize == predictor.predict(state, 9, kDt, kEuler));
  CHECK_TRUE(Status::kWrongSize == predictor.predict(state, -1, kDt, kEuler));
  CHECK_TRUE(Status::kBadTimeStep == predictor.predict(state, 1, 0, kEuler));
  CHECK_TRUE(before.q == state.q && before.v == state.v);
}

TEST(Predictor, NeverAllocates) {
  Arm predictor;
  auto state = JointStepper<six_axis_arm>().make_input();
  LONGS_EQUAL(0, test::allocations_in([&] {
                CHECK_TRUE(Status::kOk == predictor.sent(state.tau));
                CHECK_TRUE(Status::kOk == predictor.predict(state, 3, kDt, kEuler));
              }));
}
