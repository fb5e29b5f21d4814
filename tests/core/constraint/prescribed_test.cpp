#include "lockstep/constraint/prescribed.hpp"

#include <CppUTest/TestHarness.h>

#include <cmath>

#include "core/maximal/any_body.hpp"
#include "lockstep/constraint/distance.hpp"
#include "lockstep/constraint/joints.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

const maximal::Sine<double> kSine = {0.2, 0.7, 3, 0.5};
const maximal::Ramp<double> kRamp = {0.1, -0.6, 0.8};

template <class M>
void check_motion(const M& motion) {
  static_assert(maximal::Motion<M, double>);
  for (double time : {0.0, 0.3, 2.0}) {
    const auto rate = rate_of([&](double t) {
      const auto target = motion.at(time + t);
      return Eigen::Vector2d(target.value, target.rate);
    });
    DOUBLES_EQUAL(rate(0), motion.at(time).rate, 1e-9);
    DOUBLES_EQUAL(rate(1), motion.at(time).acceleration, 1e-9);
  }
}

}  // namespace

TEST_GROUP(MaximalPrescribed){};

TEST(MaximalPrescribed, RatesOfMotions) {
  check_motion(kSine);
  check_motion(kRamp);
  const maximal::Swing<double> both = {kRamp, kSine};
  check_motion(both);
  DOUBLES_EQUAL(kSine.at(0.4).value + kRamp.at(0.4).value, both.at(0.4).value, 1e-15);
  DOUBLES_EQUAL(0.2 + 0.7 * std::sin(3 * 0.4 + 0.5), kSine.at(0.4).value, 1e-15);
  DOUBLES_EQUAL(0.1 - 0.6 * 2 + 0.4 * 4, kRamp.at(2).value, 1e-15);
}

TEST(MaximalPrescribed, Displacement) {
  const maximal::Follow<maximal::PointOnPlane<double>, maximal::Sine<double>> lift = {{}, kSine};
  check_holonomic(lift, "lift");
  Random random(51);
  const Eigen::Isometry3d X_A = random_placement(random);
  const double height = 0.2 + 0.7 * std::sin(3 * 0.4 + 0.5);
  const Eigen::Isometry3d X_B = X_A * Eigen::Translation3d(0.3, 0.4, height);
  CHECK_AT_MOST(1e-14, value_between(lift, X_A, X_B, 0.4).norm(), "height");
  CHECK(value_between(lift, X_A, X_B, 0.5).norm() > 0.01);
}

TEST(MaximalPrescribed, Length) {
  check_holonomic(maximal::Follow<maximal::Distance<double>, maximal::Ramp<double>>{{0.7}, kRamp},
                  "length");
}

// The length itself is followed, however far it goes from the one that scales the row.
TEST(MaximalPrescribed, Distance) {
  const maximal::Ramp<double> growth = {0.6, 0.5, 0.3};
  const maximal::FollowDistance<double, maximal::Ramp<double>> rod = {0.7, growth};
  check_holonomic(rod, "distance");
  const Eigen::Isometry3d X_A = Eigen::Isometry3d::Identity();
  const Eigen::Isometry3d X_B(Eigen::Translation3d(0, growth.at(2).value, 0));
  CHECK_AT_MOST(1e-15, value_between(rod, X_A, X_B, 2).norm(), "at its length");
  CHECK(rod.check() == Status::kOk);
  CHECK((maximal::FollowDistance<double, maximal::Ramp<double>>{0, growth}).check() ==
        Status::kBadConstraint);
}

TEST(MaximalPrescribed, Angle) {
  const maximal::FollowAngle<double, maximal::Sine<double>> drive = {kSine};
  check_holonomic(drive, "angle");
  Random random(52);
  const Eigen::Isometry3d X_A = random_placement(random);
  const double angle = 0.2 + 0.7 * std::sin(3 * 0.4 + 0.5);
  for (double lag : {0.0, 0.1}) {
    const Eigen::Isometry3d X_B = X_A * Eigen::AngleAxisd(angle - lag, Eigen::Vector3d::UnitZ());
    DOUBLES_EQUAL(-std::sin(lag), value_between(drive, X_A, X_B, 0.4)(0), 1e-14);
  }
}

TEST(MaximalPrescribed, HingeAndItsMotorAreOneNode) {
  using Drive = maximal::FollowAngle<double, maximal::Ramp<double>>;
  const maximal::Both<maximal::Revolute<double>, Drive> motor = {{}, {kRamp}};
  static_assert(motor.kDimension == 6);
  check_holonomic(motor, "motor");
}
