// lockstep eval of a mechanism, as a user runs it.
#include <CppUTest/TestHarness.h>

#include "commands.hpp"
#include "support/run_command.hpp"
#include "support/scratch_folder.hpp"
#include "system/json_file.hpp"
#include "text/error.hpp"

using namespace lockstep;
using namespace lockstep::test;

TEST_GROUP(EvalMechanism) {
  ScratchFolder folder;
  const std::string pendulum = LOCKSTEP_MODELS_DIR "/mechanisms/rod_pendulum.xml";

  host::Json eval(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--quiet", "--out", folder.path("out.json")});
    arguments.insert(arguments.begin(), "eval");
    run_command(host::add_eval_command, arguments);
    return host::read_json(folder.path("out.json"), "answers");
  }
  void check(const std::string& expected, const std::vector<std::string>& arguments) {
    try {
      eval(arguments);
      FAIL(("nothing was wrong; expected " + expected).c_str());
    } catch (const host::Error& error) {
      STRCMP_CONTAINS(expected.c_str(), error.what());
    }
  }
};

// Hanging at rest the rod carries the weight and nothing moves.
TEST(EvalMechanism, APendulumAtRest) {
  const std::string states =
      folder.write("s.json", R"({"states": [{"x": {"bob": [0, 0, -1]}, "v": {"bob": [0, 0, 0]}},
                               {"x": {"bob": [1, 0, 0]}, "v": {"bob": [0, 0, 0]},
                                "gravity": [0, 0, -2]}]})");
  for (const char* scalar : {"double", "float"}) {
    const host::Json answers = eval({pendulum, "--states", states, "--scalar", scalar});
    const auto& hanging = answers["states"][0];
    const double weight = hanging["lambda"]["rod"].get<double>();
    CHECK(std::abs(weight) > 1);
    for (const auto& a : hanging["vdot"]["bob"]) DOUBLES_EQUAL(0, a.get<double>(), 1e-5);
    const auto& level = answers["states"][1];
    DOUBLES_EQUAL(-2, level["vdot"]["bob"][2].get<double>(), 1e-6);
    DOUBLES_EQUAL(0, level["lambda"]["rod"].get<double>(), 1e-6);
  }
}

TEST(EvalMechanism, WithoutStatesItIsTheMechanismsOwn) {
  const host::Json answers = eval({pendulum});
  LONGS_EQUAL(1, answers["states"].size());
  CHECK(answers["states"][0]["vdot"].contains("bob"));
  CHECK(answers["states"][0]["position_error"].contains("rod"));
}

TEST(EvalMechanism, BadStates) {
  check("give a robot and --states FILE", {LOCKSTEP_MODELS_DIR "/pendulum.urdf"});
  check("leave out --method", {pendulum, "--method", "direct"});
  check("has no array 'states'", {pendulum, "--states", folder.write("a.json", "{}")});
  check("state 0: 'speed' is not known",
        {pendulum, "--states", folder.write("b.json", R"({"states": [{"speed": 1}]})")});
  check("state 0: 'x': body 'bob': give 3 numbers",
        {pendulum, "--states", folder.write("c.json", R"({"states": [{"x": {"bob": 1}}]})")});
}
