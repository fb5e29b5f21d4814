// lockstep sim in maximal coordinates, as a user runs it.
#include <CppUTest/TestHarness.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <sstream>

#include "hosttools/sim/sim_run.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

std::string mechanism(const std::string& name) {
  return LOCKSTEP_MODELS_DIR "/mechanisms/" + name + ".xml";
}

double last(const Columns& columns, const std::string& name) {
  const auto found = columns.find(name);
  CHECK_TRUE(found != columns.end());
  return found->second.back();
}

std::string line_of(const std::string& summary, const std::string& name) {
  const auto at = summary.find("\n" + name);
  CHECK_TRUE(at != std::string::npos);
  return summary.substr(at + 1, summary.find('\n', at + 1) - at - 1);
}

}  // namespace

TEST_GROUP(SimMaximal) {
  SimRun sim;

  void check(const std::string& expected, const std::vector<std::string>& arguments) {
    STRCMP_CONTAINS(expected.c_str(), sim.complaint(arguments).c_str());
  }
};

// Runge-Kutta in both coordinates, with damping: the same motion.
TEST(SimMaximal, ARobotMovesAsInJointSpace) {
  const std::string start =
      sim.folder.write("start.json", R"({"q": {"upper_pivot": 1, "lower_pivot": -0.5}})");
  const std::vector<std::string> arguments = {SimRun::model("double_pendulum"),
                                              "--quiet",
                                              "--start",
                                              start,
                                              "--integrator",
                                              "rk4",
                                              "--duration",
                                              "0.9",
                                              "--every",
                                              "100"};
  const Columns joint = sim.record(arguments);
  for (const char* how : {"baumgarte", "projection"}) {
    std::vector<std::string> more = arguments;
    more.insert(more.end(), {"--stepper", "lagrange", "--stabilization", how});
    const Columns maximal = sim.record(more);
    for (const char* name : {"q.upper_pivot", "q.lower_pivot"}) {
      CHECK(std::abs(last(joint, name)) > 0.01);
      DOUBLES_EQUAL(last(joint, name), last(maximal, name), 1e-8);
    }
    CHECK_AT_MOST(1e-9, last(maximal, "constraint_error.position"), how);
  }
}

TEST(SimMaximal, TorquesAndHoldingActOnBodies) {
  const std::string arm = SimRun::model("six_axis_arm");
  const std::string start = sim.folder.write("start.json", R"({"q": {"lift": -1, "elbow": 1.2}})");
  const std::vector<std::string> hold = {arm,     "--quiet",   "--start",  start,     "--hold",
                                         "300,1", "--stepper", "lagrange", "--every", "100"};
  const Columns held = sim.record(hold);
  DOUBLES_EQUAL(-1, last(held, "q.lift"), 1e-4);
  DOUBLES_EQUAL(1.2, last(held, "q.elbow"), 1e-4);
  CHECK(std::abs(last(held, "tau.lift")) > 10);

  const std::string torques = sim.folder.write("t.csv", "time,tau.lift\n0,150\n0.1,-40\n");
  std::vector<std::string> driven = {arm,   "--quiet",      "--torques", torques,   "--duration",
                                     "0.2", "--integrator", "rk4",       "--every", "100"};
  const Columns joint = sim.record(driven);
  driven.insert(driven.end(), {"--stepper", "lagrange"});
  const Columns maximal = sim.record(driven);
  DOUBLES_EQUAL(last(joint, "q.lift"), last(maximal, "q.lift"), 1e-6);
  DOUBLES_EQUAL(-40, last(maximal, "tau.lift"), 0);
}

// Under a constant moment gears do not slip, whatever the step.
TEST(SimMaximal, ImpulsesHoldGears) {
  for (const char* method : {"linear", "dense", "parts"}) {
    const Columns gears = sim.record({mechanism("gear_pair"), "--quiet", "--stepper", "impulse",
                                      "--method", method, "--duration", "0.48", "--dt", "0.004"});
    const auto angle = [&](const std::string& body) {
      return 2 * std::atan2(last(gears, "x." + body + ".qz"), last(gears, "x." + body + ".qw"));
    };
    DOUBLES_EQUAL(0.5 * 2.5 * 0.48 * 0.48, angle("wheel"), 1e-9);
    DOUBLES_EQUAL(-2 * angle("wheel"), angle("pinion"), 1e-9);
  }
}

// Nothing drives them, so no energy comes from anywhere, at Bender's 30 steps a second either.
TEST(SimMaximal, APassiveRobotStaysPassive) {
  const std::vector<std::pair<std::string, std::string>> robots = {
      {"pendulum", R"({"q": {"pivot": 0.8}})"},
      {"double_pendulum", R"({"q": {"upper_pivot": 2, "lower_pivot": 1}})"},
      {"six_axis_arm", R"({"q": {"lift": 0.3}})"}};
  for (const auto& [robot, pose] : robots) {
    const std::string start = sim.folder.write("start.json", pose);
    for (const char* dt : {"0.01", "0.03333333333"}) {
      for (const char* stepper : {"lagrange", "impulse"}) {
        const Columns run =
            sim.record({SimRun::model(robot), "--quiet", "--start", start, "--limits", "none",
                        "--friction", "none", "--stepper", stepper, "--dt", dt, "--duration", "6"});
        const std::vector<double>& energy = run.at("energy");
        const double most = *std::ranges::max_element(energy);
        const double fell = std::abs(energy.front()) + 1;
        CHECK_AT_MOST(0.01 * fell, most - energy.front(), (robot + " " + stepper + dt).c_str());
        if (robot != "pendulum") {  // which is damped
          CHECK_AT_MOST(0.05 * fell, energy.front() - energy.back(), robot.c_str());
        }
      }
    }
  }
}

// Steps that are too long for the motion are taken in parts, and the summary tells.
TEST(SimMaximal, ImpulsesGoOnAtLongSteps) {
  const std::vector<std::string> arguments = {SimRun::model("six_axis_arm"),
                                              "--quiet",
                                              "--stepper",
                                              "impulse",
                                              "--dt",
                                              "0.03333333333",
                                              "--limits",
                                              "none",
                                              "--friction",
                                              "none",
                                              "--duration",
                                              "2"};
  const std::string summary = sim(arguments);
  STRCMP_CONTAINS("taken in parts", line_of(summary, "parts").c_str());
  const std::string error = line_of(summary, "constraints");
  CHECK_AT_MOST(1.01e-6, std::stod(error.substr(error.find("at most") + 7)), "errors");
  std::vector<std::string> hasty = arguments;
  hasty.insert(hasty.end(), {"--max-solves", "1", "--tolerance", "1e-12"});
  const std::string rough = sim(hasty);
  STRCMP_CONTAINS("not to the tolerance; give a smaller --dt", line_of(rough, "parts").c_str());
  CHECK(rough.find("conserved") == std::string::npos);
}

// A bar of 2 kg, level at first, on a hinge with the limits and the friction given.
std::string bar(const std::string& lower, const std::string& upper, const std::string& friction) {
  return R"(<robot name="bar"><link name="base"/><link name="bar"><inertial><origin xyz="0.5 0 0"/>
    <mass value="2"/><inertia ixx="0.01" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
    </link><joint name="hinge" type="revolute"><parent link="base"/><child link="bar"/>
    <axis xyz="0 1 0"/><limit effort="100" velocity="100" lower=")" +
         lower + "\" upper=\"" + upper + "\"/><dynamics friction=\"" + friction +
         "\"/></joint></robot>";
}

TEST(SimMaximal, LimitsAndDryFrictionOfARobotAct) {
  for (const char* stepper : {"lagrange", "impulse"}) {
    const auto end = [&](const std::string& robot, const std::string& name) {
      return last(sim.record({sim.folder.write("bar.urdf", robot), "--quiet", "--stepper", stepper,
                              "--duration", "3"}),
                  name);
    };
    DOUBLES_EQUAL(0.6, end(bar("-1", "0.6", "0"), "q.hinge"), 1e-3);
    DOUBLES_EQUAL(-2 * 9.81 * 0.5 * std::cos(0.6), end(bar("-1", "0.6", "0"), "limit.hinge"), 0.05);
    // so far apart that the other limit is less than a quarter turn away, the other way round
    DOUBLES_EQUAL(0.6, end(bar("-5.4", "0.6", "0"), "q.hinge"), 1e-3);
    DOUBLES_EQUAL(0, end(bar("-1", "1", "20"), "q.hinge"), 1e-6);
    CHECK(std::abs(end(bar("-1", "1", "5"), "q.hinge")) > 0.9);
  }
}

TEST(SimMaximal, WhatDoesNotActIsTold) {
  const auto told = [&](const std::string& robot, const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {robot,     "--quiet",    "--stepper",
                                          "impulse", "--duration", "0.01"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    std::ostringstream text;
    std::streambuf* const own = std::cerr.rdbuf(text.rdbuf());
    sim(arguments);
    std::cerr.rdbuf(own);
    return text.str();
  };
  const std::string arm = SimRun::model("six_axis_arm");
  STRCMP_CONTAINS("warning: with --stepper impulse these do not act: limits a turn or more apart",
                  told(arm, {}).c_str());
  STRCMP_CONTAINS("greatest speeds", told(arm, {"--limits", "position,velocity"}).c_str());
  STRCMP_EQUAL("", told(arm, {"--limits", "none"}).c_str());
  const std::string stiff = sim.folder.write("bar.urdf", bar("-1", "1", "1"));
  STRCMP_EQUAL("", told(stiff, {}).c_str());
  STRCMP_CONTAINS("dry friction of joints (--method dense)",
                  told(stiff, {"--method", "dense"}).c_str());
  STRCMP_CONTAINS("contacts of <collision> shapes",
                  told(SimRun::model("quadruped"), {"--base", "floating"}).c_str());
}

TEST(SimMaximal, AMechanismHasColumnsWithUnits) {
  const Columns columns = sim.record({mechanism("rod_pendulum"), "--quiet", "--duration", "0.1"});
  const std::string text = sim.folder.read("out.csv");
  STRCMP_EQUAL(
      "time [s],x.bob.x [m],x.bob.y [m],x.bob.z [m],v.bob.x [m/s],v.bob.y [m/s],v.bob.z [m/s],"
      "lambda.rod [N],energy [J],constraint_error.position [m or rad],constraint_error.velocity "
      "[m/s or rad/s]",
      text.substr(0, text.find('\n')).c_str());
  LONGS_EQUAL(101, columns.at("time").size());
  CHECK(last(columns, "lambda.rod") != 0);
}

TEST(SimMaximal, TheSummaryTellsEnergyMomentumAndErrors) {
  const std::string top = sim({mechanism("gyroscope"), "--quiet", "--integrator", "rk4"});
  STRCMP_CONTAINS("all of it the integrator's error", line_of(top, "energy").c_str());
  STRCMP_CONTAINS("m/s or rad/s", line_of(top, "constraints").c_str());
  STRCMP_CONTAINS("0x", line_of(top, "hash").c_str());
  const std::string scaling = sim({mechanism("scaling_body"), "--quiet"});
  STRCMP_CONTAINS("kg m/s, in the world", line_of(scaling, "momentum").c_str());
}

// Stopped, saved and continued, a run has the same bits; so has one that is repeated.
TEST(SimMaximal, ARestoredRunContinuesBitForBit) {
  for (const char* scalar : {"double", "float"}) {
    for (const std::string& file :
         {mechanism("driven_pendulum"), SimRun::model("double_pendulum")}) {
      const std::string state = sim.folder.path("half.json");
      std::vector<std::string> common = {file,        "--quiet",  "--scalar",     scalar,
                                         "--stepper", "lagrange", "--integrator", "rk4"};
      const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), common.begin(), common.end());
        return line_of(sim(more), "hash");
      };
      const std::string whole = with({"--duration", "0.4"});
      STRCMP_EQUAL(whole.c_str(), with({"--duration", "0.4"}).c_str());
      const std::string half = with({"--duration", "0.2", "--save", state});
      CHECK(half != whole);
      STRCMP_EQUAL(whole.c_str(), with({"--duration", "0.2", "--restore", state}).c_str());
    }
  }
}

TEST(SimMaximal, AStartByBodies) {
  const std::string start =
      sim.folder.write("start.json", R"({"x": {"bob": [0, 0, -1]}, "v": {"bob": [0, 0, 0]}})");
  const Columns columns = sim.record({mechanism("rod_pendulum"), "--quiet", "--start", start});
  CHECK_AT_MOST(1e-9, std::abs(columns.at("x.bob.x").front()), "hanging");
}

TEST(SimMaximal, PlotsOfBodiesAndMultipliers) {
  const std::string plot = sim.folder.path("m.svg");
  sim({mechanism("rod_pendulum"), "--quiet", "--plot", plot});
  STRCMP_CONTAINS("<svg", sim.folder.read("m_x.svg").c_str());
  STRCMP_CONTAINS("<svg", sim.folder.read("m_lambda.svg").c_str());
  sim({mechanism("rod_pendulum"), "--quiet", "--plot", plot, "--columns", "x.bob.z,energy"});
  STRCMP_CONTAINS("energy", sim.folder.read("m.svg").c_str());
}

TEST(SimMaximal, BadInput) {
  check("is a mechanism in maximal coordinates; leave out --stepper joint",
        {mechanism("gyroscope"), "--stepper", "joint"});
  check("which has no motors", {mechanism("gyroscope"), "--hold", "1,1"});
  check("'x': body 'bab': the mechanism has no such body",
        {mechanism("rod_pendulum"), "--start",
         sim.folder.write("start.json", R"({"x": {"bab": [0, 0, 0]}})")});
  check("'x': body 'bob': give 3 numbers",
        {mechanism("rod_pendulum"), "--start",
         sim.folder.write("start.json", R"({"x": {"bob": 1}})")});
  const std::string state = sim.folder.path("s.json");
  sim({mechanism("rod_pendulum"), "--quiet", "--duration", "0.01", "--save", state});
  check("'model' is 0x", {mechanism("gyroscope"), "--restore", state});
}

// Joints are within the tolerance after every step, and the motion is the same.
TEST(SimMaximal, ImpulsesKeepTheTolerance) {
  const std::string start =
      sim.folder.write("start.json", R"({"q": {"upper_pivot": 1, "lower_pivot": -0.5}})");
  const std::vector<std::string> common = {
      SimRun::model("double_pendulum"), "--quiet", "--start", start, "--duration", "0.9"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), common.begin(), common.end());
    return sim.record(more);
  };
  const Columns joint = with({"--integrator", "rk4"});
  const Columns impulses = with({"--stepper", "impulse", "--tolerance", "1e-8"});
  DOUBLES_EQUAL(last(joint, "q.upper_pivot"), last(impulses, "q.upper_pivot"), 1e-4);
  for (const double error : impulses.at("constraint_error.position")) {
    CHECK_AT_MOST(1e-8, error, "every step");
  }
}

TEST(SimMaximal, LoopsByPartsMoveAsAllAtOnce) {
  const std::vector<std::string> arguments = {mechanism("planar_crank"),
                                              "--quiet",
                                              "--stepper",
                                              "impulse",
                                              "--tolerance",
                                              "1e-9",
                                              "--duration",
                                              "0.2"};
  std::vector<std::string> by_parts = arguments;
  by_parts.insert(by_parts.end(), {"--method", "parts", "--threads", "2"});
  const Columns whole = sim.record(arguments), parts = sim.record(by_parts);
  for (const auto& [name, values] : whole) {
    if (name.starts_with("x.")) DOUBLES_EQUAL(values.back(), last(parts, name), 1e-6);
  }
}

TEST(SimMaximal, PartsAreOfImpulses) {
  check("add --stepper impulse", {mechanism("planar_crank"), "--method", "parts"});
  check("moves in joint space", {SimRun::model("pendulum"), "--method", "parts"});
}

TEST(SimMaximal, PictureShowsALinePerRod) {
  sim({mechanism("particle_chain"), "--quiet", "--duration", "0.01", "--picture",
       sim.folder.path("chain.svg")});
  const std::string svg = sim.folder.read("chain.svg");
  LONGS_EQUAL(5, std::ranges::count(svg, 'L'));
  STRCMP_CONTAINS("</svg>", svg.c_str());
}

TEST(SimMaximal, PictureOfAStackShowsBoxes) {
  sim({mechanism("box_stack"), "--quiet", "--duration", "0.01", "--picture",
       sim.folder.path("stack.svg")});
  const std::string svg = sim.folder.read("stack.svg");
  std::size_t faces = 0;
  for (std::size_t at = svg.find("<polygon"); at != std::string::npos;
       at = svg.find("<polygon", at + 1)) {
    ++faces;
  }
  LONGS_EQUAL(5 * 3, faces);  // of five boxes, those that are seen
  CHECK(svg.find("<circle") == std::string::npos);
}

// However the rows are solved, the motion is the same.
TEST(SimMaximal, MethodsAgree) {
  const std::string start =
      sim.folder.write("start.json", R"({"q": {"upper_pivot": 1, "lower_pivot": -0.5}})");
  const auto end = [&](const char* stepper, const char* method) {
    return last(sim.record({SimRun::model("double_pendulum"), "--quiet", "--start", start,
                            "--duration", "0.3", "--dt", "0.005", "--integrator", "rk4",
                            "--tolerance", "1e-10", "--stepper", stepper, "--method", method}),
                "q.lower_pivot");
  };
  for (const char* stepper : {"lagrange", "impulse"}) {
    DOUBLES_EQUAL(end(stepper, "linear"), end(stepper, "dense"), 1e-7);
  }
  DOUBLES_EQUAL(end("impulse", "linear"), end("impulse", "iterative"), 1e-7);
}

// Impulses come nearer to joint space with the square of the step.
TEST(SimMaximal, ImpulsesAreOfSecondOrder) {
  const std::string start =
      sim.folder.write("start.json", R"({"q": {"upper_pivot": 1, "lower_pivot": -0.5}})");
  const auto end = [&](const char* dt, std::vector<std::string> more) {
    more.insert(more.begin(), {SimRun::model("double_pendulum"), "--quiet", "--start", start,
                               "--duration", "0.48", "--dt", dt});
    return last(sim.record(more), "q.lower_pivot");
  };
  const double exact = end("0.0002", {"--integrator", "rk4"});
  double error[3];
  int i = 0;
  for (const char* dt : {"0.008", "0.004", "0.002"}) {
    error[i++] = std::abs(end(dt, {"--stepper", "impulse", "--tolerance", "1e-11"}) - exact);
  }
  for (i = 0; i < 2; ++i) {
    CHECK(error[i] / error[i + 1] > 3.5);
    CHECK(error[i] / error[i + 1] < 4.6);
  }
}
