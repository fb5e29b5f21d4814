#include "urdf/rotation.hpp"

#include <Eigen/Geometry>
#include <numbers>

#include "support/random.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep::host;
using Eigen::Matrix3d;
using Eigen::Vector3d;

TEST_GROUP(Rotation){};

TEST(Rotation, TurnsAboutFixedAxesRollFirst) {
  lockstep::test::Random random(1);
  for (int i = 0; i < 1000; ++i) {
    const Vector3d rpy = random.vector(7);
    const Matrix3d expected = (Eigen::AngleAxisd(rpy[2], Vector3d::UnitZ()) *
                               Eigen::AngleAxisd(rpy[1], Vector3d::UnitY()) *
                               Eigen::AngleAxisd(rpy[0], Vector3d::UnitX()))
                                  .toRotationMatrix();
    CHECK_TRUE((rotation_from_rpy({rpy[0], rpy[1], rpy[2]}) - expected).cwiseAbs().maxCoeff() <
               2e-15);
  }
}

TEST(Rotation, QuarterTurnsAreExact) {
  constexpr double kQuarter = std::numbers::pi / 2;
  for (int r = -4; r <= 4; ++r) {
    for (int p = -4; p <= 4; ++p) {
      for (int y = -4; y <= 4; ++y) {
        const Matrix3d R = rotation_from_rpy({r * kQuarter, p * kQuarter, y * kQuarter});
        for (const double entry : R.reshaped()) {
          CHECK_TRUE(entry == 0 || entry == 1 || entry == -1);
          CHECK_TRUE(entry != 0 || !std::signbit(entry));
        }
        CHECK_TRUE(R * R.transpose() == Matrix3d::Identity());
      }
    }
  }
}

TEST(Rotation, QuarterTurnsToElevenDigitsAreMeantExactly) {
  CHECK_TRUE(rotation_from_rpy({1.57079632679, -3.14159265359, 4.71238898038}) ==
             rotation_from_rpy({std::numbers::pi / 2, -std::numbers::pi, 1.5 * std::numbers::pi}));
  CHECK_TRUE(rotation_from_rpy({9e-11, 0, 0}) == Matrix3d::Identity());
}

TEST(Rotation, CoarserQuarterTurnsStayAsTheyAreWritten) {
  CHECK_TRUE(rotation_from_rpy({1.1e-10, 0, 0}) != Matrix3d::Identity());
  CHECK_TRUE(rotation_from_rpy({0, 0, 1.570796327})(0, 0) != 0);
  const Matrix3d R = rotation_from_rpy({0, 0, 1.5708});
  CHECK_TRUE(R(0, 0) != 0);
  DOUBLES_EQUAL(-3.6732e-6, R(0, 0), 1e-10);
}

TEST(Rotation, RotatedInertiaMatchesTheMatrixProductAndIsSymmetric) {
  lockstep::test::Random random(2);
  for (int i = 0; i < 100; ++i) {
    const Matrix3d R = random.rotation().toRotationMatrix();
    Matrix3d I;
    for (double& entry : I.reshaped()) entry = random.uniform(-1, 1);
    I = (I + I.transpose()).eval();
    const Matrix3d rotated = rotate_inertia(R, I);
    CHECK_TRUE((rotated - R * I * R.transpose()).cwiseAbs().maxCoeff() < 1e-14);
    CHECK_TRUE(rotated == rotated.transpose());
  }
}
