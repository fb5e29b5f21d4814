#include "lockstep/constraint/gear.hpp"

#include <CppUTest/TestHarness.h>

#include "core/maximal/any_body.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

// The rate of turning about z, from how the frame's x axis moves towards its y axis.
double turning(const AnyBody& body, const AnyBody::Pose& pose, const AnyBody::Velocity& v,
               const Placement<double>& X) {
  const auto now = body.kinematics(pose, v, X).frame;
  const Eigen::Vector3d x_rate = rate_of([&](double t) {
    return test::eigen(body.kinematics(body.moved(pose, v, t), v, X).frame.R.x);
  });
  return x_rate.dot(test::eigen(now.R.y));
}

}  // namespace

TEST_GROUP(MaximalGear){};

TEST(MaximalGear, ComparesTheTurningOfTwoBodies) {
  const maximal::Gear<double> gear = {-2.5, 0.3};
  static_assert(maximal::FrameConstraint<maximal::Gear<double>>);
  Random random(41);
  for_all_pairs([&](int a, int b) {
    const auto scene = random_scene(gear, a, b, random);
    check_velocity_level(scene, "gear");
    const double expected = turning(scene.B, scene.pose_B, scene.v_B, scene.X_B) +
                            2.5 * turning(scene.A, scene.pose_A, scene.v_A, scene.X_A) - 0.3;
    DOUBLES_EQUAL(expected, scene.now().velocity_error[0], 1e-8);
    DOUBLES_EQUAL(0, scene.now().value[0], 0);
  });
}
