#include "lockstep/constraint/frame.hpp"

#include <CppUTest/TestHarness.h>

#include <Eigen/Geometry>

#include "support/random.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;
using namespace lockstep::constraint;

namespace {

using Vector6d = Eigen::Matrix<double, 6, 1>;

Eigen::Vector3d eigen(const Vec3<double>& a) { return {a.x, a.y, a.z}; }
Vec3<double> vec3(const Eigen::Vector3d& a) { return {a.x(), a.y(), a.z()}; }
Vector6d eigen(const Spatial<double>& V) {
  return (Vector6d() << eigen(V.linear), eigen(V.angular)).finished();
}
Spatial<double> random_spatial(test::Random& random) {
  return {vec3(random.vector(1)), vec3(random.vector(1))};
}

// The force on the body's coordinates of a wrench on the frame.
template <class Kinematics>
Eigen::VectorXd pulled(const Kinematics& k, const Spatial<double>& wrench) {
  Eigen::VectorXd force = Eigen::VectorXd::Constant(k.size() + 1, 77);
  k.pull(wrench, force.data());
  DOUBLES_EQUAL(77, force[k.size()], 0);  // no more than it has
  return force.head(k.size());
}

}  // namespace

TEST_GROUP(Frame){};

// A frame at the end of an arm moves with v + w x arm and turns with w.
TEST(Frame, ARigidBodysColumnsAreTheTwistsOfItsUnitVelocities) {
  test::Random random(1);
  const Eigen::Vector3d arm = random.vector(1);
  const RigidKinematics<double> k = {{}, vec3(arm), {}};
  const auto columns = k.columns();
  LONGS_EQUAL(6, k.size());
  for (int i = 0; i < 6; ++i) {
    const Vector6d unit = Vector6d::Unit(i);
    Vector6d twist = unit;
    twist.head<3>() += unit.tail<3>().cross(arm);
    CHECK_AT_MOST(0, (eigen(columns[at(i)]) - twist).norm(), "column");
  }
}

// The power of a wrench is that of the forces that it pulls with, on bodies of any kind.
TEST(Frame, AWrenchPullsWithItsPowerAlongEachColumn) {
  test::Random random(2);
  const RigidKinematics<double> rigid = {{}, vec3(random.vector(1)), random_spatial(random)};
  FrameKinematics<double, 4> other;
  for (Spatial<double>& column : other.J) column = random_spatial(random);
  other.frame.p = vec3(random.vector(1));
  other.bias = random_spatial(random);
  const Spatial<double> wrench = random_spatial(random);
  const auto check = [&](const auto& k) {
    const Eigen::VectorXd force = pulled(k, wrench);
    const auto generalized = generalized_force(k, wrench);
    for (int i = 0; i < k.size(); ++i) {
      const Spatial<double> column = k.columns()[at(i)];
      const double power = eigen(wrench).dot(eigen(column));
      DOUBLES_EQUAL(power, dot(wrench, column), 1e-15);
      DOUBLES_EQUAL(power, force[i], 1e-15);
      DOUBLES_EQUAL(force[i], generalized[at(i)], 0);
    }
    AnyKinematics<double, 9> any;
    any.take(k);
    LONGS_EQUAL(k.size(), any.size());
    CHECK_AT_MOST(0, (pulled(any, wrench) - force).norm(), "any");
    CHECK_AT_MOST(0, (eigen(any.bias) - eigen(k.bias)).norm(), "bias");
    CHECK_AT_MOST(0, (eigen(any.frame.p) - eigen(k.frame.p)).norm(), "frame");
  };
  check(rigid);
  check(other);
}

TEST(Frame, TheWorldsFramesRest) {
  test::Random random(3);
  const Eigen::Matrix3d R = random.rotation().toRotationMatrix();
  const Placement<double> X = {{vec3(R.col(0)), vec3(R.col(1)), vec3(R.col(2))}, {1, 2, 3}};
  const auto k = World<double>{}.kinematics({}, {}, X);
  LONGS_EQUAL(0, k.size());
  CHECK(eigen(k.frame.p) == Eigen::Vector3d(1, 2, 3));
  CHECK(eigen(k.frame.R.y) == R.col(1));
  CHECK(eigen(k.frame.v).isZero(0) && eigen(k.frame.w).isZero(0) && eigen(k.bias).isZero(0));
}
