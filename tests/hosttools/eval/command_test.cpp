#include "commands.hpp"

#include <CppUTest/TestHarness.h>

#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/run_command.hpp"
#include "support/scratch_folder.hpp"
#include "text/error.hpp"

namespace {

constexpr const char* kPendulum = R"(<?xml version="1.0"?>
<robot name="pendulum">
  <link name="wall"/>
  <link name="rod">
    <inertial>
      <origin xyz="0 0 -0.5"/>
      <mass value="2"/>
      <inertia ixx="0.5" ixy="0" ixz="0" iyy="0.5" iyz="0" izz="0.5"/>
    </inertial>
  </link>
  <joint name="swing" type="continuous">
    <parent link="wall"/>
    <child link="rod"/>
    <axis xyz="0 1 0"/>
    <dynamics damping="0.5"/>
  </joint>
</robot>
)";

// I = 0.5 + 2 * 0.5^2 = 1 kg m^2; turned by a quarter, the weight pulls with 2 * 9.81 * 0.5
constexpr const char* kStates = R"({"joints": ["swing"], "states": [
  {"q": [0], "qd": [0], "tau": [3]},
  {"q": [1.5707963267948966], "qd": [2], "tau": [0]}]})";

}  // namespace

TEST_GROUP(EvalCommand) {
  lockstep::test::ScratchFolder folder;
  std::string robot, states, report;

  void setup() override {
    robot = folder.write("pendulum.urdf", kPendulum);
    states = folder.write("states.json", kStates);
  }

  // Runs the command; what it tells on standard error goes to `report`.
  void eval(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "eval");
    std::ostringstream stream;
    std::streambuf* before = std::cerr.rdbuf(stream.rdbuf());
    try {
      lockstep::test::run_command(lockstep::host::add_eval_command, arguments);
    } catch (...) {
      std::cerr.rdbuf(before);
      throw;
    }
    std::cerr.rdbuf(before);
    report = stream.str();
  }

  nlohmann::json answers(std::vector<std::string> extra) {
    extra.insert(extra.begin(), {robot, "--states", states, "--out", folder.path("out.json")});
    eval(extra);
    return nlohmann::json::parse(folder.read("out.json"));
  }

  std::string complaint(const std::vector<std::string>& arguments) {
    try {
      eval(arguments);
    } catch (const lockstep::host::Error& error) {
      return error.what();
    }
    return "";
  }
};

TEST(EvalCommand, AnswersAreThoseOfAPendulum) {
  for (const char* method : {"nullspace", "direct", "dense"}) {
    const auto out = answers({"--method", method});
    DOUBLES_EQUAL(3, out["states"][0]["qdd"][0].get<double>(), 1e-12);
    DOUBLES_EQUAL(-9.81 - 0.5 * 2, out["states"][1]["qdd"][0].get<double>(), 1e-12);
    DOUBLES_EQUAL(2 * 9.81, out["states"][0]["reaction"][0][2].get<double>(), 1e-12);
    DOUBLES_EQUAL(3, out["states"][0]["reaction"][0][4].get<double>(), 1e-12);
  }
}

TEST(EvalCommand, DampingCanBeLeftOut) {
  const auto out = answers({"--ignore-damping"});
  DOUBLES_EQUAL(-9.81, out["states"][1]["qdd"][0].get<double>(), 1e-12);
}

TEST(EvalCommand, FloatAnswersInFloat) {
  const auto out = answers({"--scalar", "float"});
  const double qdd = out["states"][1]["qdd"][0].get<double>();
  DOUBLES_EQUAL(-10.81, qdd, 1e-5);
  DOUBLES_EQUAL(static_cast<double>(static_cast<float>(qdd)), qdd, 0);
}

TEST(EvalCommand, AFloatingBaseBringsTheRootJoint) {
  const std::string floating = folder.write("floating.json", R"({"joints": ["root_joint", "swing"],
    "states": [{"q": [0,0,0, 0,0,0,1, 0], "qd": [0,0,0,0,0,0,0], "tau": [0,0,0,0,0,0,0]}]})");
  const std::string text(kPendulum);
  const std::string heavy = folder.write(
      "heavy.urdf",
      std::string(text).replace(
          text.find("<link name=\"wall\"/>"), 19,
          "<link name=\"wall\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" "
          "ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>"));
  eval({heavy, "--base", "floating", "--states", floating, "--out", folder.path("out.json")});
  const auto out = nlohmann::json::parse(folder.read("out.json"));
  DOUBLES_EQUAL(-9.81, out["states"][0]["qdd"][2].get<double>(), 1e-12);
  DOUBLES_EQUAL(0, out["states"][0]["qdd"][6].get<double>(), 1e-12);
}

TEST(EvalCommand, TellsHowFarTheAnswersAreFromThoseInTheFile) {
  answers({});
  STRCMP_CONTAINS("2 states, double, nullspace\n", report.c_str());
  states = folder.path("out.json");
  answers({"--method", "dense"});
  STRCMP_CONTAINS("largest relative error: qdd ", report.c_str());
  STRCMP_CONTAINS("reaction ", report.c_str());

  auto wrong = nlohmann::json::parse(folder.read("out.json"));
  wrong["states"][1]["qdd"][0] = -10.81 / 2;
  states = folder.write("wrong.json", wrong.dump());
  answers({});
  STRCMP_CONTAINS("qdd 1.0e+00 (state 1)", report.c_str());
}

TEST(EvalCommand, AnErrorLeavesNoOutputBehind) {
  const std::size_t before = folder.files();
  folder.write("states.json", R"({"joints": ["swing"], "states": [
    {"q": [0], "qd": [0], "tau": [3]}, {"q": [0], "qd": [0], "tau": [[]]}]})");
  const std::string message =
      complaint({robot, "--states", states, "--out", folder.path("out.json")});
  STRCMP_EQUAL((states + ": state 1: joint 'swing': 'tau' holds []; give a number").c_str(),
               message.c_str());
  LONGS_EQUAL(before, folder.files());
}

TEST(EvalCommand, AStateWithoutAnswerIsNamed) {
  folder.write("states.json", R"({"joints": ["swing"], "states": [
    {"q": [0], "qd": [0], "tau": [3]}, {"q": [1e9], "qd": [0], "tau": [0]}]})");
  const std::string message =
      complaint({robot, "--states", states, "--out", folder.path("out.json")});
  STRCMP_CONTAINS("states.json: state 1: an angle is too large", message.c_str());
}

TEST(EvalCommand, TheDenseOracleHasNoFloat) {
  const std::string message =
      complaint({robot, "--states", states, "--method", "dense", "--scalar", "float"});
  STRCMP_CONTAINS("--method dense", message.c_str());
}

TEST(EvalCommand, NeedsARobotWithStatesOrACaseAlone) {
  const char* remedy = "eval: give a robot and --states FILE, or --case FILE alone";
  STRCMP_EQUAL(remedy, complaint({robot}).c_str());
  STRCMP_EQUAL(remedy, complaint({"--states", states}).c_str());
  STRCMP_EQUAL(remedy, complaint({robot, "--case", states}).c_str());
}

TEST(EvalCommand, QuietLeavesTheComparison) {
  eval({robot, "--states", states, "--out", folder.path("out.json"), "--quiet"});
  STRCMP_EQUAL("", report.c_str());  // nothing to compare with
  eval({robot, "--states", folder.path("out.json"), "--out", folder.path("again.json"), "--quiet"});
  STRCMP_CONTAINS("largest relative error: qdd 0.0e+00 (state 0)", report.c_str());
}
