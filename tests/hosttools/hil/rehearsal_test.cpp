#include "hil/rehearsal.hpp"

#include <CppUTest/TestHarness.h>

#include "hosttools/hil/swinging_arm.hpp"

using namespace lockstep::host;
using namespace lockstep::host::hil;

namespace {

// The plan of an arm whose shoulder has such a motor, in a range of 0.1 rad.
std::unique_ptr<Plan<double>> planned(double effort, Scenario& scenario, std::string& note) {
  Tree tree = lockstep::test::swinging_arm().fixed();
  tree.bodies[0].limits = {.lower = -0.05, .upper = 0.05, .effort = effort};
  const RobotTrees robot = {tree, tree};
  const Start start = find_start(robot, "r.urdf", {}, {}, scenario);
  return make_fitting_plan<double>(robot, start, {}, scenario, note);
}

}  // namespace

TEST_GROUP(Rehearsal){};

TEST(Rehearsal, MotorsThatFollowKeepTheUsualWaves) {
  Scenario scenario;
  std::string note;
  planned(1e4, scenario, note);
  STRCMP_EQUAL("", note.c_str());
  DOUBLES_EQUAL(0.3, scenario.wave.amplitude, 0);
}

TEST(Rehearsal, WeakMotorsGetSmallerOnesUnlessTheUserSaysHowLarge) {
  Scenario scenario = {.gravity = {0, 0, 0}};
  std::string note;
  const auto plan = planned(0.05, scenario, note);
  STRCMP_CONTAINS("the motors are too weak", note.c_str());
  CHECK_TRUE(scenario.wave.amplitude < 0.05);
  CHECK_TRUE(plan->plant.waves.amplitude[0] == scenario.wave.amplitude);
  scenario = {.gravity = {0, 0, 0}, .is_driven = true};
  note = "";
  planned(0.05, scenario, note);
  STRCMP_EQUAL("", note.c_str());
  DOUBLES_EQUAL(0.3, scenario.wave.amplitude, 0);
}
