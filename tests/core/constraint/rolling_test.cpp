#include "lockstep/constraint/rolling.hpp"

#include <CppUTest/TestHarness.h>

#include <cmath>

#include "core/maximal/any_body.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

// Where the point that is now at `now`, fixed to the frame `at_start`, comes with it.
Eigen::Vector3d carried(const maximal::FrameMotion<double>& at_start,
                        const maximal::FrameMotion<double>& later, const Eigen::Vector3d& now) {
  const Eigen::Vector3d r(test::eigen(transpose_times(at_start.R, vec3(now) - at_start.p)));
  return test::eigen(later.p + later.R * vec3(r));
}

// Compares velocity errors with those of the material points that touch, found as the rates of
// their places; `lowest` finds the touching point of B from its frame and the upward normal.
template <class C, class Lowest>
void check_rolling(const C& rolling, Lowest&& lowest, const char* where) {
  static_assert(maximal::FrameConstraint<C>);
  Random random(31);
  // frames, not points, are carried here, so the bodies that change shape stay out
  for (const auto& [a, b] : {std::pair{0, 3}, {3, 3}, {2, 3}, {1, 3}}) {
    for (int trial = 0; trial < 5; ++trial) {
      const Scene scene = random_scene(rolling, a, b, random);
      const auto frames = [&](double t) {
        const auto pose_A = scene.A.moved(scene.pose_A, scene.v_A, t);
        const auto pose_B = scene.B.moved(scene.pose_B, scene.v_B, t);
        return std::pair(scene.A.kinematics(pose_A, scene.v_A, scene.X_A).frame,
                         scene.B.kinematics(pose_B, scene.v_B, scene.X_B).frame);
      };
      const maximal::FrameMotion<double> A = frames(0).first, B = frames(0).second;
      const Eigen::Vector3d up = test::eigen(A.R.z), touching = lowest(B, up);
      const Eigen::Vector3d slip = rate_of([&](double t) {
        const auto [later_A, later_B] = frames(t);
        return Eigen::Vector3d(carried(B, later_B, touching) - carried(A, later_A, touching));
      });
      const auto now = scene.now();
      const Eigen::Vector3d expected(slip.dot(up), slip.dot(test::eigen(A.R.x)),
                                     slip.dot(test::eigen(A.R.y)));
      CHECK_AT_MOST(1e-7, relative_error(now.velocity_error, expected), where);
      DOUBLES_EQUAL(up.dot(touching - test::eigen(A.p)), now.value[0], 1e-12);
      const double climb = rate_of([&](double t) {
        return Eigen::Matrix<double, 1, 1>(scene.after(t, scene.v_A, scene.v_B).value(0));
      })(0);
      DOUBLES_EQUAL(climb, now.velocity_error[0], 1e-8);
    }
  }
  for_all_pairs([&](int a, int b) {
    if (b == 1) return;  // a particle does not roll
    check_velocity_level(random_scene(rolling, a, b, random), where);
  });
}

}  // namespace

TEST_GROUP(MaximalRolling){};

TEST(MaximalRolling, BallTouchesBelowItsCentre) {
  check_rolling(
      maximal::RollingBall<double>{{0.3}},
      [](const maximal::FrameMotion<double>& B, const Eigen::Vector3d& up) {
        return Eigen::Vector3d(test::eigen(B.p) - 0.3 * up);
      },
      "ball");
}

// The rim is B + 0.3 (x cos + y sin); its height is least where the angle points downhill.
TEST(MaximalRolling, DiscTouchesAtTheLowestPointOfItsRim) {
  check_rolling(
      maximal::RollingDisc<double>{{0.3}},
      [](const maximal::FrameMotion<double>& B, const Eigen::Vector3d& up) {
        const Eigen::Vector3d x = test::eigen(B.R.x), y = test::eigen(B.R.y);
        const double angle = std::atan2(-y.dot(up), -x.dot(up));
        return Eigen::Vector3d(test::eigen(B.p) +
                               0.3 * (std::cos(angle) * x + std::sin(angle) * y));
      },
      "disc");
}

// An upright wheel that turns at w rolls at w times its radius.
TEST(MaximalRolling, UprightDiscRollsAtItsRimSpeed) {
  const maximal::FrameMotion<double> floor = {{}, mat3(Eigen::Matrix3d::Identity()), {}, {}};
  Eigen::Matrix3d R;  // the axle, z of the disc, along -y of the floor
  R << 1, 0, 0, 0, 0, -1, 0, 1, 0;
  const maximal::FrameMotion<double> wheel = {{0, 0, 0.5}, mat3(R), {-1, 0, 0}, {0, -2, 0}};
  const auto rows = maximal::RollingDisc<double>{{0.5}}.rows(floor, wheel, 0);
  for (std::size_t i = 0; i < 3; ++i) {
    DOUBLES_EQUAL(0, dot(rows.b[i], Spatial<double>{wheel.v, wheel.w}), 1e-15);
    DOUBLES_EQUAL(0, rows.value[i], 1e-15);
  }
}
