#include "lockstep/constraint/joints.hpp"

#include <CppUTest/TestHarness.h>

#include <Eigen/LU>
#include <cmath>

#include "core/maximal/any_body.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

Eigen::Isometry3d shift(double x, double y, double z) {
  return Eigen::Isometry3d(Eigen::Translation3d(x, y, z));
}
Eigen::Isometry3d turn(double angle, const Eigen::Vector3d& axis) {
  return Eigen::Isometry3d(Eigen::AngleAxisd(angle, axis));
}
const Eigen::Vector3d kX = Eigen::Vector3d::UnitX(), kZ = Eigen::Vector3d::UnitZ();

maximal::FrameMotion<double> random_frame(Random& random) {
  const Placement<double> X = placement(random_placement(random));
  const Eigen::Vector3d v = random.vector(1), w = random.vector(1);
  return {X.p, X.R, {v.x(), v.y(), v.z()}, {w.x(), w.y(), w.z()}};
}

// Whether the errors alone are those that rows and velocities tell.
template <class C>
void check_errors(const C& joint, Random& random, const char* where) {
  const maximal::FrameMotion<double> A = random_frame(random), B = random_frame(random);
  const auto rows = joint.rows(A, B, 0);
  const auto errors = joint.errors(A, B, 0);
  for (std::size_t i = 0; i < rows.value.size(); ++i) {
    const double rate =
        dot(rows.a[i], Spatial<double>{A.v, A.w}) + dot(rows.b[i], Spatial<double>{B.v, B.w});
    CHECK_AT_MOST(0, std::abs(rows.value[i] - errors.value[i]), where);
    CHECK_AT_MOST(1e-14, std::abs(rate - errors.velocity_error[i]), where);
  }
}

// Frame B in A for a random configuration of the joint, and the number of its freedoms.
template <class C>
void check_joint(const C& joint, int freedoms, Eigen::Isometry3d (*place)(Random&),
                 const char* where) {
  check_holonomic(joint, where);
  CHECK_EQUAL(6 - freedoms, C::kDimension);
  Random random(11);
  for (int trial = 0; trial < 10; ++trial) {
    const Eigen::Isometry3d X_A = random_placement(random), X_B = X_A * place(random);
    CHECK_AT_MOST(1e-14, value_between(joint, X_A, X_B).norm(), where);

    // no row is a consequence of the others
    const Placement<double> A = placement(X_A), B = placement(X_B);
    const auto rows = joint.rows({A.p, A.R, {}, {}}, {B.p, B.R, {}, {}}, 0);
    Eigen::Matrix<double, C::kDimension, 6> J;
    for (int i = 0; i < C::kDimension; ++i) {
      J.row(i) << test::eigen(rows.b[maximal::at(i)].linear).transpose(),
          test::eigen(rows.b[maximal::at(i)].angular).transpose();
    }
    CHECK_EQUAL(C::kDimension, J.fullPivLu().rank());
    check_errors(joint, random, where);
  }
}

// Whether the joint's rows are those of a translational joint and then of a rotational one.
template <class Joint, class Translational, class Rotational>
void check_combination(const char* name) {
  using Parts = maximal::Both<Translational, Rotational>;
  LONGS_EQUAL(Joint::kDimension, Parts::kDimension);
  Random random(5);
  const maximal::FrameMotion<double> A = random_frame(random), B = random_frame(random);
  const auto whole = Joint{}.rows(A, B, 0), parts = Parts{}.rows(A, B, 0);
  CHECK_TEXT(whole.value == parts.value && whole.bias == parts.bias, name);
  for (std::size_t i = 0; i < whole.value.size(); ++i) {
    CHECK_AT_MOST(0, (eigen(whole.a[i].linear) - eigen(parts.a[i].linear)).norm(), name);
    CHECK_AT_MOST(0, (eigen(whole.b[i].angular) - eigen(parts.b[i].angular)).norm(), name);
  }
}

}  // namespace

TEST_GROUP(MaximalJoints){};

TEST(MaximalJoints, Ball) {
  check_joint(
      maximal::Ball<double>{}, 3, [](Random& r) { return Eigen::Isometry3d(r.rotation()); },
      "ball");
}

TEST(MaximalJoints, Revolute) {
  check_joint(
      maximal::Revolute<double>{}, 1, [](Random& r) { return turn(r.uniform(-3, 3), kZ); },
      "revolute");
}

TEST(MaximalJoints, Prismatic) {
  check_joint(
      maximal::Prismatic<double>{}, 1, [](Random& r) { return shift(0, 0, r.uniform(-1, 1)); },
      "prismatic");
}

TEST(MaximalJoints, Cylindrical) {
  check_joint(
      maximal::Cylindrical<double>{}, 2,
      [](Random& r) { return shift(0, 0, r.uniform(-1, 1)) * turn(r.uniform(-3, 3), kZ); },
      "cylindrical");
}

// about z of A, about the cross's other arm, which is x of B
TEST(MaximalJoints, Universal) {
  check_joint(
      maximal::Universal<double>{}, 2,
      [](Random& r) { return turn(r.uniform(-3, 3), kZ) * turn(r.uniform(-3, 3), kX); },
      "universal");
}

TEST(MaximalJoints, Planar) {
  check_joint(
      maximal::Planar<double>{}, 3,
      [](Random& r) {
        return shift(r.uniform(-1, 1), r.uniform(-1, 1), 0) * turn(r.uniform(-3, 3), kZ);
      },
      "planar");
}

TEST(MaximalJoints, Fixed) {
  check_joint(
      maximal::Fixed<double>{}, 0, [](Random&) { return Eigen::Isometry3d::Identity(); }, "fixed");
}

TEST(MaximalJoints, PointOnLine) {
  check_joint(
      maximal::PointOnLine<double>{}, 4,
      [](Random& r) { return shift(0, 0, r.uniform(-1, 1)) * r.rotation(); }, "point on line");
}

TEST(MaximalJoints, PointOnPlane) {
  check_joint(
      maximal::PointOnPlane<double>{}, 5,
      [](Random& r) { return shift(r.uniform(-1, 1), r.uniform(-1, 1), 0) * r.rotation(); },
      "point on plane");
}

// Out of the plane they hold nothing, so they look like joints with more freedoms.
TEST(MaximalJoints, FlatJoints) {
  check_joint(
      maximal::FlatSlider<double>{}, 4,
      [](Random& r) { return shift(r.uniform(-1, 1), 0, r.uniform(-1, 1)); }, "slider");
  check_joint(
      maximal::FlatFixed<double>{}, 3, [](Random& r) { return shift(0, 0, r.uniform(-1, 1)); },
      "flat fixed");
}

// Over planar bodies no row of a flat joint is empty.
TEST(MaximalJoints, FlatJointsHoldPlanarBodies) {
  const PlanarBody body = {1, 1};
  const maximal::Between<maximal::FlatFixed<double>> fixed = {
      placement(shift(0.1, 0.2, 0)), placement(shift(-0.3, 0.1, 0)), {}};
  static_assert(maximal::PairConstraint<decltype(fixed), PlanarBody, PlanarBody>);
  const auto blocks =
      fixed.evaluate(body, {0.3, 0.2, 0.4}, {1, 2, 3}, body, {0.1, 0, 0.5}, {0, 1, 0}, 0);
  Eigen::Matrix3d J;
  for (int i = 0; i < 9; ++i) J(i / 3, i % 3) = blocks.J_B[maximal::at(i / 3)][maximal::at(i % 3)];
  CHECK(J.fullPivLu().rank() == 3);
}

TEST(MaximalJoints, TheWorldHasNoColumns) {
  const maximal::Between<maximal::Ball<float>> ball = {
      {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 1}}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {}}, {}};
  const auto blocks = ball.evaluate(maximal::World<float>{}, {}, {}, maximal::Particle<float>{2},
                                    {{1, 2, 3}}, {4, 5, 6}, 0);
  CHECK(blocks.J_A[0].empty());
  CHECK(blocks.value == (std::array<float, 3>{1, 2, 2}));
  CHECK(blocks.velocity_error == (std::array<float, 3>{4, 5, 6}));
}

TEST(MaximalJoints, Turns) {
  const auto anywhere = [](Random& r) {
    return Eigen::Isometry3d(Eigen::Translation3d(r.vector(1)));
  };
  check_joint(maximal::SameOrientation<double>{}, 3, anywhere, "same orientation");
  check_joint(
      maximal::ParallelAxes<double>{}, 4,
      [](Random& r) { return Eigen::Translation3d(r.vector(1)) * turn(r.uniform(-3, 3), kZ); },
      "parallel axes");
  check_joint(
      maximal::SquareAxes<double>{}, 5,
      [](Random& r) {
        return Eigen::Translation3d(r.vector(1)) * turn(r.uniform(-3, 3), kZ) *
               turn(r.uniform(-3, 3), kX);
      },
      "square axes");
}

// Bender 2007, section 3: six basic joints make every other.
TEST(MaximalJoints, AreCombinationsOfSix) {
  using namespace maximal;
  using T = double;
  check_combination<Revolute<T>, Ball<T>, ParallelAxes<T>>("revolute");
  check_combination<Universal<T>, Ball<T>, SquareAxes<T>>("universal");
  check_combination<Fixed<T>, Ball<T>, SameOrientation<T>>("fixed");
  check_combination<Cylindrical<T>, PointOnLine<T>, ParallelAxes<T>>("cylindrical");
  check_combination<Prismatic<T>, PointOnLine<T>, SameOrientation<T>>("prismatic");
  check_combination<maximal::Planar<T>, PointOnPlane<T>, ParallelAxes<T>>("planar");
}
