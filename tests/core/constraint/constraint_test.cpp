#include "lockstep/constraint/constraint.hpp"

#include <CppUTest/TestHarness.h>

#include <limits>

#include "lockstep/constraint/distance.hpp"
#include "lockstep/constraint/gear.hpp"
#include "lockstep/constraint/joints.hpp"
#include "lockstep/constraint/rolling.hpp"
#include "lockstep/constraint/surface.hpp"
#include "lockstep/constraint/tangency.hpp"
#include "lockstep/factor.hpp"
#include "lockstep/maximal/particle.hpp"

using namespace lockstep;

TEST_GROUP(MaximalConstraint){};

// A pendulum in the linear system of the solver, [M -J^T; -J 0] [vdot lambda] = [force c]: the rod
// pulls with what bears the weight along it and bends the path, m (v^2 / l - g . d / l).
TEST(MaximalConstraint, RodOfAPendulumPullsAsTheClosedFormSays) {
  const maximal::Particle<double> bob = {2};
  const maximal::Particle<double>::Pose pose = {{0.6, 0, 1 - 0.8}};  // one metre from the pivot
  const maximal::Particle<double>::Velocity v = {0.8 * 3, 0.5, 0.6 * 3};
  const Placement<double> pivot = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 1}};
  const maximal::Between<maximal::Distance<double>> rod = {pivot, {pivot.R, {}}, {1}};
  const auto blocks = rod.evaluate(maximal::World<double>{}, {}, {}, bob, pose, v, 0);
  DOUBLES_EQUAL(0, blocks.value[0], 1e-15);
  DOUBLES_EQUAL(0, blocks.velocity_error[0], 1e-15);

  std::array<NodeShape, 2> shapes = {{{.dimension = 3, .parent = 1, .columns = 1},
                                      {.kind = NodeKind::kConstraint, .dimension = 1}}};
  LONGS_EQUAL(13, place_nodes(shapes).blocks);
  const double m = bob.mass, *J = blocks.J_B[0].data();
  std::array<double, 13> H = {m, 0, 0, 0, m, 0, 0, 0, m, -J[0], -J[1], -J[2], 0};
  const auto weight = maximal::generalized_force(bob.kinematics(pose, v, {pivot.R, {}}),
                                                 {{0, 0, bob.mass * -9.81}, {}});
  std::array<double, 4> x = {weight[0], weight[1], weight[2], blocks.c[0]};
  CHECK(factor(NodeSpan{shapes}, H.data()) == Status::kOk);
  solve(NodeSpan{shapes}, H.data(), x.data());

  const double speed_squared = 9 + 0.25;
  DOUBLES_EQUAL(-2 * (speed_squared + 9.81 * 0.8), x[3], 1e-13);
  const double along = x[0] * 0.6 - x[2] * 0.8;
  DOUBLES_EQUAL(-speed_squared, along, 1e-13);
}

// Rows of two constraints stand one under the other.
TEST(MaximalConstraint, BothKeepsTheOrder) {
  using Rod = maximal::Distance<double>;
  const maximal::FrameMotion<double> A = {{}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {}, {}};
  const maximal::FrameMotion<double> B = {{0, 3, 4}, A.R, {0, 1, 0}, {}};
  const auto rows = maximal::Both<Rod, Rod>{{5}, {10}}.rows(A, B, 0);
  DOUBLES_EQUAL(0, rows.value[0], 1e-15);
  DOUBLES_EQUAL((25.0 - 100) / 20, rows.value[1], 1e-15);
  DOUBLES_EQUAL(0.6, rows.b[0].linear.y, 1e-15);
  DOUBLES_EQUAL(-0.3, rows.a[1].linear.y, 1e-15);
  DOUBLES_EQUAL(0.1, rows.bias[1], 1e-15);
}

// Sizes are positive and finite, frames are frames.
TEST(MaximalConstraint, ParametersAreChecked) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const auto good = [](const auto& constraint) {
    return maximal::check_constraint(constraint) == Status::kOk;
  };
  CHECK(good(maximal::Distance<double>{1}));
  CHECK(!good(maximal::Distance<double>{0}));
  CHECK(!good(maximal::Distance<double>{nan}));
  CHECK(good(maximal::Gear<double>{-3, 0.5}));
  CHECK(!good(maximal::Gear<double>{nan}));
  CHECK(!good(maximal::Gear<double>{1, infinity}));
  CHECK(!good(maximal::Distance<double>{infinity}));
  CHECK(good(maximal::RollingBall<double>{{0.1}}));
  CHECK(!good(maximal::RollingDisc<double>{{-0.1}}));
  CHECK(good(maximal::PointOnSurface<double>::cylinder(2)));
  CHECK(!good(maximal::PointOnSurface<double>::ellipsoid({1, 0, 1})));
  for (const Vec3<double>& Q : {Vec3<double>{0, 1, 1}, {1, 0, 1}, {1, 1, -1}, {1, infinity, 1}}) {
    CHECK(!good(maximal::PointOnSurface<double>{Q, 1}));
  }
  CHECK(good(maximal::PointOnSurface<double>{{1, 1, 0}, 1}));
  CHECK(good(maximal::EllipsoidTangency<double>{{1, 2, 3}, {3, 2, 1}}));
  CHECK(!good(maximal::EllipsoidTangency<double>{{1, 2, 3}, {3, -2, 1}}));
  CHECK(good(maximal::Ball<double>{}));
  CHECK(!good(maximal::Both<maximal::Distance<double>, maximal::Distance<double>>{{1}, {-1}}));
  CHECK(!good(maximal::Both<maximal::Distance<double>, maximal::Distance<double>>{{-1}, {1}}));

  const Placement<double> frame = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {1, 2, 3}};
  const Placement<double> mirrored = {{{1, 0, 0}, {0, 1, 0}, {0, 0, -1}}, {}};
  const Placement<double> nowhere = {frame.R, {nan, 0, 0}};
  CHECK(good(maximal::Between<maximal::Ball<double>>{frame, frame, {}}));
  CHECK(!good(maximal::Between<maximal::Ball<double>>{frame, mirrored, {}}));
  CHECK(!good(maximal::Between<maximal::Ball<double>>{nowhere, frame, {}}));
}

// A bit for each row that has no value, at the place of its row.
TEST(MaximalConstraint, RowsOfVelocitiesAloneAreMarked) {
  using maximal::velocity_rows;
  using Gear = maximal::Gear<double>;
  using Roll = maximal::RollingBall<double>;
  LONGS_EQUAL(0, velocity_rows<maximal::Ball<double>>());
  LONGS_EQUAL(0b1, velocity_rows<Gear>());
  LONGS_EQUAL(0b110, (velocity_rows<maximal::Between<Roll>>()));
  LONGS_EQUAL(0b1000, (velocity_rows<maximal::Both<maximal::Ball<double>, Gear>>()));
  LONGS_EQUAL(0b1101, (velocity_rows<maximal::Between<maximal::Both<Gear, Roll>>>()));
}
