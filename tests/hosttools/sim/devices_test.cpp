// `lockstep sim` of robots with drivetrains and sensors.
#include <CppUTest/TestHarness.h>

#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>

#include "hosttools/sim/sim_run.hpp"

using lockstep::host::Error;
using lockstep::test::Columns;
using lockstep::test::SimRun;

namespace {

std::string text_of(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// A model without friction, with more elements; torques of 1 and 0.5 N m.
struct Bench {
  SimRun run;
  std::string torques = run.folder.write(
      "torques.csv", "time,tau.upper_pivot,tau.lower_pivot\n0,1,0.5\n0.1,-1,0.25\n");

  std::string pendulum_with(const std::string& elements) const {
    std::string text = text_of(SimRun::model("double_pendulum"));
    text.insert(text.rfind("</robot>"), elements);
    return run.folder.write("robot.urdf", text);
  }
  Columns record(const std::string& file, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments = {file,    "--duration", "0.3",  "--integrator",
                                          "euler", "--torques",  torques};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run.record(arguments);
  }
};

}  // namespace

TEST_GROUP(SimDevices){};

TEST(SimDevices, WithoutFiguresNothingChangesBitForBit) {
  const Bench b;
  for (const std::string scalar : {"double", "float"}) {
    const Columns with = b.record(
        b.pendulum_with("<drivetrain joint='upper_pivot'/><drivetrain joint='lower_pivot'/>"
                        "<sensors><encoder joint='upper_pivot'/></sensors>"),
        {"--scalar", scalar});
    const Columns without = b.record(b.pendulum_with(""), {"--scalar", scalar});
    for (const auto& [name, values] : without) CHECK_TRUE(values == with.at(name));
    CHECK_TRUE(with.at("q_measured.upper_pivot") == with.at("q.upper_pivot"));
    CHECK_TRUE(with.at("v_measured.upper_pivot") == with.at("v.upper_pivot"));
  }
}

TEST(SimDevices, ACommandComesLateAndThroughALag) {
  const Bench b;
  const Columns c = b.record(b.pendulum_with("<drivetrain joint='upper_pivot' delay='0.005'/>"));
  const auto &command = c.at("command.upper_pivot"), &motor = c.at("motor.upper_pivot");
  for (std::size_t i = 0; i < command.size(); ++i) {
    CHECK_EQUAL(i < 5 ? 0.0 : command[i - 5], motor[i]);
    CHECK_EQUAL(motor[i], c.at("tau.upper_pivot")[i]);
  }
}

TEST(SimDevices, AnEncoderCountsAndNoiseReplays) {
  const Bench b;
  const std::string file = b.pendulum_with(
      "<sensors seed='3'><encoder joint='upper_pivot' counts='1000'/>"
      "<encoder joint='lower_pivot' noise='0.01'/>"
      "<imu name='tip' link='lower_bar' acceleration_noise='0.1'/>"
      "<force_torque joint='upper_pivot' force_noise='0.5'/></sensors>");
  const Columns c = b.record(file);
  const double count = 2 * std::numbers::pi / 1000;
  const auto& q = c.at("q.upper_pivot");
  double sum = 0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double measured = c.at("q_measured.upper_pivot")[i];
    DOUBLES_EQUAL(std::round(measured / count), measured / count, 1e-9);
    DOUBLES_EQUAL(q[i], measured, 0.5000001 * count);
    const double off = c.at("q_measured.lower_pivot")[i] - c.at("q.lower_pivot")[i];
    sum += off * off;
  }
  DOUBLES_EQUAL(0.01, std::sqrt(sum / static_cast<double>(q.size())), 0.002);
  CHECK_TRUE(c == b.record(file));
}

TEST(SimDevices, ADrivenArmIsHeldUpAndTellsWhatItFeels) {
  const SimRun run;
  const std::string start =
      run.folder.write("start.json", R"({"q": {"shoulder": 0.8, "elbow": 0.5}})");
  const auto held = [&](const std::string& scalar) {
    return run.record({SimRun::model("driven_arm"), "--start", start, "--hold", "150,8",
                       "--duration", "2", "--scalar", scalar});
  };
  const Columns c = held("double");
  DOUBLES_EQUAL(0.8, c.at("q.shoulder").back(), 0.02);
  DOUBLES_EQUAL(0.5, c.at("q.elbow").back(), 0.02);
  DOUBLES_EQUAL(0, c.at("v.shoulder").back(), 1e-3);
  // the spring is bent by the weight that hangs on it
  const double load =
      9.81 * (1.2 * 0.15 * std::sin(0.8) + 0.8 * (0.3 * std::sin(0.8) + 0.125 * std::sin(1.3)));
  const double bent = c.at("q_motor.shoulder").back() - c.at("q.shoulder").back();
  DOUBLES_EQUAL(load, -4700 * bent, 0.1);
  // at rest the unit feels the weight, and the sensor what the forearm weighs
  const auto mean = [&](const std::string& name) {
    double sum = 0;
    const auto& values = c.at(name);
    for (std::size_t i = values.size() - 500; i < values.size(); ++i) sum += values[i];
    return sum / 500;
  };
  DOUBLES_EQUAL(9.81, std::hypot(mean("imu.tip.ax"), mean("imu.tip.az")), 0.02);
  DOUBLES_EQUAL(0.8 * 9.81, std::hypot(mean("wrench.elbow.fx"), mean("wrench.elbow.fz")), 0.05);
  CHECK_TRUE(c == held("double"));
  DOUBLES_EQUAL(0.8, held("float").at("q.shoulder").back(), 0.02);
}

// joints stick under less than their friction: without torques the arm stays where it leans little
TEST(SimDevices, ARigidGearSticks) {
  const SimRun run;
  const std::string start =
      run.folder.write("start.json", R"({"q": {"shoulder": 0, "elbow": 0.3}})");
  const Columns c =
      run.record({SimRun::model("driven_arm"), "--start", start, "--duration", "0.5"});
  DOUBLES_EQUAL(0.3, c.at("q.elbow").back(), 1e-4);
}

TEST(SimDevices, WhatKnowsNoneOfItRefusesByName) {
  const SimRun run;
  const auto refused = [&](std::vector<std::string> more) {
    more.insert(more.begin(), SimRun::model("driven_arm"));
    try {
      run(more);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  STRCMP_CONTAINS("drivetrain of joint 'shoulder': --stepper lagrange",
                  refused({"--stepper", "lagrange"}).c_str());
  STRCMP_CONTAINS("--integrator midpoint", refused({"--integrator", "midpoint"}).c_str());
  STRCMP_CONTAINS("--save", refused({"--save", run.folder.path("state.json")}).c_str());
  STRCMP_CONTAINS("give a longer --dt", refused({"--dt", "0.00005"}).c_str());
}
