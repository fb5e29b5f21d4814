#include "model/require.hpp"

#include "hosttools/model/robots.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep::test;

namespace {

constexpr lockstep::host::ReduceOptions kFloating = {
    .base = lockstep::host::ReduceOptions::Base::kFloating};

// base - first - middle - last, each on a revolute joint about the axis given.
Robot chain(const Eigen::Vector3d& first, const Eigen::Vector3d& middle,
            const Eigen::Vector3d& last) {
  Robot robot;
  for (const char* name : {"base", "first", "middle", "last"}) robot.heavy_link(name);
  robot.joint("j1", UrdfJoint::kRevolute, "base", "first").axis = first;
  robot.joint("j2", UrdfJoint::kRevolute, "first", "middle").axis = middle;
  robot.joint("j3", UrdfJoint::kRevolute, "middle", "last").axis = last;
  return robot;
}

LinkDescription& empty(Robot& robot, std::size_t link) {
  LinkDescription& emptied = robot.description.links[link];
  emptied.mass = 0;
  emptied.inertia.setZero();
  return emptied;
}

const Eigen::Vector3d kX(1, 0, 0), kY(0, 1, 0), kZ(0, 0, 1);

}  // namespace

TEST_GROUP(Require){};

TEST(Require, MasslessLeafIsRefusedByName) {
  Robot robot = chain(kX, kY, kZ);
  empty(robot, 3);
  CHECK_TRUE(has(refusal(robot), "robot.urdf: link 'last': joint 'j3' has no inertia to move"));
}

TEST(Require, NegativeMomentIsRefusedByName) {
  Robot robot = chain(kX, kY, kZ);
  Eigen::Matrix3d& I = robot.description.links[2].inertia;
  I(0, 1) = I(1, 0) = 1.1 * I(1, 1);
  CHECK_TRUE(has(refusal(robot),
                 "robot.urdf: link 'middle': a moment of inertia about its centre of mass"));
}

TEST(Require, RefusalOffersToHoldTheJointOrToLetItMove) {
  Robot robot = chain(kX, kY, kZ);
  empty(robot, 3), empty(robot, 2);
  const std::string text = refusal(robot);
  CHECK_TRUE(has(text, "'j3' has no inertia to move"));
  CHECK_TRUE(has(text, "one of 2 such joints"));
  CHECK_TRUE(has(text, "--massless freeze") && has(text, "--inertia-floor 1e-6"));
}

TEST(Require, MasslessMiddleLinksAreFineWhenWhatTheyCarryMoves) {
  Robot robot = chain(kX, kY, kZ);
  empty(robot, 1);
  empty(robot, 2);
  STRCMP_EQUAL("", refusal(robot).c_str());
}

TEST(Require, GimbalOfMasslessRingsIsFineThoughItLocksInOnePose) {
  // at zero the first and the third axis coincide
  Robot robot = chain(kZ, kX, kZ);
  empty(robot, 1);
  empty(robot, 2);
  robot.description.links[3].com.setZero();
  STRCMP_EQUAL("", refusal(robot).c_str());
}

TEST(Require, MasslessLinkBetweenCoaxialJointsIsRefusedByName) {
  Robot robot = chain(kX, kZ, kZ);
  empty(robot, 2);
  CHECK_TRUE(has(refusal(robot), "link 'middle': joint 'j2'"));
}

TEST(Require, MasslessLinkBetweenObliqueCoaxialJointsIsRefusedDespiteRounding) {
  const Eigen::Vector3d axis = Eigen::Vector3d(1, 2, 3).normalized();
  Robot robot = chain(kX, axis, axis);
  empty(robot, 2);
  robot.description.joints[2].p_PJ = 0.7 * axis;
  CHECK_TRUE(has(refusal(robot), "link 'middle': joint 'j2'"));
}

TEST(Require, FourHingesInARowOverOneBodyAreTooManyWhenParallelInAPlane) {
  // parallel hinges move a body in a plane: three degrees of freedom, so a fourth has nothing left
  Robot robot = chain(kZ, kZ, kZ);
  robot.heavy_link("tip");
  robot.joint("j4", UrdfJoint::kRevolute, "last", "tip").axis = kZ;
  for (JointDescription& joint : robot.description.joints) joint.p_PJ = {0.3, 0, 0};
  for (std::size_t link = 1; link <= 3; ++link) empty(robot, link);
  CHECK_TRUE(has(refusal(robot), "link 'first': joint 'j1'"));
  robot.description.joints[0].axis = kX;
  STRCMP_EQUAL("", refusal(robot).c_str());
}

TEST(Require, PointMassOnTheAxisIsRefused) {
  Robot robot = chain(kX, kY, kZ);
  empty(robot, 3).mass = 5;
  robot.description.links[3].com = {0, 0, 2};
  CHECK_TRUE(has(refusal(robot), "link 'last': joint 'j3'"));
  robot.description.links[3].com = {1e-3, 0, 2};
  STRCMP_EQUAL("", refusal(robot).c_str());
}

TEST(Require, PointMassOnAnObliqueAxisIsRefusedDespiteRounding) {
  const Eigen::Vector3d axis = Eigen::Vector3d(0.3, -0.7, 0.2).normalized();
  Robot robot = chain(kX, kY, axis);
  empty(robot, 3).mass = 5;
  robot.description.links[3].com = 1.7 * axis;
  CHECK_TRUE(has(refusal(robot), "link 'last': joint 'j3'"));
}

TEST(Require, EveryFreedomOfABallOrAPlaneNeedsInertia) {
  Robot robot;
  robot.link("base");
  LinkDescription& rod = robot.heavy_link("rod");
  robot.joint("ball", UrdfJoint::kBall, "base", "rod");
  STRCMP_EQUAL("", refusal(robot).c_str());
  rod.com = {0, 0, 1};
  rod.inertia = diagonal(1, 1, 0);  // a line of mass through the ball
  CHECK_TRUE(has(refusal(robot), "link 'rod': joint 'ball'"));
  robot.description.joints[0].type = UrdfJoint::kPlanar;
  robot.description.joints[0].axis = kX;
  STRCMP_EQUAL("", refusal(robot).c_str());
  rod.mass = 0;
  CHECK_TRUE(has(refusal(robot), "link 'rod': joint 'ball'"));
}

TEST(Require, MasslessFloatingBaseIsRefusedUnlessFixed) {
  Robot robot = chain(kX, kY, kZ);
  empty(robot, 0);
  STRCMP_EQUAL("", refusal(robot).c_str());
  CHECK_TRUE(has(refusal(robot, kFloating), "link 'base': joint 'root_joint'"));
  CHECK_TRUE(has(refusal(robot, kFloating), "use --base fixed"));
}

TEST(Require, RotorWithInertiaButNoMassIsFineOnAHinge) {
  Robot robot = chain(kX, kY, kZ);
  robot.description.links[3].mass = 0;
  STRCMP_EQUAL("", refusal(robot).c_str());
  robot.description.joints[2].type = UrdfJoint::kPrismatic;
  CHECK_TRUE(has(refusal(robot), "link 'last': joint 'j3'"));
}

TEST(Require, PlanarLinkWithInertiaAboutItsHingeAloneIsFine) {
  Robot robot = chain(kZ, kZ, kZ);
  for (LinkDescription& link : robot.description.links) link.inertia = diagonal(0, 0, 0.1);
  STRCMP_EQUAL("", refusal(robot).c_str());
}

TEST(Require, TinyAndHugeRobotsAreJudgedAlike) {
  for (const double scale : {1e-9, 1e9}) {
    Robot robot = chain(kX, kY, kZ);
    for (LinkDescription& link : robot.description.links) {
      link.mass *= scale;
      link.inertia *= scale;
    }
    STRCMP_EQUAL("", refusal(robot).c_str());
    empty(robot, 3);
    CHECK_TRUE(has(refusal(robot), "link 'last'"));
  }
}

TEST(Require, LongChainsOfSoundLinksPass) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    STRCMP_EQUAL("", refusal(random_robot(seed, 300)).c_str());
  }
}
