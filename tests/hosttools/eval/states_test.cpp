#include "eval/states.hpp"

#include <CppUTest/TestHarness.h>

#include "hosttools/eval/arm_states.hpp"
#include "support/scratch_folder.hpp"
#include "support/tolerance.hpp"
#include "text/error.hpp"

using lockstep::host::DenseOutput;
using lockstep::host::Error;
using lockstep::host::Matrix6Xd;
using lockstep::host::State;
using lockstep::host::StatesFile;
using lockstep::host::Tree;
using lockstep::test::arm_states_with;
using lockstep::test::kArmStates;
using lockstep::test::relative_error;

TEST_GROUP(States) {
  lockstep::test::ScratchFolder folder;
  const Tree tree = lockstep::test::floating_arm();

  StatesFile open(const std::string& text) { return {folder.write("s.json", text), tree}; }

  // What reading all of the text complains about, without the folder.
  std::string complaint(const std::string& text) {
    try {
      const StatesFile states = open(text);
      for (std::size_t i = 0; i < states.size(); ++i) static_cast<void>(states.state(i));
    } catch (const Error& error) {
      const std::string message = error.what();
      const auto name = message.find("s.json");
      return name == std::string::npos ? message : message.substr(name);
    }
    return "";
  }
};

TEST(States, JointsAreFoundByNameWhateverTheirOrder) {
  const State state = open(kArmStates).state(0);
  CHECK_AT_MOST(0, relative_error(state.in.v, Eigen::VectorXd{{1, 2, 3, 4, 5, 6, 8, 7}}), "qd");
  CHECK_AT_MOST(0, relative_error(state.in.tau, Eigen::VectorXd{{10, 20, 30, 40, 50, 60, 80, 70}}),
                "tau");
  DOUBLES_EQUAL(0.4, state.in.q[7], 0);
  DOUBLES_EQUAL(0.3, state.in.q[8], 0);
}

TEST(States, QuaternionsAreNormalized) {
  const State state = open(kArmStates).state(0);
  CHECK_AT_MOST(0, relative_error(state.in.q.segment<4>(3), Eigen::Vector4d(0, 0, 0, 1)), "q");
}

TEST(States, GravityOfTheStateComesBeforeThatOfTheFile) {
  const StatesFile states = open(kArmStates);
  CHECK_AT_MOST(0, relative_error(states.state(0).in.gravity, Eigen::Vector3d(1, 2, -9)), "file");
  CHECK_AT_MOST(0, relative_error(states.state(1).in.gravity, Eigen::Vector3d(0, 0, 0)), "state");
}

TEST(States, GravityOfTheEarthIsTheDefault) {
  const StatesFile states = open(arm_states_with("\"gravity\": [1, 2, -9],", ""));
  CHECK_AT_MOST(0, relative_error(states.state(0).in.gravity, Eigen::Vector3d(0, 0, -9.81)), "g");
}

TEST(States, ExternalWrenchesBelongToTheirJoints) {
  const Matrix6Xd external = open(kArmStates).state(1).in.external;
  DOUBLES_EQUAL(0, external.col(0).norm(), 0);
  DOUBLES_EQUAL(7, external(0, 1), 0);
  DOUBLES_EQUAL(6, external(5, 2), 0);
}

TEST(States, AnswersComeBackInTheOrderOfTheFile) {
  StatesFile states = open(kArmStates);
  DenseOutput answer;
  answer.vdot = Eigen::VectorXd{{1, 2, 3, 4, 5, 6, 8, 7}};
  answer.reaction = Matrix6Xd::Zero(6, 3);
  answer.reaction(0, 2) = 0.1;
  states.set_answer(0, answer);
  states.set_answer(1, answer);
  const std::string text = states.text("a test");
  const auto json = nlohmann::json::parse(text);
  STRCMP_EQUAL("a test", json.at("generator").get<std::string>().c_str());
  STRCMP_EQUAL("arm", json.at("name").get<std::string>().c_str());
  STRCMP_EQUAL("[7.0,1.0,2.0,3.0,4.0,5.0,6.0,8.0]", json["states"][0]["qdd"].dump().c_str());
  DOUBLES_EQUAL(0.1, json["states"][0]["reaction"][0][0].get<double>(), 0);

  // what was written can be read, and then holds the answers as references
  const State again = open(text).state(0);
  CHECK_AT_MOST(0, relative_error(again.vdot.value(), answer.vdot), "qdd");
  CHECK_AT_MOST(0, relative_error(again.reaction.value(), answer.reaction), "reaction");
}

TEST(States, NamesMayStandAlone) {
  CHECK(
      complaint(arm_states_with(R"([{"name": "turn"}, {"name": "root_joint"}, {"name": "slide"}])",
                                R"(["turn", "root_joint", "slide"])"))
          .empty());
}

TEST(States, UnknownMissingAndRepeatedJointsAreNamed) {
  STRCMP_EQUAL(
      "s.json: joint 'trun': the robot has no such joint that moves; "
      "remove it or correct the name",
      complaint(arm_states_with("\"turn\"", "\"trun\"")).c_str());
  STRCMP_EQUAL("s.json: joint 'turn': moves but is not listed; add it to 'joints'",
               complaint(arm_states_with("{\"name\": \"turn\"}, ", "")).c_str());
  STRCMP_EQUAL("s.json: joint 'root_joint': moves but is not listed; give --base fixed",
               complaint(arm_states_with("{\"name\": \"root_joint\"}, ", "")).c_str());
  STRCMP_EQUAL("s.json: joint 'turn': is listed twice; remove one",
               complaint(arm_states_with("\"slide\"", "\"turn\"")).c_str());
  STRCMP_EQUAL("s.json: joints[0] has no name; add \"name\"",
               complaint(arm_states_with("{\"name\": \"turn\"}", "7")).c_str());
}

TEST(States, NumbersThatDoNotFitNameStateAndJoint) {
  STRCMP_EQUAL("s.json: state 0: 'qd' has 7 numbers; the joints need 8",
               complaint(arm_states_with("[7, 1, 2,", "[7, 1,")).c_str());
  STRCMP_EQUAL("s.json: state 0: joint 'root_joint': 'tau' holds \"20\"; give a number",
               complaint(arm_states_with("[70, 10, 20,", "[70, 10, \"20\",")).c_str());
  STRCMP_EQUAL("s.json: state 0: has no 'tau'; give 8 numbers",
               complaint(arm_states_with("\"tau\": [70", "\"torque\": [70")).c_str());
  STRCMP_EQUAL(
      "s.json: state 0: joint 'root_joint': the quaternion has no length; "
      "give x y z w of length one",
      complaint(arm_states_with("0, 0, 0, 2, 0.4", "0, 0, 0, 0, 0.4")).c_str());
  STRCMP_EQUAL("s.json: state 1: joint 'slide': 'external' needs six numbers, force then moment",
               complaint(arm_states_with("10, 11, 12]", "10, 11]")).c_str());
  STRCMP_EQUAL("s.json: state 1: gravity: give three numbers",
               complaint(arm_states_with("[0, 0, 0],\n", "[0, 0],\n")).c_str());
}

TEST(States, WhatIsNoFileOfStatesIsRefused) {
  STRCMP_CONTAINS("not valid JSON", complaint("{\"joints\": [").c_str());
  STRCMP_CONTAINS("not valid JSON", complaint("{\"states\": [NaN]}").c_str());
  STRCMP_CONTAINS("overflow", complaint("{\"states\": [1e400]}").c_str());
  STRCMP_CONTAINS("not an object", complaint("[]").c_str());
  STRCMP_CONTAINS("has no array 'states'", complaint("{\"joints\": []}").c_str());
  STRCMP_CONTAINS("has no array 'joints'", complaint("{\"states\": []}").c_str());
  STRCMP_CONTAINS("nested too deeply", complaint(std::string(100000, '[')).c_str());
  CHECK_THROWS(Error, StatesFile(folder.path("absent.json"), tree));
  CHECK_THROWS(Error, StatesFile(folder.path(""), tree));
}
