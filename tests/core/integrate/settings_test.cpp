#include "lockstep/integrate/settings.hpp"

#include <CppUTest/TestHarness.h>

#include <limits>
#include <vector>

using namespace lockstep;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_GROUP(Settings){};

// Critically damped: the square of half the velocity's gain is the position's.
TEST(Settings, GainsThatAreNotGivenAreCriticalAtHalfTheRateOfSteps) {
  StepSettings<double> settings = {.dt = 0.01};
  DOUBLES_EQUAL(50 * 50, settings.pull().position, 1e-9);
  DOUBLES_EQUAL(2 * 50, settings.pull().velocity, 1e-12);
  for (const Gains<double> given : {Gains<double>{7, 0}, {0, 7}, {3, 7}}) {
    settings.gains = given;
    CHECK(settings.pull().position == given.position && settings.pull().velocity == given.velocity);
  }
  for (const Stabilization other : {Stabilization::kOff, Stabilization::kProjection}) {
    settings.stabilization = other;
    CHECK(settings.pull().position == 0 && settings.pull().velocity == 0);
  }
}

TEST(Settings, WhatHasNoMeaningIsRefused) {
  const auto checked = [](auto&& spoil) {
    StepSettings<double> settings = {.dt = 1e-3};
    spoil(settings);
    const Status but_dt = settings.check_but_dt();
    CHECK(but_dt == settings.check());
    return but_dt;
  };
  CHECK(Status::kOk == checked([](auto&) {}));
  CHECK(Status::kOk == checked([](auto& s) { s.tolerance = 1, s.gains = {1, 1}; }));
  for (const double bad : {-1e-9, -kInfinity, kInfinity, kNaN}) {
    CHECK(Status::kBadTolerance == checked([&](auto& s) { s.tolerance = bad; }));
    CHECK(Status::kBadConstraint == checked([&](auto& s) { s.gains.position = bad; }));
    CHECK(Status::kBadConstraint == checked([&](auto& s) { s.gains.velocity = bad; }));
  }
  for (const int integrator : {0, 1, 2, 3, 4}) {
    const Status status = checked([&](auto& s) { s.integrator = Integrator(integrator); });
    CHECK(status == (integrator <= 3 ? Status::kOk : Status::kBadConstraint));
  }
  for (const int how : {0, 1, 2, 3}) {
    const Status status = checked([&](auto& s) { s.stabilization = Stabilization(how); });
    CHECK(status == (how <= 2 ? Status::kOk : Status::kBadConstraint));
  }
  for (const double dt : {0.0, -1.0, kInfinity, kNaN}) {
    const StepSettings<double> settings = {.dt = dt};
    CHECK(Status::kBadTimeStep == settings.check());
    CHECK(Status::kOk == settings.check_but_dt());
  }
}

// The numbers travel on the link and stand in files.
TEST(Settings, NumbersOfChoicesStay) {
  LONGS_EQUAL(0, static_cast<int>(Integrator::kSemiImplicitEuler));
  LONGS_EQUAL(1, static_cast<int>(Integrator::kRungeKutta4));
  LONGS_EQUAL(2, static_cast<int>(Integrator::kMidpoint));
  LONGS_EQUAL(3, static_cast<int>(Integrator::kEulerMiddle));
  LONGS_EQUAL(0, static_cast<int>(Stabilization::kOff));
  LONGS_EQUAL(1, static_cast<int>(Stabilization::kBaumgarte));
  LONGS_EQUAL(2, static_cast<int>(Stabilization::kProjection));
  LONGS_EQUAL(8, StepSettings<double>{}.max_solves);
}

TEST(Settings, TheLargestMagnitudeIsNaNIfOneIs) {
  DOUBLES_EQUAL(3, largest(std::vector<double>{1, -3, 2}), 0);
  DOUBLES_EQUAL(0.5, largest(std::vector<double>{0.5, -0.25}), 0);
  DOUBLES_EQUAL(0.5, largest(std::vector<double>{0.25, -0.5}), 0);
  DOUBLES_EQUAL(4, largest(std::vector<double>{-1, 4, 4}), 0);
  for (const auto& values : {std::vector<double>{kNaN, 1}, {1, kNaN}, {1, kNaN, 5, 2}}) {
    const double most = largest(values);
    CHECK(most != most);
  }
}

TEST(Settings, ErrorsAreRaisedToTheLargerOfEach) {
  ConstraintErrors<double> errors = {1, 4};
  errors.raise({2, 3});
  CHECK(errors.position == 2 && errors.velocity == 4);
  errors.raise({1, 5});
  CHECK(errors.position == 2 && errors.velocity == 5);
  errors.raise({kNaN, kNaN});
  CHECK(errors.position != errors.position && errors.velocity != errors.velocity);
  const auto narrow = static_cast<ConstraintErrors<float>>(ConstraintErrors<double>{0.5, 0.25});
  CHECK(narrow.position == 0.5f && narrow.velocity == 0.25f);
}
