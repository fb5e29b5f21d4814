#include "lockstep/constraint/coordinate.hpp"

#include <CppUTest/TestHarness.h>

#include <cmath>
#include <numbers>

#include "core/maximal/any_body.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

template <class T>
void check_angles(double tolerance) {
  for (int i = -720; i <= 720; ++i) {
    const double angle = i * std::numbers::pi / 720;
    for (const double length : {1e-3, 1.0, 40.0}) {
      const T s = static_cast<T>(length * std::sin(angle)),
              c = static_cast<T>(length * std::cos(angle));
      const double exact = std::atan2(static_cast<double>(s), static_cast<double>(c));
      const double found = static_cast<double>(constraint::detail::angle_of(s, c));
      CHECK_AT_MOST(tolerance, std::abs(std::remainder(found - exact, 2 * std::numbers::pi)),
                    "angle");
    }
  }
  DOUBLES_EQUAL(0, static_cast<double>(constraint::detail::angle_of(T(0), T(0))), 0);
}

}  // namespace

TEST_GROUP(Coordinate){};

TEST(Coordinate, AnglesAreRightInEveryDirection) {
  check_angles<double>(1e-15);
  check_angles<float>(5e-7);
}

TEST(Coordinate, RowsAreTheRatesOfTheirValues) {
  check_holonomic(maximal::AngleTerm<double>{-1.5, 0.25}, "angle");
  check_holonomic(maximal::WayTerm<double>{2.5, -0.5}, "way");
}

TEST(Coordinate, ValuesAreTheJointsOwn) {
  Random random(5);
  const Eigen::Isometry3d A = random_placement(random);
  const Eigen::Isometry3d turned(Eigen::AngleAxisd(0.7, Eigen::Vector3d::UnitZ()));
  const Eigen::Isometry3d moved(Eigen::Translation3d(0, 0, 0.3));
  const Eigen::Isometry3d B = A * turned * moved;
  DOUBLES_EQUAL(4 * 0.7 - 1, value_between(maximal::AngleTerm<double>{4, 1}, A, B)[0], 1e-14);
  DOUBLES_EQUAL(-2 * 0.3 - 1, value_between(maximal::WayTerm<double>{-2, 1}, A, B)[0], 1e-14);
}

TEST(Coordinate, NumbersAreChecked) {
  const double nan = std::nan("");
  CHECK(maximal::AngleTerm<double>({2, 1}).check() == Status::kOk);
  CHECK(maximal::AngleTerm<double>({nan, 1}).check() == Status::kBadConstraint);
  CHECK(maximal::WayTerm<double>({2, nan}).check() == Status::kBadConstraint);
}

// With B's x along A's z there is none: the row's rates are no numbers, and are refused further on.
TEST(Coordinate, WhatPointsAlongTheAxisHasNoAngle) {
  const maximal::AngleTerm<double> term = {2, 0};
  const maximal::FrameMotion<double> A = {{}, mat3(Eigen::Matrix3d::Identity()), {}, {}};
  for (const double lean : {-1.2e-3, -0.8e-3, 0.0, 0.8e-3, 1.2e-3}) {
    maximal::FrameMotion<double> B = A;
    B.R = mat3(Eigen::AngleAxisd(lean - std::numbers::pi / 2, Eigen::Vector3d::UnitY()).matrix());
    const auto row = term.rows(A, B, 0);
    CHECK_EQUAL(std::abs(lean) > 1e-3, std::isfinite(row.a[0].angular.z));
    CHECK_EQUAL(std::abs(lean) > 1e-3, std::isfinite(row.b[0].angular.z));
  }
}
