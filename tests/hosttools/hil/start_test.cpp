#include "hil/start.hpp"

#include <CppUTest/TestHarness.h>

#include "hosttools/hil/swinging_arm.hpp"
#include "robot/assemble.hpp"
#include "support/load_model.hpp"
#include "text/error.hpp"

using namespace lockstep;
using namespace lockstep::host;
using namespace lockstep::host::hil;

namespace {

const Bounds kNoGround = {};

}  // namespace

TEST_GROUP(Start){};

TEST(Start, IsTheScenarios) {
  Scenario scenario = {.start = {{"shoulder", 0.7}, {"lift", 0.1}}};
  const Eigen::VectorXd q =
      find_start(test::swinging_arm().fixed(), "arm.urdf", kNoGround, {}, scenario);
  LONGS_EQUAL(6, q.size());
  DOUBLES_EQUAL(0.7, q[0], 0);
  DOUBLES_EQUAL(0.1, q[1], 0);
  DOUBLES_EQUAL(1, q[5], 0);  // of the ball's quaternion
}

TEST(Start, AClosedRobotIsAssembled) {
  Tree tree = test::load_model("loops/four_bar");
  Scenario scenario;
  CHECK_TRUE(find_start(tree, "r.urdf", kNoGround, {}, scenario).isZero(0));  // closed as it is
  CHECK_TRUE(scenario.start.empty());

  tree.bodies[0].p_PJ[0] += 0.01;  // the crank's pivot moves, and the loop opens
  const Eigen::VectorXd q = find_start(tree, "r.urdf", kNoGround, {}, scenario);
  CHECK_TRUE(holds(tree, q, 1e-9));
  DOUBLES_EQUAL(q[0], scenario.start_of(tree.joint_names[0]), 0);
  CHECK_TRUE(q.norm() > 1e-3);

  scenario = {.path = "s.json", .start = {{"crank_pivot", 1}}};
  try {
    find_start(tree, "r.urdf", kNoGround, {}, scenario);
    FAIL("an open loop was taken");
  } catch (const Error& error) {
    STRCMP_CONTAINS("s.json: 'start': leaves loops or couplings open", error.what());
  }
}

TEST(Start, WhatFloatsIsAboveTheGround) {
  const Tree tree = test::load_model("quadruped", {.floating = true});
  const Bounds plane = {{.ground = true, .height = 0.5}};
  Scenario scenario;
  const double standing = find_start(tree, "r.urdf", plane, {}, scenario)[2];
  DOUBLES_EQUAL(0.5 + 0.384, standing, 1e-9);
  DOUBLES_EQUAL(standing + 0.1, find_start(tree, "r.urdf", plane, 0.1, scenario)[2], 1e-9);
  DOUBLES_EQUAL(0, find_start(tree, "r.urdf", kNoGround, {}, scenario)[2], 0);
}
