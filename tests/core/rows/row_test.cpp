#include "lockstep/rows/row.hpp"

#include <CppUTest/TestHarness.h>

#include <functional>
#include <limits>

using namespace lockstep;
using namespace lockstep::rows;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// One row of each kind.
System<double, 4> one_of_each() {
  System<double, 4> system;
  system.count = 4;
  system.rows[1].kind = RowKind::kUnilateral;
  system.rows[2] = {.kind = RowKind::kBoxed, .lower = -1, .upper = 2};
  system.rows[3] = {.kind = RowKind::kFriction, .normal = 1, .coefficient = 0.5};
  return system;
}

Status after(const std::function<void(System<double, 4>&)>& change) {
  System<double, 4> system = one_of_each();
  change(system);
  return check(system);
}

}  // namespace

TEST_GROUP(Row){};

TEST(Row, MeaningfulRowsPass) {
  CHECK(check(one_of_each()) == Status::kOk);
  CHECK(after([](auto& s) { s.count = 0; }) == Status::kOk);
  CHECK(after([](auto& s) { s.rows[2].upper = kInfinity; }) == Status::kOk);
  CHECK(after([](auto& s) { s.rows[2].upper = s.rows[2].lower; }) == Status::kOk);
  CHECK(after([](auto& s) { s.rows[2].lower = 0, s.rows[3].normal = 2; }) == Status::kOk);
}

TEST(Row, CountMustFit) {
  CHECK(after([](auto& s) { s.count = 5; }) == Status::kWrongSize);
  CHECK(after([](auto& s) { s.count = -1; }) == Status::kWrongSize);
}

TEST(Row, NumbersMustBeFinite) {
  CHECK(after([](auto& s) { s.A[3][0] = kNan; }) == Status::kNotFinite);
  CHECK(after([](auto& s) { s.b[2] = -kInfinity; }) == Status::kNotFinite);
  CHECK(after([](auto& s) { s.count = 3, s.A[0][3] = kNan; }) == Status::kOk);
}

TEST(Row, BoundsMustLeaveAForce) {
  CHECK(after([](auto& s) { s.rows[2].lower = 3; }) == Status::kBadConstraint);
  CHECK(after([](auto& s) { s.rows[2].upper = kNan; }) == Status::kBadConstraint);
  CHECK(after([](auto& s) { s.rows[2].lower = s.rows[2].upper = kInfinity; }) ==
        Status::kBadConstraint);
  CHECK(after([](auto& s) { s.rows[2].lower = s.rows[2].upper = -kInfinity; }) ==
        Status::kBadConstraint);
}

TEST(Row, FrictionNeedsARowThatPushes) {
  for (const int normal : {kNone, -7, 0, 2, 3, 4}) {
    CHECK(after([=](auto& s) { s.rows[3].normal = normal; }) == Status::kBadConstraint);
  }
  for (const double coefficient : {-0.1, kNan, kInfinity}) {
    CHECK(after([=](auto& s) { s.rows[3].coefficient = coefficient; }) == Status::kBadConstraint);
  }
}

TEST(Row, KindMustExist) {
  CHECK(after([](auto& s) { s.rows[0].kind = static_cast<RowKind>(4); }) == Status::kBadConstraint);
}
