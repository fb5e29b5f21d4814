#include "hil/scenario.hpp"

#include <CppUTest/TestHarness.h>

#include <filesystem>
#include <vector>

#include "support/scratch_folder.hpp"
#include "text/error.hpp"

using lockstep::host::Error;
using namespace lockstep::host::hil;
using lockstep::Integrator;

TEST_GROUP(Scenario) {
  lockstep::test::ScratchFolder folder;

  Scenario read(const std::string& text) { return read_scenario(folder.write("s.json", text)); }

  std::string complaint(const std::string& text, const std::vector<std::string>& joints = {}) {
    try {
      check_joints(read(text), joints);
    } catch (const Error& error) {
      const std::string message = error.what();
      return message.substr(message.find("s.json"));
    }
    return "";
  }

  void refuses(const std::string& text, const std::string& message) {
    STRCMP_EQUAL(("s.json: " + message).c_str(), complaint(text).c_str());
  }
};

TEST(Scenario, HoldsWithGainsAndWithoutWavesOfItsOwn) {
  const Scenario scenario = read(
      R"({"drive": "hold", "gains": {"kp": 60, "kd": 1}, "start": {"a": 0.5},
          "joints": {"b": {"amplitude": 0.1}}})");
  CHECK_TRUE(scenario.drive == Drive::kHold && scenario.is_driven);
  DOUBLES_EQUAL(0, scenario.wave_of("a").amplitude, 0);
  DOUBLES_EQUAL(0.5, scenario.wave_of("a").offset, 0);
  DOUBLES_EQUAL(0.1, scenario.wave_of("b").amplitude, 0);
  refuses(R"({"drive": "hold"})",
          "'drive' is \"hold\"; give 'gains' too, in N m/rad and N m s/rad, to hold with");
  CHECK_FALSE(read(R"({"start": {"a": 0.5}})").is_driven);
}

TEST(Scenario, AnEmptyOneIsASecondOfAPlant) {
  const Scenario scenario = read("{}");
  CHECK_TRUE(scenario.application == Application::kPlant);
  LONGS_EQUAL(1000, scenario.steps);
  DOUBLES_EQUAL(1000, scenario.rate, 0);
  LONGS_EQUAL(4, scenario.steps_a_tick());
  DOUBLES_EQUAL(-9.81, scenario.gravity[2], 0);
  CHECK_FALSE(scenario.link_faults.any());
  CHECK_FALSE(scenario.corrupt_state.has_value());
}

TEST(Scenario, ARateBesideItDecidesTicksAndDurationAndMustNotContradict) {
  const auto at = [&](const std::string& text, double rate) {
    return read_scenario(folder.write("s.json", text), rate);
  };
  const Scenario fast = at(R"({"duration": 0.5})", 2000);
  DOUBLES_EQUAL(2000, fast.rate, 0);
  DOUBLES_EQUAL(500, fast.control_rate, 0);
  DOUBLES_EQUAL(0.0005, fast.dt(), 0);
  LONGS_EQUAL(1000, fast.steps);
  DOUBLES_EQUAL(2000, at(R"({"rate": 2000})", 2000).rate, 0);
  const auto complaint_at = [&](const std::string& text) -> std::string {
    try {
      at(text, 2000);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  STRCMP_CONTAINS("s.json: 'rate': 500 Hz, and --rate or --dt makes 2000; leave out one of them",
                  complaint_at(R"({"rate": 500})").c_str());
  STRCMP_CONTAINS("the rate or a whole fraction of it",
                  complaint_at(R"({"control_rate": 300})").c_str());
}

TEST(Scenario, EveryKeyArrives) {
  const Scenario scenario = read(R"({
    "application": "controller", "duration": 0.5, "rate": 200, "control_rate": 100,
    "integrator": "rk4", "gravity": [1, 2, 3], "seed": 7, "drive": "torque",
    "start": {"elbow": 0.25}, "amplitude": 2, "frequency": 3,
    "joints": {"elbow": {"phase": 0.5, "offset": -1}}, "gains": {"kp": 1, "kd": 0},
    "limits": "none", "torque_rate": 5, "watchdog": 6, "mode": "checkpoint", "checkpoint": 10,
    "link_faults": {"flip": 0.1, "lose": 0.2, "double": 0.3, "delay": 0.4, "cut": 0.5,
                    "garbage": 0.6}, "corrupt_state": {"step": 99}})");
  CHECK_TRUE(scenario.application == Application::kController);
  LONGS_EQUAL(100, scenario.steps);
  LONGS_EQUAL(2, scenario.steps_a_tick());
  CHECK_TRUE(scenario.integrator == Integrator::kRungeKutta4);
  DOUBLES_EQUAL(2, scenario.gravity[1], 0);
  LONGS_EQUAL(7, scenario.seed);
  CHECK_TRUE(scenario.drive == Drive::kTorque);
  DOUBLES_EQUAL(0.25, scenario.start_of("elbow"), 0);
  const Wave wave = scenario.wave_of("elbow");
  DOUBLES_EQUAL(2, wave.amplitude, 0);
  DOUBLES_EQUAL(3, wave.frequency, 0);
  DOUBLES_EQUAL(0.5, wave.phase, 0);
  DOUBLES_EQUAL(-1, wave.offset, 0);
  DOUBLES_EQUAL(1, scenario.kp, 0);
  DOUBLES_EQUAL(0, scenario.kd, 0);
  CHECK_TRUE(scenario.limits == Limits::kNone);
  DOUBLES_EQUAL(5, scenario.torque_rate, 0);
  LONGS_EQUAL(6, scenario.watchdog);
  CHECK_TRUE(scenario.mode == Mode::kCheckpoint);
  LONGS_EQUAL(10, scenario.checkpoint);
  const LinkFaults& faults = scenario.link_faults;
  const double rates[] = {faults.flip,  faults.lose, faults.repeat,
                          faults.delay, faults.cut,  faults.garbage};
  for (int i = 0; i < 6; ++i) DOUBLES_EQUAL(0.1 * (i + 1), rates[i], 1e-15);
  LONGS_EQUAL(99, *scenario.corrupt_state);
}

TEST(Scenario, AServosKeysArrive) {
  const Scenario scenario = read(R"({"application": "servo", "missed": {"allowed": 3},
    "servo": {"references": 20, "stale": 0.01, "safe": "brake",
              "failure": {"kind": "bad_reference", "tick": 7}}})");
  LONGS_EQUAL(3, scenario.missed_allowed);
  LONGS_EQUAL(1000, scenario.missed_forgotten);
  DOUBLES_EQUAL(20, scenario.servo.references, 0);
  DOUBLES_EQUAL(0.01, scenario.servo.stale, 0);
  CHECK_TRUE(scenario.servo.safe == lockstep::link::SafePolicy::kBrake);
  CHECK_TRUE(scenario.servo.failure->kind == Failure::Kind::kBadReference);
  LONGS_EQUAL(7, scenario.servo.failure->tick);
  refuses(R"({"missed": {"allowed": 65536}})",
          "'missed': 'allowed' is 65536; give at most 65535 ticks");
  refuses(R"({"missed": {"forgotten": 0}})",
          "'missed': 'forgotten' is 0; give a whole number from 1");
}

TEST(Scenario, AJointMovesAroundItsStartButIsNotPushedByIt) {
  const std::string rest = R"("start": {"a": 0.5}, "joints": {"a": {"amplitude": 1}}})";
  const Scenario track = read(R"({"drive": "track", )" + rest);
  DOUBLES_EQUAL(0.5, track.wave_of("a").offset, 0);
  DOUBLES_EQUAL(0, track.wave_of("b").offset, 0);
  DOUBLES_EQUAL(0, read(R"({"drive": "torque", )" + rest).wave_of("a").offset, 0);
}

TEST(Scenario, UnknownKeysAreNamedWithTheKnown) {
  refuses(R"({"gains": {"ki": 1}})", "'gains': 'ki' is not known; known are kp, kd");
  STRCMP_CONTAINS("s.json: 'stepz' is not known; known are application, steps, duration, rate, ",
                  complaint(R"({"stepz": 1})").c_str());
}

TEST(Scenario, WhatDoesNotFitIsNamedWithTheRemedy) {
  refuses(R"({"steps": 0})", "'steps' is 0; give a whole number from 1");
  refuses(R"({"steps": 1.5})", "'steps' is 1.5; give a whole number from 1");
  refuses(R"({"seed": -1})", "'seed' is -1; give a whole number from 0");
  refuses(R"({"steps": 1e12})", "'steps' is 1000000000000.0; give at most 1e9");
  refuses(R"({"steps": 1, "duration": 1})", "'duration' is 1; give it or 'steps', not both");
  refuses(R"({"duration": 1e-9})", "'duration' is 1e-09; give 1 to 1e9 steps at the rate");
  refuses(R"({"rate": "fast"})", "'rate' is \"fast\"; give a number");
  refuses(R"({"rate": -5})", "'rate' is -5; give a number above 0");
  refuses(R"({"control_rate": 300})",
          "'control_rate' is 300; give the rate or a whole fraction of it");
  refuses(R"({"control_rate": 2000})",
          "'control_rate' is 2000; give the rate or a whole fraction of it");
  refuses(R"({"mode": "fast"})", "'mode' is \"fast\"; give one of step, checkpoint, free");
  refuses(R"({"gravity": [0, 0]})", "'gravity': give three numbers");
  refuses(R"({"start": [1]})", "'start' is [1]; give an object with a joint's name for each key");
  refuses(R"({"start": {"a": "b"}})", "'start': joint 'a': give its position, a number");
  refuses(R"({"joints": {"a": 1}})",
          "'joints': joint 'a': not an object; give { } with amplitude, frequency, phase, offset");
  refuses(R"({"link_faults": {"lose": 1.5}})",
          "'link_faults': 'lose' is 1.5; give a rate from 0 to 1");
  refuses(R"({"steps": 5, "corrupt_state": {"step": 5}})",
          "'corrupt_state': 'step' is 5; give one of the 5 steps from 0");
  STRCMP_CONTAINS("not an object", complaint("[]").c_str());
  STRCMP_CONTAINS("not valid JSON", complaint("{").c_str());
  STRCMP_CONTAINS("not valid JSON", complaint(R"({"rate": 1e999})").c_str());
}

TEST(Scenario, JointsMustBeTheRobots) {
  const std::vector<std::string> arm = {"shoulder", "elbow"};
  STRCMP_EQUAL("",
               complaint(R"({"start": {"elbow": 1}, "joints": {"shoulder": {}}})", arm).c_str());
  STRCMP_EQUAL(
      "s.json: 'start': joint 'knee': the robot has no such joint with one degree of "
      "freedom; it has shoulder, elbow",
      complaint(R"({"start": {"knee": 1}})", arm).c_str());
  STRCMP_CONTAINS("'joints': joint 'knee'", complaint(R"({"joints": {"knee": {}}})", arm).c_str());
}

TEST(Scenario, TheExamplesCanBeRead) {
  int count = 0;
  for (const auto& file : std::filesystem::directory_iterator(LOCKSTEP_MODELS_DIR "/scenarios")) {
    read_scenario(file.path().string());
    ++count;
  }
  CHECK_TRUE(count >= 3);
}
