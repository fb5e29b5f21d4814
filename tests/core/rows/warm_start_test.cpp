#include "lockstep/rows/warm_start.hpp"

#include <CppUTest/TestHarness.h>

#include <array>
#include <limits>

using namespace lockstep;
using namespace lockstep::rows;

namespace {

constexpr RowKey kLimit = {.of = RowOf::kLower, .number = 2};
constexpr RowKey kDrive = {.of = RowOf::kDrive, .number = 2};
constexpr RowKey kTouch = {.of = RowOf::kContact, .number = 2, .other = 5, .count = 3};
constexpr std::array<RowKey, 3> kKeys = {kLimit, kDrive, kTouch};
constexpr std::array<double, 3> kForces = {10, 20, 30};

// The same row but for one of what names it.
constexpr std::array<RowKey, 4> kStrangers = {{{RowOf::kUpper, 2, 5, 3},
                                               {RowOf::kContact, 1, 5, 3},
                                               {RowOf::kContact, 2, 4, 3},
                                               {RowOf::kContact, 2, 5, 0}}};

}  // namespace

TEST_GROUP(WarmStart) {
  WarmStart<double, 4> kept;
  void setup() override { CHECK(kept.recall(kKeys, kForces) == Status::kOk); }
};

TEST(WarmStart, RowsAreKnownByAllThatNamesThem) {
  for (std::size_t i = 0; i < kKeys.size(); ++i) DOUBLES_EQUAL(kForces[i], kept.of(kKeys[i]), 0);
  for (const RowKey& stranger : kStrangers) {
    int hint = 1;
    double force = 17;
    DOUBLES_EQUAL(0, kept.of(stranger), 0);
    CHECK_FALSE(kept.find(stranger, hint, force));
    DOUBLES_EQUAL(17, force, 0);
  }
}

TEST(WarmStart, HintFollowsTheRowsInWhateverOrderTheyCome) {
  int hint = 0;
  double force = 0;
  for (const std::size_t i : {0u, 1u, 2u, 0u, 2u, 1u, 1u}) {
    CHECK(kept.find(kKeys[i], hint, force));
    DOUBLES_EQUAL(kForces[i], force, 0);
    LONGS_EQUAL(static_cast<int>(i) + 1, hint);
  }
}

TEST(WarmStart, NothingIsKnownAfterForgetting) {
  kept.forget();
  int hint = 2;
  double force = 17;
  DOUBLES_EQUAL(0, kept.of(kDrive), 0);
  CHECK_FALSE(kept.find(kDrive, hint, force));
}

TEST(WarmStart, WhatCannotBeRecalledLeavesItAsItWas) {
  std::array<double, 3> bad = kForces;
  CHECK(kept.recall(kKeys, std::span(bad).first(2)) == Status::kWrongSize);
  const std::array<RowKey, 5> many = {};
  const std::array<double, 5> values = {};
  CHECK(kept.recall(many, values) == Status::kWrongSize);
  for (const double number :
       {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()}) {
    bad[1] = number;
    CHECK(kept.recall(kKeys, bad) == Status::kNotFinite);
  }
  LONGS_EQUAL(3, kept.row_count);
  DOUBLES_EQUAL(20, kept.of(kDrive), 0);
}
