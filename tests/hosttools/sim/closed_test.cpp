// `lockstep sim` on a robot with a coupling: a pendulum that spins a rotor, four times as fast.
#include <CppUTest/TestHarness.h>

#include <cmath>

#include "sim_run.hpp"

using namespace lockstep;

namespace {

constexpr const char* kGeared = R"(<robot name="geared">
  <link name="base"/>
  <link name="arm"><inertial><origin xyz="0.5 0 0"/><mass value="1"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="rotor"><inertial><mass value="1"/>
    <inertia ixx="0.05" iyy="0.05" izz="0.05" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="swing" type="continuous"><parent link="base"/><child link="arm"/>
    <axis xyz="0 1 0"/></joint>
  <joint name="spin" type="continuous"><parent link="base"/><child link="rotor"/>
    <axis xyz="0 1 0"/></joint>
  <coupling name="gear"><predecessor link="arm"/><successor link="rotor"/><ratio value="4"/>
  </coupling>
</robot>)";

}  // namespace

TEST_GROUP(SimClosed) {
  test::SimRun sim;
  const std::string robot = sim.folder.write("geared.urdf", kGeared);
};

// 0.35 + 4^2 0.05 = 1.15 kg m^2 at the arm, which gravity turns with 0.5 m 9.81 m/s^2 kg
TEST(SimClosed, ThePendulumFeelsItsRotor) {
  const auto record =
      sim.record({robot, "--rotors", "keep", "--duration", "1", "--integrator", "rk4"});
  const double vdot = 0.5 * 9.81 / 1.15;
  DOUBLES_EQUAL(vdot * 1e-3, record.at("v.swing")[1], 1e-6);
  DOUBLES_EQUAL(0.05 * 4 * vdot, record.at("lambda.gear")[1], 1e-6);
  DOUBLES_EQUAL(4 * record.at("q.swing").back(), record.at("q.spin").back(), 1e-9);
  DOUBLES_EQUAL(record.at("energy").front(), record.at("energy").back(), 1e-6);
  DOUBLES_EQUAL(0, record.at("constraint_error.position").back(), 1e-9);
}

TEST(SimClosed, TheSummaryTellsTheConstraintError) {
  for (const std::string how : {"baumgarte", "projection"}) {
    const std::string summary =
        sim({robot, "--rotors", "keep", "--duration", "0.1", "--stabilization", how});
    STRCMP_CONTAINS(("geared, double, midpoint, " + how).c_str(), summary.c_str());
    STRCMP_CONTAINS("errors of at most", summary.c_str());
  }
}

TEST(SimClosed, AnOpenStartIsRefusedWithTheRemedy) {
  const std::string start = sim.folder.write("open.json", R"({"q": {"swing": 1}})");
  try {
    sim({robot, "--start", start});
    FAIL("the rotor does not fit");
  } catch (const host::Error& error) {
    STRCMP_CONTAINS("the start pose leaves loops or couplings open", error.what());
    STRCMP_CONTAINS("doctor --assemble", error.what());
  }
}

TEST(SimClosed, CouplingsActInMaximalCoordinatesAsInJointSpace) {
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), {robot, "--duration", "1.5", "--dt", "0.0005"});
    return sim.record(more);
  };
  const auto joints = with({"--rotors", "keep", "--integrator", "rk4"});
  const double end = joints.at("q.swing").back();
  CHECK(4 * end > 10);  // the rotor turned more than once
  const auto forces = with({"--stepper", "lagrange", "--integrator", "rk4"});
  DOUBLES_EQUAL(end, forces.at("q.swing").back(), 1e-8);
  DOUBLES_EQUAL(4 * end, forces.at("q.spin").back(), 1e-8);
  DOUBLES_EQUAL(joints.at("lambda.gear").back(), forces.at("lambda.gear").back(), 1e-6);
  const auto impulses = with({"--stepper", "impulse", "--tolerance", "1e-9"});
  DOUBLES_EQUAL(end, impulses.at("q.swing").back(), 1e-5);
  DOUBLES_EQUAL(4 * impulses.at("q.swing").back(), impulses.at("q.spin").back(), 2e-9);
}

TEST(SimClosed, PartsKnowNoCouplings) {
  try {
    sim({robot, "--stepper", "impulse", "--method", "parts"});
    FAIL("the rotor would spin by itself");
  } catch (const host::Error& error) {
    STRCMP_CONTAINS("--method parts knows no couplings; leave it out", error.what());
  }
}

TEST(SimClosed, LoopsActInMaximalCoordinatesAsInJointSpace) {
  const std::string linkage = std::string(LOCKSTEP_MODELS_DIR) + "/loops/four_bar.urdf";
  const std::vector<std::string> common = {linkage, "--duration", "0.5",   "--integrator",
                                           "rk4",   "--limits",   "none",  "--friction",
                                           "none",  "--dt",       "0.0005"};
  const auto with = [&](std::vector<std::string> more) {
    std::vector<std::string> words = common;
    words.insert(words.end(), more.begin(), more.end());
    return sim.record(words);
  };
  const auto joint = with({}), lagrange = with({"--stepper", "lagrange"});
  CHECK_TRUE(std::abs(joint.at("v.crank_pivot").back()) > 0.1);
  DOUBLES_EQUAL(joint.at("q.crank_pivot").back(), lagrange.at("q.crank_pivot").back(), 1e-8);
  DOUBLES_EQUAL(0, lagrange.at("constraint_error.position").back(), 1e-8);
  const std::string open = sim.folder.write("open.json", R"({"q": {"crank_pivot": 1}})");
  CHECK_THROWS(host::Error, sim({linkage, "--stepper", "lagrange", "--start", open}));
}

TEST(SimClosed, ARestoredRunContinuesBitForBit) {
  const auto last_line = [](const std::string& summary) {
    return summary.substr(summary.find("hash "));
  };
  const std::string whole = sim({robot, "--duration", "0.2"});
  sim({robot, "--duration", "0.1", "--save", sim.folder.path("half.json")});
  const std::string rest =
      sim({robot, "--duration", "0.1", "--restore", sim.folder.path("half.json")});
  STRCMP_EQUAL(last_line(whole).c_str(), last_line(rest).c_str());
}

// The rotor hangs on a belt: both swing against each other with k (1 / 0.05 + 4^2 / I), and what
// the spring holds is energy.
TEST(SimClosed, ACouplingThatYieldsSwings) {
  std::string text = kGeared;
  text.replace(text.find("name=\"gear\""), 11, "name=\"belt\" stiffness=\"2\"");
  const std::string belt = sim.folder.write("belt.urdf", text);
  const std::string open = sim.folder.write("wound.json", R"({"q": {"spin": 0.5}})");
  const auto record = sim.record(
      {belt, "--start", open, "--gravity", "0,0,0", "--duration", "0.5", "--integrator", "rk4"});
  const double rate = std::sqrt(2 * (1 / 0.05 + 16 / 0.35)), t = record.at("time").back();
  const double distance = record.at("q.spin").back() - 4 * record.at("q.swing").back();
  DOUBLES_EQUAL(0.5 * std::cos(rate * t), distance, 1e-6);
  DOUBLES_EQUAL(0.5 * 2 * 0.25, record.at("energy").front(), 1e-12);
  DOUBLES_EQUAL(0.25, record.at("energy").back(), 1e-7);
  DOUBLES_EQUAL(0, record.at("constraint_error.position").back(), 0);
  const std::string summary = sim({belt, "--start", open, "--duration", "0.5"});
  STRCMP_CONTAINS("no energy gained", summary.c_str());
  // of bodies too
  const auto bodies = sim.record({belt, "--start", open, "--gravity", "0,0,0", "--duration", "0.5",
                                  "--stepper", "lagrange", "--integrator", "rk4"});
  DOUBLES_EQUAL(0.5 * std::cos(rate * t),
                bodies.at("q.spin").back() - 4 * bodies.at("q.swing").back(), 1e-4);
  DOUBLES_EQUAL(0.25, bodies.at("energy").back(), 1e-7);
  try {
    sim({belt, "--stepper", "impulse", "--method", "parts"});
    FAIL("it would be rigid");
  } catch (const host::Error& error) {
    STRCMP_CONTAINS("coupling 'belt': has stiffness or damping", error.what());
  }
}

// A weight on a rail below a distance that yields: 2 z'' = -50 z - 2 * 9.81, stretched to two and a
// half times its length.
TEST(SimClosed, ADistanceThatYieldsIsAStrut) {
  const std::string file = sim.folder.write("strut.urdf", R"(<robot name="strut">
  <link name="base"/>
  <link name="weight"><inertial><mass value="2"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="rail" type="prismatic"><parent link="base"/><child link="weight"/>
    <axis xyz="0 0 1"/><limit lower="-9" upper="9" effort="0" velocity="0"/></joint>
  <loop name="strut" type="distance" stiffness="50">
    <predecessor link="base"><origin xyz="0 0 0.5"/></predecessor>
    <successor link="weight"/><length value="0.5"/></loop>
</robot>)");
  const double sag = 2 * 9.81 / 50, rate = 5;
  for (const char* stepper : {"joint", "lagrange"}) {
    const auto record = sim.record({file, "--start", "zero", "--duration", "1", "--integrator",
                                    "rk4", "--stepper", stepper, "--limits", "none"});
    for (std::size_t i = 0; i < record.at("time").size(); ++i) {
      const double t = record.at("time")[i];
      DOUBLES_EQUAL(-sag * (1 - std::cos(rate * t)), record.at("q.rail")[i], 1e-9);
    }
    DOUBLES_EQUAL(record.at("energy").front(), record.at("energy").back(), 1e-9);
  }
  sim.run(host::add_inspect_command, "inspect", {file});
  STRCMP_CONTAINS("'strut': distance from", sim.folder.read("summary.txt").c_str());
}
