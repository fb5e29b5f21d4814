#include "model/axis_frame.hpp"

#include <Eigen/Geometry>

#include "support/random.hpp"

#include <CppUTest/TestHarness.h>

using lockstep::Mat3;
using lockstep::Vec3;
using lockstep::host::axis_frame;

namespace {

Eigen::Vector3d to_eigen(const Vec3<double>& v) { return {v.x, v.y, v.z}; }

void check_columns(const Vec3<double>& axis, const Eigen::Vector3d& x, const Eigen::Vector3d& y) {
  const Mat3<double> R_LB = axis_frame(axis);
  CHECK_TRUE(to_eigen(R_LB.x) == x);
  CHECK_TRUE(to_eigen(R_LB.y) == y);
  CHECK_TRUE(to_eigen(R_LB.z) == to_eigen(axis));
}

}  // namespace

TEST_GROUP(AxisFrame){};

TEST(AxisFrame, CoordinateAxesGiveExactSignedPermutations) {
  const Eigen::Vector3d x(1, 0, 0), y(0, 1, 0), z(0, 0, 1);
  check_columns({1, 0, 0}, y, z);
  check_columns({0, 1, 0}, z, x);
  check_columns({0, 0, 1}, x, y);
  check_columns({-1, 0, 0}, y, -z);
  check_columns({0, -1, 0}, z, -x);
  check_columns({0, 0, -1}, x, -y);
}

TEST(AxisFrame, AnyAxisGivesARotationToTheLastPlace) {
  lockstep::test::Random random(1);
  for (int trial = 0; trial < 10000; ++trial) {
    Eigen::Vector3d axis = random.vector(1);
    if (trial % 3 == 1) axis[trial % 7 % 3] *= 1e-9;  // close to a plane
    if (trial % 3 == 2) axis[trial % 7 % 3] *= 1e9;   // close to an axis
    axis.normalize();
    const Mat3<double> frame = axis_frame({axis[0], axis[1], axis[2]});
    Eigen::Matrix3d R;
    R << to_eigen(frame.x), to_eigen(frame.y), to_eigen(frame.z);
    CHECK_TRUE((R.transpose() * R - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() < 1e-15);
    CHECK_TRUE((R.col(2) - axis).cwiseAbs().maxCoeff() < 3e-16);
    CHECK_TRUE(R.determinant() > 0);
  }
}
