// Settings of steps, and the loops around a step that know no robot: projection onto constraints,
// and the midpoint that is looked for in parts.
#include "lockstep/integrate/settings.hpp"

#include <CppUTest/TestHarness.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "lockstep/auxiliary/bounded_settings.hpp"
#include "lockstep/integrate/midpoint.hpp"
#include "lockstep/integrate/project.hpp"

using namespace lockstep;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// One number that a solve takes `factor` of its error from, down to what is left.
struct Toy {
  double factor, rest;
  std::array<double, 1> value = {1};
  int solves = 0;
  Status status = Status::kOk;

  Status project(const StepSettings<double>& settings, bool redundant = false) {
    return lockstep::project(
        settings, value, redundant, [&] { return std::abs(value[0]) + rest; },
        [&] {
          ++solves;
          value[0] *= 1 - factor;
          return status;
        });
  }
};

// A state whose steps by the midpoint are found if they are no longer than `longest`.
struct Steps {
  double longest;
  Status otherwise = Status::kStoppedShort, by_euler = Status::kOk;
  struct State {
    std::array<double, 1> v = {0};
    double time = 0;
    std::array<double, 1>::const_iterator begin() const { return v.begin(); }
    std::array<double, 1>::const_iterator end() const { return v.end(); }
    double operator[](std::size_t i) const { return v[i]; }
  };
  State state = {}, before = {};
  std::vector<double> taken = {};

  Status step(double dt) {
    return midpoint_in_parts(state, before, dt, [&](double part, Integrator integrator) {
      taken.push_back(part);
      state.time += part;
      if (integrator != Integrator::kMidpoint) return by_euler;
      return part <= longest ? Status::kOk : otherwise;
    });
  }
};

}  // namespace

TEST_GROUP(StepSettings){};

TEST(StepSettings, MustHaveAMeaning) {
  using S = StepSettings<double>;
  CHECK(Status::kOk == S{.dt = 1e-3}.check());
  for (const double dt : {0.0, -1e-3, kNan, kInfinity}) {
    CHECK(Status::kBadTimeStep == S{.dt = dt}.check());
  }
  for (const double bad : {-1.0, kNan, kInfinity}) {
    CHECK((Status::kBadTolerance == S{.dt = 1e-3, .tolerance = bad}.check()));
    CHECK((Status::kBadConstraint == S{.dt = 1e-3, .gains = {bad, 0}}.check()));
    CHECK((Status::kBadConstraint == S{.dt = 1e-3, .gains = {0, bad}}.check()));
  }
  CHECK(
      (Status::kBadConstraint == S{.dt = 1e-3, .integrator = static_cast<Integrator>(3)}.check()));
  CHECK((Status::kBadConstraint ==
         S{.dt = 1e-3, .stabilization = static_cast<Stabilization>(3)}.check()));
}

TEST(StepSettings, GainsActWhereTheyWereGiven) {
  const auto pull = [](Stabilization how, Gains<double> gains) {
    return StepSettings<double>{.dt = 0.5, .stabilization = how, .gains = gains}.pull();
  };
  DOUBLES_EQUAL(0, pull(Stabilization::kOff, {3, 4}).position, 0);
  DOUBLES_EQUAL(3, pull(Stabilization::kBaumgarte, {3, 0}).position, 0);
  DOUBLES_EQUAL(0, pull(Stabilization::kBaumgarte, {3, 0}).velocity, 0);
  DOUBLES_EQUAL(4, pull(Stabilization::kBaumgarte, {0, 4}).velocity, 0);
  DOUBLES_EQUAL(1, pull(Stabilization::kBaumgarte, {}).position, 0);  // critically damped
  DOUBLES_EQUAL(2, pull(Stabilization::kBaumgarte, {}).velocity, 0);
}

TEST(StepSettings, LargestIsNoNumberIfOneIsNone) {
  DOUBLES_EQUAL(4, largest(std::array{1.0, -4.0, 3.0}), 0);
  CHECK(std::isnan(largest(std::array{1.0, kNan, 9.0})));
  ConstraintErrors<double> errors = {1, 2};
  errors.raise({0.5, 3});
  DOUBLES_EQUAL(1, errors.position, 0);
  DOUBLES_EQUAL(3, errors.velocity, 0);
  errors.raise({kNan, 0});
  CHECK(std::isnan(errors.position));
}

TEST(StepSettings, OfBoundedStepsMustHaveAMeaning) {
  using S = BoundedSettings<double>;
  CHECK(Status::kOk == S{.dt = 1e-3}.check());
  const auto newton = [](const NewtonOptions<double>& own) {
    return S{.dt = 1e-3, .newton = own}.check();
  };
  CHECK(Status::kBadConstraint == newton({.iterations = 0}));
  CHECK(Status::kBadConstraint == newton({.rounds = -1}));
  for (const double bad : {-1.0, kNan, kInfinity}) {
    CHECK(Status::kBadConstraint == newton({.softness = bad}));
    CHECK(Status::kBadConstraint == newton({.settling = bad}));
    CHECK(Status::kBadTolerance == newton({.tolerance = bad}));
    CHECK((Status::kBadConstraint == S{.dt = 1e-3, .reach = bad}.check()));
    CHECK((Status::kBadConstraint == S{.dt = 1e-3, .contact = {.slop = bad}}.check()));
  }
  CHECK((Status::kBadConstraint == S{.dt = 1e-3, .most_contacts = -1}.check()));
  for (const double dt : {0.0, kNan, kInfinity}) CHECK(Status::kBadTimeStep == S{.dt = dt}.check());
}

TEST(StepSettings, ContactsActAsTheirRowsHaveRoomOrAsWasAskedFor) {
  LONGS_EQUAL(4, (BoundedSettings<double>{.dt = 1e-3}.contacts_within(14)));
  LONGS_EQUAL(2, (BoundedSettings<double>{.dt = 1e-3, .most_contacts = 2}.contacts_within(14)));
}

TEST_GROUP(Project){};

TEST(Project, EndsWithinTheToleranceThatWasGiven) {
  Toy toy = {.factor = 0.9, .rest = 0};
  CHECK(Status::kOk == toy.project({.dt = 1, .tolerance = 2e-3}));
  LONGS_EQUAL(3, toy.solves);
  Toy exact = {.factor = 0.99, .rest = 0};
  CHECK(Status::kOk == exact.project({.dt = 1}));  // to some roundings
  LONGS_EQUAL(7, exact.solves);
}

TEST(Project, IsToldWhereItNeedsMoreSolves) {
  Toy toy = {.factor = 0.5, .rest = 0};
  CHECK(Status::kNotConverged == toy.project({.dt = 1, .tolerance = 1e-6}));
  LONGS_EQUAL(8, toy.solves);
}

// An error that stays: of redundant rows it may be any, of others some roundings.
TEST(Project, ErrorsThatFallNoMoreAreThoseOfRedundantRows) {
  Toy toy = {.factor = 0.999, .rest = 0.01};
  CHECK(Status::kOk == toy.project({.dt = 1, .tolerance = 1e-6}, true));
  CHECK(toy.solves < 4);
  Toy strict = {.factor = 0.999, .rest = 0.01};
  CHECK(Status::kNotConverged == strict.project({.dt = 1, .tolerance = 1e-6}));
  Toy nearly = {.factor = 0.999, .rest = 5e-5};
  CHECK(Status::kOk == nearly.project({.dt = 1, .tolerance = 1e-6}));
}

TEST(Project, SolveThatFailsEndsIt) {
  Toy toy = {.factor = 0.9, .rest = 0, .status = Status::kOverflow};
  CHECK(Status::kOverflow == toy.project({.dt = 1}));
  LONGS_EQUAL(1, toy.solves);
}

TEST_GROUP(MidpointInParts){};

TEST(MidpointInParts, StepIsTakenInAsFewPartsAsItNeeds) {
  for (const int parts : {1, 2, 4, 8, 16}) {
    Steps steps = {.longest = 1.0 / parts};
    CHECK(Status::kOk == steps.step(1));
    DOUBLES_EQUAL(1, steps.state.time, 1e-15);
    DOUBLES_EQUAL(1.0 / parts, steps.taken.back(), 0);
  }
}

TEST(MidpointInParts, WhatWhirlsBeginsWithHalves) {
  Steps steps = {.longest = 1};
  steps.state.v[0] = 0.021;
  CHECK(Status::kOk == steps.step(1));
  LONGS_EQUAL(2, steps.taken.size());
}

TEST(MidpointInParts, WithoutAMiddleItIsEulersStepAndSaysSo) {
  Steps steps = {.longest = 1.0 / 32};
  CHECK(Status::kStoppedShort == steps.step(1));
  DOUBLES_EQUAL(1, steps.state.time, 0);
  DOUBLES_EQUAL(1, steps.taken.back(), 0);
  Steps failing = {.longest = 1.0 / 32, .by_euler = Status::kOverflow};
  CHECK(Status::kOverflow == failing.step(1));
}

TEST(MidpointInParts, OtherFailuresEndItWithTheStateAsItWas) {
  Steps steps = {.longest = 0.5, .otherwise = Status::kSingular};
  CHECK(Status::kSingular == steps.step(1));
  LONGS_EQUAL(1, steps.taken.size());
  DOUBLES_EQUAL(0, steps.state.time, 0);
}
