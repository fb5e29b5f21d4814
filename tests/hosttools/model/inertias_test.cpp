#include "model/inertias.hpp"

#include "hosttools/model/robots.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep::test;
using lockstep::host::Finding;
using lockstep::host::Findings;
using lockstep::host::Tree;

namespace {

// A link on a hinge, and one that is fixed to it.
Robot arm_with_tool() {
  Robot robot;
  robot.link("base");
  robot.heavy_link("arm").com.setZero();
  robot.heavy_link("tool").com.setZero();
  robot.joint("hinge", UrdfJoint::kRevolute, "base", "arm").axis = {0, 0, 1};
  robot.joint("weld", UrdfJoint::kFixed, "arm", "tool");
  return robot;
}

constexpr lockstep::host::ReduceOptions kAccept = {.accept_unphysical = true};

}  // namespace

TEST_GROUP(Inertias){};

TEST(Inertias, DustIsZeroAndNothingElseChanges) {
  Robot robot = arm_with_tool();
  robot.description.links[1].inertia = diagonal(-5.4e-20, 0.01, 0.01);
  robot.description.links[2].mass = 0;
  robot.description.links[2].inertia.setZero();
  Findings findings;
  const Tree tree = lockstep::host::reduce(robot.description, {}, findings);
  CHECK_TRUE(std::move(findings).by_line().empty());
  const auto& I = tree.bodies[0].inertia;
  CHECK_TRUE(I[0] == 0 && I[3] == 0.01 && I[5] == 0.01 && tree.bodies[0].mass == 2);
}

TEST(Inertias, LinksOfOneBodyAreJudgedTogether) {
  Robot robot = arm_with_tool();
  robot.description.links[2].mass = -1;  // a hole
  robot.description.links[2].inertia = diagonal(-0.01, -0.01, -0.01);
  STRCMP_EQUAL("", refusal(robot).c_str());
  DOUBLES_EQUAL(0.01, robot.fixed().bodies[0].inertia[0], 1e-15);
  robot.description.links[2].mass = -3;
  CHECK_TRUE(has(refusal(robot), "robot.urdf: link 'arm': its mass, with that of the links"));
  CHECK_TRUE(has(refusal(robot), "--accept unphysical"));
}

TEST(Inertias, WhatIsImpossibleIsAcceptedOnDemandWithOneWarning) {
  Robot robot = arm_with_tool();
  Eigen::Matrix3d& I = robot.description.links[1].inertia;
  I(0, 1) = I(1, 0) = 1;  // far beyond the moments
  robot.heavy_link("other").inertia = diagonal(-1, 0.5, 0.5);
  robot.joint("second", UrdfJoint::kRevolute, "arm", "other").axis = {0, 0, 1};
  CHECK_TRUE(has(refusal(robot), "a moment of inertia about its centre of mass is negative"));
  Findings findings;
  const Tree tree = lockstep::host::reduce(robot.description, kAccept, findings);
  const std::vector<Finding> warnings = std::move(findings).by_line();
  CHECK_EQUAL(1u, warnings.size());
  CHECK_TRUE(has(warnings[0].message, "taken as zero: 'arm', 'other'"));
  CHECK_TRUE(tree.bodies[0].inertia[1] == 0 && tree.bodies[0].inertia[5] == 0.08);
  // the other's own moment about x is zero, what its place adds is left
  DOUBLES_EQUAL(2 * (0.04 + 0.09), tree.bodies[1].inertia[0], 1e-15);
}
