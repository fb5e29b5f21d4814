#include "model/massless.hpp"

#include "hosttools/model/robots.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep::test;
using lockstep::host::Finding;
using lockstep::host::Findings;
using lockstep::host::LimitDescription;
using lockstep::host::MimicDescription;
using lockstep::host::ReduceOptions;
using lockstep::host::Tree;

namespace {

constexpr ReduceOptions kFreeze = {.freeze_massless = true};

// A hand on a hinge with two fingers that slide and weigh nothing, each with a tip that turns.
Robot hand() {
  Robot robot;
  robot.link("base");
  robot.heavy_link("palm");
  robot.joint("wrist", UrdfJoint::kRevolute, "base", "palm").axis = {0, 0, 1};
  for (const std::string side : {"left", "right"}) {
    robot.link(side), robot.link(side + "_tip");
    JointDescription& slide = robot.joint(side + "_slide", UrdfJoint::kPrismatic, "palm", side);
    slide.axis = {1, 0, 0};
    slide.p_PJ = {0, 0, 1};
    slide.limits = LimitDescription{0.01, 0.04, {}, {}};
    JointDescription& turn = robot.joint(side + "_turn", UrdfJoint::kRevolute, side, side + "_tip");
    turn.axis = {0, 0, 1};
    turn.limits = LimitDescription{-2, -1, {}, {}};
  }
  return robot;
}

struct Reduced {
  Tree tree;
  std::vector<Finding> warnings;
};

Reduced reduced(const Robot& robot, const ReduceOptions& options) {
  Findings findings;
  Tree tree = lockstep::host::reduce(robot.description, options, findings);
  return {std::move(tree), std::move(findings).by_line()};
}

}  // namespace

TEST_GROUP(Massless){};

TEST(Massless, HeldJointsStandNearestToZeroWithinTheirLimits) {
  const auto [tree, warnings] = reduced(hand(), kFreeze);
  LONGS_EQUAL(1, tree.bodies.size());
  CHECK_EQUAL(1u, warnings.size());
  CHECK_TRUE(has(warnings[0].message, "4 joints have no inertia to move and will be held: "));
  const auto& tip = tree.frames[static_cast<std::size_t>(index_of(tree.frame_names, "left_tip"))];
  LONGS_EQUAL(0, tip.body);
  // the palm's frame is that of its hinge, about z
  CHECK_TRUE(vector(tip.p_BF).isApprox(Eigen::Vector3d(0.01, 0, 1), 1e-15));
  const Eigen::Matrix3d R = Eigen::AngleAxisd(-1, Eigen::Vector3d::UnitZ()).toRotationMatrix();
  CHECK_TRUE(matrix(tip.R_BF).isApprox(R, 1e-15));
}

TEST(Massless, WhatFollowsAHeldJointIsHeldWhereThatPutsIt) {
  Robot robot = hand();
  LinkDescription& right = robot.description.links[4];
  STRCMP_EQUAL("right", right.name.c_str());
  right.mass = 1;
  for (JointDescription& joint : robot.description.joints) {
    if (joint.name == "right_slide") joint.mimic = MimicDescription{"left_slide", 2, 0.005};
  }
  const auto [tree, warnings] = reduced(robot, kFreeze);
  LONGS_EQUAL(1, tree.bodies.size());
  const auto& tip = tree.frames[static_cast<std::size_t>(index_of(tree.frame_names, "right"))];
  CHECK_TRUE(vector(tip.p_BF).isApprox(Eigen::Vector3d(0.025, 0, 1), 1e-14));
}

TEST(Massless, LoopsAndCouplingsWithinOneBodyGoWithWhatIsHeld) {
  Robot robot = hand();
  robot.description.loops.push_back({.name = "grip",
                                     .type = lockstep::maximal::ConstraintType::kBall,
                                     .predecessor = {.link = "left_tip"},
                                     .successor = {.link = "right_tip"}});
  robot.description.couplings.push_back(
      {.name = "gear", .predecessor = "left", .successor = "right"});
  LONGS_EQUAL(1, reduced(robot, kFreeze).tree.bodies.size());
  // beyond the wrist there still is something to hold
  robot.description.loops[0].successor.link = "base";
  LONGS_EQUAL(1, reduced(robot, kFreeze).tree.loops.size());
  robot.description.couplings[0].predecessor = "base";
  CHECK_TRUE(has(refusal(robot, kFreeze), "would be held away from zero"));
}

TEST(Massless, FollowersOfFollowersAreHeldInAnyOrder) {
  Robot robot = hand();
  constexpr int kFollowers = 300;
  for (int i = kFollowers; i > 0; --i) {
    const std::string name = "f" + std::to_string(i);
    robot.heavy_link(name);
    JointDescription& joint = robot.joint("turn_" + name, UrdfJoint::kContinuous, "palm", name);
    joint.mimic = MimicDescription{i == 1 ? "left_turn" : "turn_f" + std::to_string(i - 1), 1, 0};
  }
  LONGS_EQUAL(1, reduced(robot, kFreeze).tree.bodies.size());
}

TEST(Massless, FloorLetsEveryJointMove) {
  const auto [tree, warnings] = reduced(hand(), {.inertia_floor = 1e-6});
  LONGS_EQUAL(5, tree.bodies.size());
  CHECK_EQUAL(1u, warnings.size());
  CHECK_TRUE(has(warnings[0].message, "4 links with nothing to move got 1e-06 kg m^2"));
  for (std::size_t i = 1; i < 5; ++i) {
    const lockstep::Body& body = tree.bodies[i];
    CHECK_TRUE(body.inertia[0] == 1e-6 && body.inertia[5] == 1e-6 && body.inertia[1] == 0);
    CHECK_TRUE(body.mass == (body.joint == lockstep::JointType::kPrismatic ? 1e-6 : 0));
  }
}

TEST(Massless, SoundRobotsKeepTheirBitsAndSayNothing) {
  const Robot robot = random_robot(3, 40);
  const Tree plain = robot.fixed();
  for (const ReduceOptions& options : {kFreeze, ReduceOptions{.inertia_floor = 1e-6}}) {
    const auto [tree, warnings] = reduced(robot, options);
    CHECK_TRUE(warnings.empty() && tree.bodies.size() == plain.bodies.size());
    for (std::size_t i = 0; i < plain.bodies.size(); ++i) {
      CHECK_TRUE(tree.bodies[i].inertia == plain.bodies[i].inertia);
      CHECK_TRUE(tree.bodies[i].p_PJ == plain.bodies[i].p_PJ);
    }
  }
}

TEST(Massless, FloatingBaseCannotBeHeld) {
  Robot robot;
  robot.link("ghost");
  ReduceOptions options = kFreeze;
  options.base = ReduceOptions::Base::kFloating;
  CHECK_TRUE(has(refusal(robot, options), "use --base fixed"));
}
