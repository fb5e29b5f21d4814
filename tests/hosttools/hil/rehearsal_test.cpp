#include "hil/rehearsal.hpp"

#include <CppUTest/TestHarness.h>

#include "hosttools/hil/swinging_arm.hpp"

using namespace lockstep::host;
using namespace lockstep::host::hil;

namespace {

// The plan of an arm whose slide has such a motor.
std::unique_ptr<Plan<double>> planned(double effort, Scenario& scenario, std::string& note) {
  Tree tree = lockstep::test::swinging_arm().fixed();
  tree.bodies[0].limits.effort = 1e4;
  tree.bodies[1].limits.effort = effort;
  const RobotTrees robot = {tree, tree};
  const Start start = find_start(robot, "r.urdf", {}, {}, scenario);
  return make_fitting_plan<double>(robot, start, {}, scenario, note);
}

constexpr std::array<double, 3> kAskew = {-5, -5, -9.81};  // along any axis

}  // namespace

TEST_GROUP(Rehearsal){};

TEST(Rehearsal, MotorsThatFollowKeepTheUsualWaves) {
  Scenario scenario = {.gravity = kAskew};
  std::string note;
  CHECK_TRUE(planned(1e4, scenario, note) != nullptr);
  STRCMP_EQUAL("", note.c_str());
  DOUBLES_EQUAL(0.3, scenario.wave.amplitude, 0);
}

TEST(Rehearsal, MotorsThatCannotHoldTheRobotNeedStopsUnlessTheUserDrivesIt) {
  Scenario scenario = {.gravity = kAskew};
  std::string note;
  CHECK_TRUE(planned(1e-3, scenario, note) == nullptr);
  STRCMP_CONTAINS("too weak to keep it within its limits", note.c_str());
  scenario = {.gravity = kAskew, .is_driven = true};
  note = "";
  CHECK_TRUE(planned(1e-3, scenario, note) != nullptr);
  STRCMP_EQUAL("", note.c_str());
}

TEST(Rehearsal, WhatRunsAwayIsRefused) {
  Tree tree = lockstep::test::swinging_arm().fixed();
  for (auto& body : tree.bodies) {
    body.limits.lower = 1, body.limits.upper = -1;  // none
    body.limits.effort = 1e9;
  }
  const RobotTrees robot = {tree, tree};
  Scenario scenario;
  scenario.kp = 1e9;  // shakes itself to pieces
  std::string note;
  const Start start = find_start(robot, "r.urdf", {}, {}, scenario);
  try {
    make_fitting_plan<double>(robot, start, {}, scenario, note);
    FAIL("not refused");
  } catch (const Error& error) {
    STRCMP_CONTAINS("runs away", error.what());
  }
}
