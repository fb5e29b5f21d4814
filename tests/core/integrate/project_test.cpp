#include "lockstep/integrate/project.hpp"

#include <CppUTest/TestHarness.h>

#include <array>
#include <limits>

using namespace lockstep;

namespace {

// An error that each solve multiplies by a factor, down to what rounding leaves.
struct Falling {
  double error, factor, floor = 0;
  std::array<double, 2> values = {0.5, -0.25};
  bool redundant = false;
  StepSettings<double> settings = {.tolerance = 1e-6};
  Status correction = Status::kOk;
  int solves = 0;

  Status run() {
    return project(
        settings, values, redundant, [&] { return error; },
        [&] {
          ++solves;
          error = error * factor + floor;
          return correction;
        });
  }
};

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

}  // namespace

TEST_GROUP(Project){};

TEST(Project, SolvesUntilTheErrorIsWithinTheTolerance) {
  Falling there = {1e-6, 0.1}, off = {1.5e-3, 0.1};
  CHECK(Status::kOk == there.run());
  LONGS_EQUAL(0, there.solves);
  CHECK(Status::kOk == off.run());
  LONGS_EQUAL(4, off.solves);  // 1.5e-7
}

// Rounding grows with what was rounded: beyond one, the tolerance is relative to the largest value.
TEST(Project, TheToleranceIsRelativeToLargeValues) {
  Falling off = {1.5e-3, 0.1};
  off.values = {3, -100};
  CHECK(Status::kOk == off.run());
  LONGS_EQUAL(2, off.solves);  // 1.5e-5 of 1e-4
  Falling near = {1.5e-6, 0.1};
  near.values = {1.5, 0};
  CHECK(Status::kOk == near.run());
  LONGS_EQUAL(0, near.solves);
}

TEST(Project, WithoutAToleranceSomeRoundingsAreLeft) {
  Falling off = {1, 0.25};
  off.settings.tolerance = 0, off.settings.max_solves = 100;
  CHECK(Status::kOk == off.run());
  LONGS_EQUAL(23, off.solves);  // 2^-46 = 64 epsilon
  DOUBLES_EQUAL(64 * kEpsilon, off.error, 0);
  Falling more = {64.5 * kEpsilon, 1};
  more.settings.tolerance = 0, more.settings.max_solves = 0;
  CHECK(Status::kNotConverged == more.run());
}

TEST(Project, NeverSolvesMoreThanItMay) {
  Falling slow = {1, 0.4};
  CHECK(Status::kNotConverged == slow.run());
  LONGS_EQUAL(8, slow.solves);
  slow = {1, 0.4};
  slow.settings.max_solves = 0;
  CHECK(Status::kNotConverged == slow.run());
  LONGS_EQUAL(0, slow.solves);
}

// What falls by less than half any more is at its floor: that is good enough up to 64 tolerances,
// and of redundant rows, which agree only to the digits of a file, if it is no worse than before.
TEST(Project, AnErrorThatFallsNoMoreIsTakenIfItIsSmall) {
  Falling small = {1e-3, 0, 6e-5}, large = {1e-3, 0, 6.45e-5};
  CHECK(Status::kOk == small.run());
  LONGS_EQUAL(2, small.solves);
  CHECK(Status::kNotConverged == large.run());
  large = {1e-3, 0, 6.45e-5};
  large.redundant = true;
  CHECK(Status::kOk == large.run());
  LONGS_EQUAL(2, large.solves);
  Falling growing = {1e-5, 1.5};
  growing.redundant = true;
  CHECK(Status::kNotConverged == growing.run());
  growing = {2e-6, 1.5};  // to 64 tolerances, but from less
  CHECK(Status::kNotConverged == growing.run());
  Falling standing = {1e-3, 1};
  standing.redundant = true;
  CHECK(Status::kOk == standing.run());
  LONGS_EQUAL(1, standing.solves);
  Falling halving = {1e-3, 0.5};  // not less than half: at its floor after the first
  halving.redundant = true;
  CHECK(Status::kOk == halving.run());
  LONGS_EQUAL(1, halving.solves);
}

TEST(Project, NaNIsNoSmallError) {
  Falling nan = {std::numeric_limits<double>::quiet_NaN(), 1};
  nan.redundant = true;
  CHECK(Status::kNotConverged == nan.run());
}

TEST(Project, ACorrectionThatFailsIsTheEnd) {
  Falling off = {1, 0.1};
  off.correction = Status::kOverflow;
  CHECK(Status::kOverflow == off.run());
  LONGS_EQUAL(1, off.solves);
}
