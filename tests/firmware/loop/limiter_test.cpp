#include "loop/limiter.hpp"

#include <CppUTest/TestHarness.h>

#include <cmath>

using namespace lockstep::firmware;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

using Dofs = Eigen::Vector3d;

Limits<Dofs> none() {
  Limits<Dofs> limits;
  limits.remove(3);
  return limits;
}

// The efforts after the limiter, and how many it changed.
int limited(const Limits<Dofs>& limits, double dt, const Dofs& before, Dofs& tau) {
  return limit(limits, dt, before, tau);
}

}  // namespace

TEST_GROUP(Limiter){};

TEST(Limiter, WithoutLimitsNothingChanges) {
  Dofs tau(1e300, -0.0, kInfinity);
  LONGS_EQUAL(0, limited(none(), 1e-3, Dofs::Zero(), tau));
  CHECK_TRUE(tau == Dofs(1e300, 0, kInfinity));
  CHECK_TRUE(std::signbit(tau[1]));
}

TEST(Limiter, EffortIsBoundedOnBothSides) {
  auto limits = none();
  limits.effort << 10, 10, 0;
  Dofs tau(11, -11, 1e-30);
  LONGS_EQUAL(3, limited(limits, 1e-3, Dofs::Zero(), tau));
  CHECK_TRUE(tau == Dofs(10, -10, 0));
  LONGS_EQUAL(0, limited(limits, 1e-3, Dofs::Zero(), tau));  // at the limit is within it
}

TEST(Limiter, EffortChangesNoFasterThanItsRate) {
  auto limits = none();
  limits.effort_rate << 2, 2, 0;
  const Dofs before(5, 5, 5);
  Dofs tau(9, 1, 6);
  LONGS_EQUAL(3, limited(limits, 0.5, before, tau));
  CHECK_TRUE(tau == Dofs(6, 4, 5));
  tau << 5.5, 4.5, 5;
  LONGS_EQUAL(0, limited(limits, 0.5, before, tau));
}

TEST(Limiter, EffortStaysBoundedWhereBothLimitsCannotHold) {
  auto limits = none();
  limits.effort.setConstant(1);
  limits.effort_rate.setConstant(2);
  Dofs tau(5, 5, 5);  // the limit was lowered since the tick before
  LONGS_EQUAL(3, limited(limits, 0.5, Dofs(5, -5, 5), tau));
  CHECK_TRUE(tau == Dofs(1, -1, 1));
}

TEST(Limiter, NaNPassesForTheSolverToRefuse) {
  auto limits = none();
  limits.effort.setConstant(1);
  limits.effort_rate.setConstant(1);
  Dofs tau(kNaN, kInfinity, -kInfinity);
  LONGS_EQUAL(2, limited(limits, 1, Dofs::Zero(), tau));
  CHECK_TRUE(std::isnan(tau[0]));
  CHECK_TRUE(tau[1] == 1 && tau[2] == -1);
}

TEST(Limiter, WhatBoundsNothingIsNoLimit) {
  CHECK_TRUE(are_limits(none()));
  const auto is_limit = [](auto&& change) {
    auto limits = none();
    limits.lower << -1, -1, -1;
    change(limits);
    return are_limits(limits);
  };
  CHECK_TRUE(is_limit([](auto& l) { l.upper[1] = -1; }));  // a joint may be held in one place
  CHECK_TRUE(is_limit([](auto& l) { l.effort[1] = l.effort_rate[1] = l.velocity[1] = 0; }));
  CHECK_FALSE(is_limit([](auto& l) { l.upper[1] = -1.5; }));
  CHECK_FALSE(is_limit([](auto& l) { l.lower[2] = kInfinity; }));
  CHECK_FALSE(is_limit([](auto& l) { l.lower[2] = l.upper[2] = -kInfinity; }));
  for (const double bad : {-1.0, -kInfinity, kNaN}) {
    CHECK_FALSE(is_limit([&](auto& l) { l.effort[0] = bad; }));
    CHECK_FALSE(is_limit([&](auto& l) { l.effort_rate[1] = bad; }));
    CHECK_FALSE(is_limit([&](auto& l) { l.velocity[2] = bad; }));
  }
  CHECK_FALSE(is_limit([](auto& l) { l.lower[0] = kNaN; }));
  CHECK_FALSE(is_limit([](auto& l) { l.upper[2] = kNaN; }));
}

TEST(Limiter, RemovedIsEveryLimitOnItsOwnSide) {
  const auto limits = none();
  for (Eigen::Index i = 0; i < 3; ++i) {
    CHECK_TRUE(limits.lower[i] == -kInfinity && limits.upper[i] == kInfinity);
    CHECK_TRUE(limits.effort[i] == kInfinity && limits.effort_rate[i] == kInfinity);
    CHECK_TRUE(limits.velocity[i] == kInfinity);
  }
}
