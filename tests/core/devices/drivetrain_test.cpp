#include "lockstep/devices/drivetrain.hpp"

#include <CppUTest/TestHarness.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>

#include "lockstep/devices/drive_figures.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;

namespace {

// One inertia behind a drivetrain, stepped by semi-implicit Euler with the gain on its pivot and
// the dry friction as the row of a bounded step has it.
struct Joint {
  Drivetrain<double> train;
  double inertia = 1, dt = 0.001;
  DrivetrainState<double> state = {};
  double q = 0, v = 0, acted = 0, stored_friction = 0;

  void step(double command, double outside = 0) {
    const JointEffort<double> own = drive(train, state, command, v, dt);
    const double free = inertia * v + dt * (own.effort + outside);
    const double kept = devices::dead_zone(free, dt * own.friction);
    v = kept / (inertia + dt * own.gain);
    acted = own.effort - own.gain * v;
    q += dt * v;
    follow(train, state, acted, v, dt);
  }
  // of both sides and the spring, without weight
  double energy() const {
    const double half = train.backlash / 2;
    const double bent = devices::dead_zone(state.stretch, half);
    return 0.5 * inertia * v * v + 0.5 * train.inertia * state.rate * state.rate +
           0.5 * train.stiffness * bent * bent;
  }
};

}  // namespace

TEST_GROUP(Drivetrain){};

TEST(Drivetrain, WithoutFiguresTheCommandPassesBitForBit) {
  for (const double command : {0.1, -0.0, 1e300, -3.7, 5e-324}) {
    DrivetrainState<double> state;
    const auto own = drive(Drivetrain<double>(), state, command, 12.5, 0.001);
    CHECK_TRUE(std::bit_cast<std::uint64_t>(command) == std::bit_cast<std::uint64_t>(own.effort));
    CHECK_EQUAL(0.0, own.gain);
    CHECK_EQUAL(0.0, own.friction);
  }
}

TEST(Drivetrain, ACommandActsAfterItsDelay) {
  for (int delay = 0; delay <= kMostDelay; ++delay) {
    DrivetrainState<double> state;
    const Drivetrain<double> train = {.delay = delay};
    for (int step = 0; step < 50; ++step) {
      const double effort = drive(train, state, 1.0 + step, 0.0, 0.001).effort;
      CHECK_EQUAL(step < delay ? 0 : 1.0 + step - delay, effort);
    }
  }
}

// after n steps: 1 - (1 + dt / T)^-n
TEST(Drivetrain, TheCurrentFollowsThroughALag) {
  DrivetrainState<double> state;
  const Drivetrain<double> train = {.time_constant = 0.004};
  for (int n = 1; n <= 100; ++n) {
    const double effort = drive(train, state, 2.0, 0.0, 0.001).effort;
    DOUBLES_EQUAL(2 * (1 - std::pow(1 + 0.001 / 0.004, -n)), effort, 1e-13);
  }
}

TEST(Drivetrain, TheEffortIsLimitedEitherWay) {
  DrivetrainState<double> state;
  const Drivetrain<double> train = {.effort = 3};
  CHECK_EQUAL(3.0, drive(train, state, 7.0, 0.0, 0.001).effort);
  CHECK_EQUAL(-3.0, drive(train, state, -7.0, 0.0, 0.001).effort);
  CHECK_EQUAL(2.5, drive(train, state, 2.5, 0.0, 0.001).effort);
}

// full voltage on a free rotor: w (1 - exp(-t / T)), T = I / back_emf, and no faster than w
TEST(Drivetrain, AMotorRunsUpToItsNoLoadSpeed) {
  Joint joint = {.train = {.stall = 2, .back_emf = 0.05}, .inertia = 0.01};
  const double no_load = 2 / 0.05, lag = 0.01 / 0.05;
  for (int n = 1; n <= 3000; ++n) {
    joint.step(100);
    DOUBLES_EQUAL(no_load * (1 - std::pow(1 + joint.dt / lag, -n)), joint.v, 1e-9);
  }
  DOUBLES_EQUAL(no_load, joint.v, 1e-3);
}

// driven beyond its no-load speed it brakes: the voltage cannot hold the current off
TEST(Drivetrain, BackEmfBrakesBeyondTheNoLoadSpeed) {
  DrivetrainState<double> state;
  const Drivetrain<double> train = {.stall = 2, .back_emf = 0.05};
  const auto own = drive(train, state, 0.0, 60.0, 0.001);
  DOUBLES_EQUAL(2 - 0.05 * 60, own.effort - own.gain * 60, 1e-15);
}

// a motor of 24 V lifts with what its gear leaves, and is held by what the gear adds
TEST(Drivetrain, TheGearTakesItsShareOfThePowerEitherWay) {
  const Drivetrain<double> train = {.efficiency = 0.7};
  for (const double rate : {2.0, -2.0}) {
    DrivetrainState<double> state;
    const auto own = drive(train, state, 10.0, rate, 0.001);
    const double at_joint = own.effort - std::copysign(own.friction, rate);
    DOUBLES_EQUAL(rate > 0 ? 10 * 0.7 : 10 / 0.7, at_joint, 1e-12);
  }
}

TEST(Drivetrain, FrictionFallsFromStictionToCoulomb) {
  const Drivetrain<double> train = {.coulomb = 1, .stiction = 1.5, .stribeck = 0.2};
  const auto at = [&](double rate) {
    DrivetrainState<double> state;
    return drive(train, state, 0.0, rate, 0.001).friction;
  };
  DOUBLES_EQUAL(1.5, at(0), 1e-15);
  DOUBLES_EQUAL(1.25, at(-0.2), 1e-15);
  DOUBLES_EQUAL(1, at(20), 1e-4);
}

TEST(Drivetrain, WithoutAStribeckSpeedStictionIsThatOfRestAlone) {
  const Drivetrain<double> train = {.coulomb = 1, .stiction = 1.5};
  DrivetrainState<double> state;
  DOUBLES_EQUAL(1.5, drive(train, state, 0.0, 0.0, 0.001).friction, 0);
  DOUBLES_EQUAL(1, drive(train, state, 0.0, -1e-9, 0.001).friction, 0);
  // teeth that rub in proportion to the effort, whatever its sign
  const Drivetrain<double> geared = {.efficiency = 0.8};
  DOUBLES_EQUAL(0.4, drive(geared, state, -2.0, 0.0, 0.001).friction, 1e-15);
}

// Backwards as forwards: the voltage bounds either sign of the effort.
TEST(Drivetrain, TheVoltageBoundsEitherSign) {
  const Drivetrain<double> train = {.stall = 3, .back_emf = 0.5};
  for (const double sign : {1.0, -1.0}) {
    DrivetrainState<double> state;
    const JointEffort<double> own = drive(train, state, sign * 10, sign * 2, 0.001);
    DOUBLES_EQUAL(sign * 3, own.effort, 0);  // less 0.5 v' at the end of the step
    DOUBLES_EQUAL(0.5, own.gain, 0);
    DOUBLES_EQUAL(sign * 2, state.current, 0);
    const JointEffort<double> free = drive(train, state, sign * 1.5, sign * 2, 0.001);
    DOUBLES_EQUAL(sign * 1.5, free.effort, 0);
    DOUBLES_EQUAL(0, free.gain, 0);
  }
}

TEST(Drivetrain, TeethPushOnTheirOwnSideOfTheGap) {
  const Drivetrain<double> train = {.inertia = 1, .stiffness = 100, .backlash = 0.2};
  for (const double sign : {1.0, -1.0}) {
    DrivetrainState<double> state = {.stretch = sign * 0.3};
    DOUBLES_EQUAL(sign * 20, drive(train, state, 0.0, 0.0, 1e-9).effort, 1e-6);
    state.stretch = sign * 0.09;
    DOUBLES_EQUAL(0, drive(train, state, 0.0, 0.0, 1e-9).effort, 0);
  }
}

TEST(Drivetrain, FiguresBeyondTheScalarAreInfinite) {
  const auto train = to_drivetrain<float>({.torque_constant = 1, .current = 1e30, .friction = 0.1},
                                          {.ratio = -1e20, .stiction = 2});
  CHECK_TRUE(train.effort == std::numeric_limits<float>::infinity());
  const auto small = to_drivetrain<double>({.friction = 0.1}, {.ratio = 10, .stiction = 2});
  DOUBLES_EQUAL(1, small.coulomb, 1e-15);
  DOUBLES_EQUAL(3, small.stiction, 1e-15);
}

TEST(Drivetrain, AJointSticksUntilStictionIsPassed) {
  Joint joint = {.train = {.coulomb = 1, .stiction = 1.5, .stribeck = 0.2}};
  for (int i = 0; i < 1000; ++i) joint.step(1.49);
  CHECK_EQUAL(0.0, joint.v);
  CHECK_EQUAL(0.0, joint.q);
  for (int i = 0; i < 2000; ++i) joint.step(1.6);
  CHECK_TRUE(joint.v > 0.2);  // it slides, and less holds it
  const double v = joint.v;
  for (int i = 0; i < 100; ++i) joint.step(1.4);
  CHECK_TRUE(joint.v > v);
}

TEST(Drivetrain, SmoothFrictionIsBoundedAndOdd) {
  for (const double v : {1e-9, 1e-4, 0.01, 5.0, 1e6}) {
    const double f = smooth_friction(2.0, v, 0.01);
    CHECK_TRUE(f < 0 && f >= -2);
    CHECK_EQUAL(-f, smooth_friction(2.0, -v, 0.01));
  }
  DOUBLES_EQUAL(-2, smooth_friction(2.0, 1.0, 0.01), 1e-3);
}

// two masses and a spring swing with sqrt(k (1/I + 1/J))
TEST(Drivetrain, ASpringSwingsWithItsFrequency) {
  Joint joint = {.train = {.inertia = 0.3, .stiffness = 40}, .inertia = 0.2, .dt = 1e-5};
  joint.state.stretch = 0.1;
  const double omega = std::sqrt(40 * (1 / 0.2 + 1 / 0.3));
  const double start = joint.energy();
  double crossed = 0, before = joint.state.stretch;
  for (int i = 1; crossed == 0; ++i) {
    joint.step(0);
    const double now = joint.state.stretch;
    if (before > 0 && now <= 0) crossed = (i - 1 + before / (before - now)) * joint.dt;
    before = now;
    CHECK_TRUE(i < 1'000'000);
  }
  DOUBLES_EQUAL(0.5 * 3.14159265358979 / omega, crossed, 2e-4);
  CHECK_AT_MOST(0.002, std::abs(joint.energy() / start - 1), "energy");
}

TEST(Drivetrain, ASpringOfAnyStiffnessIsStable) {
  for (const double k : {1e2, 1e5, 1e8, 1e12}) {
    Joint joint = {.train = {.inertia = 0.01, .stiffness = k, .spring_damping = 0.1},
                   .inertia = 0.002};
    joint.v = 1, joint.state.rate = -2;
    const double momentum = 0.002 * 1 + 0.01 * -2;
    double energy = joint.energy();
    for (int i = 0; i < 5000; ++i) {
      joint.step(0);
      CHECK_AT_MOST(energy * (1 + 1e-9) + 1e-18, joint.energy(), "energy");
      energy = joint.energy();
      // nothing is lost between the motor and the joint
      DOUBLES_EQUAL(momentum, 0.002 * joint.v + 0.01 * joint.state.rate, 1e-12);
    }
    DOUBLES_EQUAL(momentum / 0.012, joint.v, k > 1e4 ? 1e-9 : 1e-2);
  }
}

// a stiff spring is a rigid gear: both inertias together
TEST(Drivetrain, AVeryStiffSpringMovesAsARigidGear) {
  Joint joint = {.train = {.damping = 0.5, .inertia = 2, .stiffness = 1e9}};
  double v = 0;
  for (int i = 0; i < 2000; ++i) {
    joint.step(4);
    v = (3 * v + joint.dt * 4) / (3 + joint.dt * 0.5);
    DOUBLES_EQUAL(v, joint.v, 1e-3);
  }
}

TEST(Drivetrain, FrictionHoldsTheRotorBehindASpring) {
  Joint joint = {.train = {.coulomb = 1, .stiction = 1, .inertia = 0.05, .stiffness = 50}};
  for (int i = 0; i < 20000; ++i) joint.step(0, 0.9 * std::min(1.0, i * 1e-4) - 2 * joint.v);
  CHECK_EQUAL(0.0, joint.state.rate);
  DOUBLES_EQUAL(0.9 / 50, joint.q, 1e-6);  // as far as the spring gives
  for (int i = 0; i < 20000; ++i) joint.step(0, 1.1 - 2 * joint.v);
  CHECK_TRUE(joint.state.rate > 0.01);  // now it is pushed back
}

TEST(Drivetrain, BacklashLetsTheJointGoUntilTheTeethMeet) {
  Joint joint = {.train = {.coulomb = 10,
                           .stiction = 10,
                           .inertia = 1,
                           .stiffness = 1e6,
                           .spring_damping = 200,
                           .backlash = 0.02}};
  joint.v = 0.1;
  for (int i = 0; i < 99; ++i) {  // half the backlash: 0.1 s, and nothing is felt
    joint.step(0);
    CHECK_EQUAL(0.1, joint.v);
  }
  for (int i = 0; i < 200; ++i) joint.step(0);
  CHECK_TRUE(joint.v <= 0);  // met, and thrown back or stopped
  CHECK_TRUE(joint.q < 0.0105);
}

TEST(Drivetrain, FiguresOfTheDataSheetComeToTheJoint) {
  const MotorFigures motor = {.torque_constant = 0.05,
                              .resistance = 2,
                              .voltage = 24,
                              .current = 3,
                              .inertia = 1e-5,
                              .friction = 0.001};
  const auto train = to_drivetrain<double>(motor, {.ratio = -100, .coulomb = 0.5});
  CHECK_TRUE(Status::kOk == train.check());
  DOUBLES_EQUAL(100 * 0.05 * 3, train.effort, 1e-12);
  DOUBLES_EQUAL(100 * 0.05 * 12, train.stall, 1e-12);
  DOUBLES_EQUAL(24 / 0.05 / 100, train.stall / train.back_emf, 1e-12);  // the no-load speed
  DOUBLES_EQUAL(0.1, train.inertia, 1e-15);
  DOUBLES_EQUAL(0.6, train.coulomb, 1e-15);
  DOUBLES_EQUAL(0.6, train.stiction, 1e-15);
  const auto none = to_drivetrain<float>({}, {});
  CHECK_TRUE(none.effort == Drivetrain<float>::kInfinity);
  CHECK_TRUE(none.stall == Drivetrain<float>::kInfinity && none.back_emf == 0);
}

TEST(Drivetrain, FiguresWithoutMeaningAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Drivetrain<double>& train : std::initializer_list<Drivetrain<double>>{
           {.delay = -1},
           {.delay = kMostDelay + 1},
           {.effort = -1},
           {.effort = nan},
           {.stall = -1},
           {.damping = std::numeric_limits<double>::infinity()},
           {.efficiency = 2, .inertia = 1, .stiffness = 1},
           {.time_constant = -1},
           {.back_emf = 1},  // without a stall effort
           {.efficiency = 0},
           {.efficiency = 1.1},
           {.coulomb = 1},  // above stiction
           {.damping = nan},
           {.stiffness = 1},   // without a rotor
           {.backlash = 0.1},  // without a spring
           {.spring_damping = 1},
       }) {
    CHECK_TRUE(Status::kBadConstraint == train.check());
  }
}
