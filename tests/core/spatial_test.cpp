#include "lockstep/spatial.hpp"

#include <CppUTest/TestHarness.h>

#include <Eigen/Geometry>

#include "support/random.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using Matrix6d = Eigen::Matrix<double, 6, 6>;
using Vector6d = Eigen::Matrix<double, 6, 1>;

namespace {

Vec3<double> ours(const Vector3d& a) { return {a[0], a[1], a[2]}; }
Spatial<double> ours(const Vector6d& a) {
  return {ours(Vector3d(a.head<3>())), ours(Vector3d(a.tail<3>()))};
}
Mat3<double> ours(const Matrix3d& M) {
  return {ours(Vector3d(M.col(0))), ours(Vector3d(M.col(1))), ours(Vector3d(M.col(2)))};
}
Vector6d eigen(const Spatial<double>& a) {
  return Vector6d{a.linear.x, a.linear.y, a.linear.z, a.angular.x, a.angular.y, a.angular.z};
}
Matrix6d eigen(const Inertia6<double>& I) {
  Matrix6d M;
  unroll<6>([&](auto r) { unroll<6>([&](auto c) { M(r(), c()) = I.at<r(), c()>(); }); });
  return M;
}
Matrix3d hat(const Vector3d& a) {
  return Matrix3d{{0, -a[2], a[1]}, {a[2], 0, -a[0]}, {-a[1], a[0], 0}};
}

struct Sample {
  test::Random random{42};
  Matrix3d R = random.rotation().toRotationMatrix();
  Vector3d p = random.vector(1);
  Placement<double> X{ours(R), ours(p)};
  // y_B = X_BP y_P for twists; wrenches go the other way with the transpose
  Matrix6d X_BP = [this] {
    Matrix6d M = Matrix6d::Zero();
    M.topLeftCorner<3, 3>() = M.bottomRightCorner<3, 3>() = R.transpose();
    M.topRightCorner<3, 3>() = -R.transpose() * hat(p);
    return M;
  }();
  Vector6d vector6() {
    return Vector6d::NullaryExpr([this] { return random.uniform(-2, 2); });
  }
};

}  // namespace

TEST_GROUP(Spatial){};

TEST(Spatial, TwistsAndWrenchesMoveWithTheAdjointMatrix) {
  Sample s;
  const Vector6d a = s.vector6();
  CHECK_AT_MOST(1e-15, test::relative_error(eigen(twist_to_child(s.X, ours(a))), s.X_BP * a), "");
  CHECK_AT_MOST(1e-15,
                test::relative_error(eigen(wrench_to_parent(s.X, ours(a))), s.X_BP.transpose() * a),
                "");
}

TEST(Spatial, InertiaMovesWithTheAdjointMatrix) {
  Sample s;
  const Matrix6d root = Matrix6d::NullaryExpr([&] { return s.random.uniform(-1, 1); });
  const Matrix6d M = root * root.transpose();
  Inertia6<double> I;
  unroll<6>([&](auto r) { unroll<6>([&](auto c) { I.at<r(), c()>() = M(r(), c()); }); });
  CHECK_AT_MOST(1e-15, test::relative_error(eigen(I), M), "access");
  CHECK_AT_MOST(
      1e-14,
      test::relative_error(eigen(inertia_to_parent(s.X, I)), s.X_BP.transpose() * M * s.X_BP),
      "move");
}

TEST(Spatial, RigidInertiaIsThatOfItsPoints) {
  // four point masses: kinetic energy and momentum of the cloud against the 6x6 form
  Sample s;
  double mass = 0;
  Vector3d h = Vector3d::Zero();
  Matrix3d I = Matrix3d::Zero();
  const Vector6d V = s.vector6();
  Vector6d momentum = Vector6d::Zero();
  for (int point = 0; point < 4; ++point) {
    const double m = s.random.uniform(0.1, 2);
    const Vector3d at = s.random.vector(1);
    const Vector3d velocity = V.head<3>() + V.tail<3>().cross(at);
    mass += m;
    h += m * at;
    I += m * (at.squaredNorm() * Matrix3d::Identity() - at * at.transpose());
    momentum.head<3>() += m * velocity;
    momentum.tail<3>() += at.cross(m * velocity);
  }
  const Sym3<double> second = {I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2)};
  CHECK_AT_MOST(
      1e-14, test::relative_error(eigen(rigid_momentum(mass, ours(h), second, ours(V))), momentum),
      "momentum");
  CHECK_AT_MOST(1e-14,
                test::relative_error(eigen(rigid_inertia(mass, ours(h), second)) * V, momentum),
                "6x6");
}

TEST(Spatial, CrossProductsAreDual) {
  // (V x W) . F = -W . (V x* F): power does not depend on the frame
  Sample s;
  const Vector6d V = s.vector6(), W = s.vector6(), F = s.vector6();
  DOUBLES_EQUAL(eigen(cross_motion(ours(V), ours(W))).dot(F),
                -W.dot(eigen(cross_force(ours(V), ours(F)))), 1e-14);
}
