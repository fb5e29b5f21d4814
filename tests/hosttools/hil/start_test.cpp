#include "hil/start.hpp"

#include <CppUTest/TestHarness.h>

#include "hosttools/hil/swinging_arm.hpp"
#include "robot/assemble.hpp"
#include "support/load_model.hpp"
#include "support/scratch_folder.hpp"
#include "text/error.hpp"

using namespace lockstep;
using namespace lockstep::host;
using namespace lockstep::host::hil;

namespace {

const Bounds kNoGround = {};

// One tree, as it is computed and as users speak of it.
RobotTrees as_is(const Tree& tree) { return {tree, tree}; }

}  // namespace

TEST_GROUP(Start){};

TEST(Start, IsTheScenarios) {
  Scenario scenario = {.start = {{"shoulder", 0.7}, {"lift", 0.1}}};
  const Eigen::VectorXd q =
      find_start(as_is(test::swinging_arm().fixed()), "arm.urdf", kNoGround, {}, scenario).q;
  LONGS_EQUAL(6, q.size());
  DOUBLES_EQUAL(0.7, q[0], 0);
  DOUBLES_EQUAL(0.1, q[1], 0);
  DOUBLES_EQUAL(1, q[5], 0);  // of the ball's quaternion
}

TEST(Start, AClosedRobotIsAssembled) {
  Tree tree = test::load_model("loops/four_bar");
  Scenario scenario;
  const Start closed = find_start(as_is(tree), "r.urdf", kNoGround, {}, scenario);
  CHECK_TRUE(closed.q.isZero(0));  // as it is
  STRCMP_EQUAL("", closed.note.c_str());
  CHECK_TRUE(scenario.start.empty());

  tree.bodies[0].p_PJ[0] += 0.01;  // the crank's pivot moves, and the loop opens
  const auto [q, v, note] = find_start(as_is(tree), "r.urdf", kNoGround, {}, scenario);
  STRCMP_CONTAINS("leaves loops or couplings open", note.c_str());
  CHECK_TRUE(holds(tree, q, 1e-9));
  DOUBLES_EQUAL(q[0], scenario.start_of(tree.joint_names[0]), 0);
  CHECK_TRUE(q.norm() > 1e-3);

  scenario = {.path = "s.json", .start = {{"crank_pivot", 1}}};
  try {
    find_start(as_is(tree), "r.urdf", kNoGround, {}, scenario);
    FAIL("an open loop was taken");
  } catch (const Error& error) {
    STRCMP_CONTAINS("s.json: 'start': leaves loops or couplings open", error.what());
  }
}

TEST(Start, WhatFloatsIsAboveTheGround) {
  const Tree tree = test::load_model("quadruped", {.floating = true});
  const Bounds plane = {{.ground = true, .height = 0.5}};
  Scenario scenario;
  const double standing = find_start(as_is(tree), "r.urdf", plane, {}, scenario).q[2];
  DOUBLES_EQUAL(0.5 + 0.384, standing, 1e-9);
  DOUBLES_EQUAL(standing + 0.1, find_start(as_is(tree), "r.urdf", plane, 0.1, scenario).q[2], 1e-9);
  DOUBLES_EQUAL(0, find_start(as_is(tree), "r.urdf", kNoGround, {}, scenario).q[2], 0);
}

TEST(Start, IsWithinTheLimitsUnlessTheUserSaysZero) {
  Tree tree = test::load_model("six_axis_arm");
  tree.bodies[2].limits = {.lower = 0.4, .upper = 1};
  Scenario scenario;
  const Start start = find_start(as_is(tree), "r.urdf", kNoGround, {}, scenario);
  DOUBLES_EQUAL(0.4, start.q[2], 0);
  DOUBLES_EQUAL(0.4, start.q.norm(), 0);
  DOUBLES_EQUAL(0.4, scenario.wave_of(tree.joint_names[2]).offset, 0);  // it is driven around there
  STRCMP_CONTAINS("r.urdf: the zero pose is outside the joints' limits", start.note.c_str());
  STRCMP_CONTAINS(("'" + tree.joint_names[2] + "' at 0.4 rad").c_str(), start.note.c_str());

  scenario = {};
  CHECK_TRUE(find_start(as_is(tree), "r.urdf", kNoGround, {}, scenario, "zero").q.isZero(0));
  CHECK_TRUE(scenario.start.empty());
}

TEST(Start, ComesFromAFile) {
  const test::ScratchFolder folder;
  const Tree tree = test::load_model("six_axis_arm");
  const std::string file =
      folder.write("start.json", R"({"q": {"lift": -1}, "v": {"elbow": 0.5}})");
  Scenario scenario;
  const Start start = find_start(as_is(tree), "r.urdf", kNoGround, {}, scenario, file);
  DOUBLES_EQUAL(-1, start.q[1], 0);
  DOUBLES_EQUAL(0.5, start.v.sum(), 0);
  DOUBLES_EQUAL(-1, scenario.start_of("lift"), 0);
  CHECK_THROWS(Error, find_start(as_is(tree), "r.urdf", kNoGround, {}, scenario, file));  // both
}
