// What has a meaning before a mechanism is stepped: bounds on frames, and the bodies between them.
#include "lockstep/maximal/joint_bounds.hpp"

#include <CppUTest/TestHarness.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "lockstep/maximal/contacts.hpp"
#include "lockstep/maximal/particle.hpp"
#include "lockstep/maximal/planar_body.hpp"
#include "lockstep/maximal/rigid_body.hpp"

using namespace lockstep;
using namespace lockstep::maximal;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kBad[] = {-1, 0, kNan, kInfinity};

JointBound<double> good(Coordinate coordinate) {
  return {.a = 0,
          .b = 1,
          .coordinate = coordinate,
          .X_A = identity<double>(),
          .X_B = identity<double>(),
          .limits = {.lower = 0.1, .upper = 0.2}};
}

// Of three bodies.
Status after(Coordinate coordinate, auto&& spoil) {
  JointBound<double> bound = good(coordinate);
  spoil(bound);
  return bound.check(3);
}

}  // namespace

TEST_GROUP(JointBounds){};

TEST(JointBounds, FramesAreOnTwoOfTheBodies) {
  const auto on = [](int a, int b) {
    return after(Coordinate::kAngle, [=](auto& bound) { bound.a = a, bound.b = b; });
  };
  CHECK(on(kWorld, 2) == Status::kOk);
  CHECK(on(2, kWorld) == Status::kOk);
  CHECK(on(kWorld - 1, 0) == Status::kBadFrame);
  CHECK(on(0, kWorld - 1) == Status::kBadFrame);
  CHECK(on(3, 0) == Status::kBadFrame);
  CHECK(on(0, 3) == Status::kBadFrame);
  CHECK(on(1, 1) == Status::kBadFrame);
}

TEST(JointBounds, EachCoordinateHasItsOwnNumbers) {
  for (const Coordinate coordinate :
       {Coordinate::kAngle, Coordinate::kAlong, Coordinate::kDistance}) {
    const auto refuses = [&](auto&& spoil) {
      CHECK(after(coordinate, spoil) == Status::kBadConstraint);
    };
    CHECK(after(coordinate, [](auto&) {}) == Status::kOk);
    CHECK(after(coordinate, [](auto& bound) { bound.limits.lower = -kInfinity; }) == Status::kOk);
    refuses([](auto& bound) { bound.X_A.R.x.x = 2; });
    refuses([](auto& bound) { bound.X_B.p.z = kNan; });
    refuses([](auto& bound) { bound.restitution = -0.1; });
    refuses([](auto& bound) { bound.restitution = 1.1; });
    refuses([](auto& bound) { bound.rate = kInfinity; });
    refuses([](auto& bound) { bound.limits.velocity = 3; });
    refuses([](auto& bound) { bound.limits.upper = 0; });  // below the other
    refuses([](auto& bound) { bound.limits.friction = -1; });
  }
  CHECK(after(static_cast<Coordinate>(kCoordinates), [](auto&) {}) == Status::kBadConstraint);
  const auto with = [](Coordinate coordinate, double lower, double upper, double friction) {
    return after(coordinate, [=](auto& bound) {
      bound.limits.lower = lower, bound.limits.upper = upper, bound.limits.friction = friction;
    });
  };
  CHECK(with(Coordinate::kAngle, -1e300, 1, 0) == Status::kBadConstraint);
  CHECK(with(Coordinate::kAngle, -1, 1e300, 0) == Status::kBadConstraint);
  CHECK(with(Coordinate::kAngle, -1, kInfinity, 2) == Status::kOk);
  CHECK(with(Coordinate::kAlong, -1e300, 1e300, 2) == Status::kOk);
  CHECK(with(Coordinate::kDistance, 0, 1, 0) == Status::kBadConstraint);
  CHECK(with(Coordinate::kDistance, -kInfinity, 0, 0) == Status::kBadConstraint);
  CHECK(with(Coordinate::kDistance, 0.1, 1, 2) == Status::kBadConstraint);
}

// Half of what two limits leave of a turn, where that is less than a quarter of one.
TEST(JointBounds, AnAngleIsBeyondItsNearerLimit) {
  const auto cosine = [](double lower, double upper) {
    JointBound<double> bound = good(Coordinate::kAngle);
    bound.limits.lower = lower, bound.limits.upper = upper;
    return bound.least_cosine();
  };
  DOUBLES_EQUAL(std::cos(std::numbers::pi - 2.5), cosine(-2.5, 2.5), 1e-15);
  DOUBLES_EQUAL(0, cosine(-1, 1), 0);
  DOUBLES_EQUAL(0, cosine(-kInfinity, 3), 0);
  DOUBLES_EQUAL(0, cosine(-3, kInfinity), 0);
}

TEST(JointBounds, BodiesHaveMassesAndPosesThatAreNumbers) {
  for (const double bad : kBad) {
    CHECK(Particle<double>{bad}.check() == Status::kBadInertia);
    CHECK((PlanarBody<double>{bad, 1}.check() == Status::kBadInertia));
    CHECK((PlanarBody<double>{1, bad}.check() == Status::kBadInertia));
    CHECK((RigidBody<double>{bad, {1, 0, 0, 1, 0, 1}}.check() == Status::kBadInertia));
    for (const auto& inertia :
         {Sym3<double>{bad, 0, 0, 1, 0, 1}, {1, 0, 0, bad, 0, 1}, {1, 0, 0, 1, 0, bad}}) {
      CHECK((RigidBody<double>{1, inertia}.check() == Status::kBadInertia));
    }
  }
  const PlanarBody<double> plate = {1, 1};
  CHECK(plate.check({.x = 1, .y = 2, .angle = 3}) == Status::kOk);
  CHECK(plate.check({.angle = 1e300}) == Status::kAngleTooLarge);
  for (const double bad : {kNan, kInfinity}) {
    CHECK(plate.check({.x = bad}) == Status::kNotFinite);
    CHECK(plate.check({.y = bad}) == Status::kNotFinite);
    CHECK(plate.check({.angle = bad}) == Status::kNotFinite);
  }
  const RigidBody<double> box = {1, {1, 0, 0, 1, 0, 1}};
  CHECK(box.check({.p = {0, kNan, 0}}) == Status::kNotFinite);
  CHECK(box.check({.q = {0, 0, kNan, 1}}) == Status::kNotFinite);
  CHECK(box.check({.q = {0, 0, 1, 1}}) == Status::kNotUnitQuaternion);
  Particle<double>::Pose pose{};
  Particle<double>::Velocity velocity = {1e308, 0, 0};
  CHECK(Particle<double>{1}.fly(pose, velocity, {}, 1e3) == Status::kNotFinite);
}

TEST(JointBounds, SettingsOfContactsMustHaveAMeaning) {
  CHECK(ContactSettings<double>{}.check() == Status::kOk);
  for (const double bad : {-1.0, kNan, kInfinity}) {
    CHECK(ContactSettings<double>{.margin = bad}.check() == Status::kBadConstraint);
    CHECK(ContactSettings<double>{.options = {.slop = bad}}.check() == Status::kBadConstraint);
  }
  CHECK(ContactSettings<double>{.row_solver = {.pivoting = {.pivots = -1}}}.check() ==
        Status::kBadConstraint);
}
