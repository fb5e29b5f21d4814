// `lockstep sim` on whole robots that touch: a quadruped stands, a gripper lifts, a box comes to
// rest.
#include <CppUTest/TestHarness.h>

#include <algorithm>

#include "hosttools/sim/sim_run.hpp"
#include "support/long_test.hpp"

using namespace lockstep::test;

namespace {

constexpr double kGravity = 9.81;

// A hand that slides up and down, two fingers of which one follows the other, and a cube between.
constexpr const char* kGripper = R"(<robot name="gripper">
  <link name="base"/>
  <link name="hand"><inertial><mass value="1"/>
    <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="left"><inertial><mass value="0.2"/>
    <inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="0.02 0.02 0.04"/></geometry></collision></link>
  <link name="right"><inertial><mass value="0.2"/>
    <inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="0.02 0.02 0.04"/></geometry></collision></link>
  <link name="cube"><inertial><mass value="0.3"/>
    <inertia ixx="2e-4" iyy="2e-4" izz="2e-4" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="0.06 0.06 0.06"/></geometry></collision></link>
  <joint name="lift" type="prismatic"><parent link="base"/><child link="hand"/>
    <origin xyz="0 0 0.2"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="0.5" velocity="9" effort="100"/>
    <dynamics damping="20" friction="40"/></joint>
  <joint name="close" type="prismatic"><parent link="hand"/><child link="left"/>
    <origin xyz="0 0.06 -0.16"/><axis xyz="0 -1 0"/>
    <limit lower="0" upper="0.05" velocity="9" effort="100"/></joint>
  <joint name="follow" type="prismatic"><parent link="hand"/><child link="right"/>
    <origin xyz="0 -0.06 -0.16"/><axis xyz="0 1 0"/><mimic joint="close"/>
    <limit lower="0" upper="0.05" velocity="9" effort="100"/></joint>
  <joint name="free" type="floating"><parent link="base"/><child link="cube"/></joint>
</robot>)";

constexpr const char* kBox = R"(<robot name="thing">
  <link name="box"><inertial><mass value="2"/>
    <inertia ixx="0.008" iyy="0.006" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="0.2 0.2 0.1"/></geometry></collision></link>
</robot>)";

}  // namespace

TEST_GROUP(SimTouching) {
  SimRun sim;

  // Of all columns that begin and end so, in the last row.
  double sum(const Columns& run, const std::string& begin, const std::string& end) {
    double total = 0;
    for (const auto& [name, values] : run) {
      if (name.starts_with(begin) && name.ends_with(end)) total += values.back();
    }
    return total;
  }
};

LONG_TEST(SimTouching, AQuadrupedDropsSettlesAndStandsForAMinute) {
  std::string joints;
  for (const std::string leg : {"front_left", "front_right", "rear_left", "rear_right"}) {
    joints += (joints.empty() ? "\"" : ", \"") + leg + "_hip\": 0.8, \"" + leg + "_knee\": -1.6";
  }
  const std::string start = sim.folder.write("start.json", "{\"q\": {" + joints + "}}");
  const Columns run =
      sim.record({SimRun::model("quadruped"), "--base", "floating", "--quiet", "--start", start,
                  "--drop", "0.1", "--hold", "80,0.4", "--dt", "0.002", "--duration", "60",
                  "--every", "500", "--contact-solver", "gauss_seidel"});
  const double weight = 8.912 * kGravity;  // the masses in the file
  DOUBLES_EQUAL(weight, sum(run, "contact.", ".z"), 1e-3 * weight);
  DOUBLES_EQUAL(0, sum(run, "contact.", ".x"), 1e-3 * weight);
  DOUBLES_EQUAL(4, run.at("contacts").back(), 0);
  const auto& z = run.at("q.root_joint.z");
  DOUBLES_EQUAL(z[6], z.back(), 1e-6);  // as it was after 6 s
  CHECK_TRUE(z.front() - z.back() > 0.1 && z.back() > 0.25);
}

TEST(SimTouching, AGripperLiftsACubeByFriction) {
  const std::string robot = sim.folder.write("gripper.urdf", kGripper);
  const std::string start =
      sim.folder.write("start.json", R"({"q": {"free": [0, 0.004, 0.03, 0, 0, 0, 1]}})");
  const std::string torques = sim.folder.write(
      "torques.csv", "time,tau.lift,tau.close\n0,13.7,10\n1,66.7,10\n1.5,16.7,10\n");
  const Columns run = sim.record({robot, "--quiet", "--start", start, "--torques", torques,
                                  "--duration", "2", "--every", "100"});
  // the fingers push the cube into the middle, share the force and hold its weight
  DOUBLES_EQUAL(0.02, run.at("q.close").back(), 1e-4);
  DOUBLES_EQUAL(0.02, run.at("q.follow").back(), 1e-4);
  DOUBLES_EQUAL(0, run.at("q.free.y").back(), 1e-4);
  DOUBLES_EQUAL(5, run.at("contact.left.y").back(), 1e-3);
  DOUBLES_EQUAL(0.3 * kGravity, run.at("contact.cube.z").back(), 1e-3);
  CHECK_TRUE(run.at("q.lift").back() > 0.2);
  DOUBLES_EQUAL(0.03, run.at("q.free.z").back() - run.at("q.lift").back(), 1e-4);
  DOUBLES_EQUAL(0, run.at("v.lift").back(), 0);  // its own friction holds it
}

LONG_TEST(SimTouching, AThrownBoxGainsNothingInAMinute) {
  const std::string robot = sim.folder.write("box.urdf", kBox);
  const std::string start =
      sim.folder.write("start.json", R"({"q": {"root_joint": [0, 0, 0.5, 0.1, 0.2, 0.3, 0.9]},
                        "v": {"root_joint": [1, 0, 0, 3, 2, 4]}})");
  const Columns run =
      sim.record({robot, "--base", "floating", "--quiet", "--start", start, "--duration", "60",
                  "--every", "10", "--ground-restitution", "0.5", "--contact-solver",
                  "gauss_seidel", "--integrator", "euler"});
  const auto& energy = run.at("energy");
  CHECK_TRUE(*std::max_element(energy.begin(), energy.end()) < energy.front() + 5e-3);
  for (std::size_t i = 201; i < energy.size(); ++i) CHECK_TRUE(energy[i] <= energy[i - 1] + 1e-9);
  DOUBLES_EQUAL(2 * kGravity * 0.1, energy.back(), 1e-4);  // on its side
  DOUBLES_EQUAL(2 * kGravity, run.at("contact.box.z").back(), 1e-3);
}
