// Where a run begins.
#include <CppUTest/TestHarness.h>

#include "hosttools/sim/sim_run.hpp"

using namespace lockstep::test;

namespace {

// A knee that cannot be stretched, and a slide that is free.
constexpr const char* kLeg = R"(<robot name="leg"><link name="hip"/><link name="shank"><inertial>
  <origin xyz="0 0 -0.2"/><mass value="1"/>
  <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>
  <joint name="knee" type="revolute"><parent link="hip"/><child link="shank"/>
  <axis xyz="0 1 0"/><limit lower="0.35" upper="2" effort="100" velocity="10"/></joint></robot>)";
constexpr const char* kBrick = R"(<robot name="brick"><link name="brick"><inertial>
  <mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  </robot>)";

}  // namespace

TEST_GROUP(SimStart) { SimRun sim; };

TEST(SimStart, IsWithinTheLimits) {
  const std::string leg = sim.folder.write("leg.urdf", kLeg);
  for (const std::string stepper : {"joint", "lagrange"}) {
    const Columns free = sim.record({leg, "--quiet", "--stepper", stepper});
    DOUBLES_EQUAL(0.35, free.at("q.knee").front(), 1e-12);
    DOUBLES_EQUAL(0, free.at("v.knee").front(), 0);
  }
  const Columns held = sim.record({leg, "--quiet", "--hold", "50,1"});
  DOUBLES_EQUAL(0.35, held.at("q.knee").back(), 1e-9);
}

TEST(SimStart, IsZeroIfTheUserSaysSo) {
  const std::string leg = sim.folder.write("leg.urdf", kLeg);
  for (const std::string stepper : {"joint", "lagrange"}) {
    const Columns run = sim.record({leg, "--quiet", "--start", "zero", "--stepper", stepper});
    LONGS_EQUAL(0, sim.exit_code);  // that its stop pushes it back is no gain
    DOUBLES_EQUAL(0, run.at("q.knee").front(), 0);
  }
}

TEST(SimStart, AnOpenZeroPoseIsAssembled) {
  const std::string gripper = SimRun::model("gripper");
  const Columns run = sim.record({gripper, "--quiet", "--duration", "0.01"});
  DOUBLES_EQUAL(0, run.at("constraint_error.position").back(), 1e-5);
  STRCMP_CONTAINS("gripper.urdf: the start pose leaves loops or couplings open",
                  sim.complaint({gripper, "--quiet", "--start", "zero"}).c_str());
}

TEST(SimStart, ARobotThatCannotMoveIsAskedAboutItsBase) {
  const std::string brick = sim.folder.write("brick.urdf", kBrick);
  for (const std::string stepper : {"joint", "lagrange"}) {
    STRCMP_CONTAINS("did you mean --base floating?",
                    sim.complaint({brick, "--stepper", stepper}).c_str());
  }
  STRCMP_EQUAL("", sim.complaint({brick, "--base", "floating", "--quiet"}).c_str());
}
