// The robots of models/ against the answers of MuJoCo, DART, Bullet and Simbody that travel with
// the project (tests/reference, written by tests/bench/reference/make-reference): trees within
// 1e-9, loops 1e-8, mimics 1e-9; float within its derived bound (support/float_bound.hpp). A file
// that is not there fails. Measured: see docs/accuracy.md.
#include <CppUTest/TestHarness.h>

#include <filesystem>
#include <set>

#include "support/conformance.hpp"
#include "support/float_bound.hpp"
#include "support/tolerance.hpp"

namespace lockstep::test {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kStates = 6;

struct Expected {
  const char* model;  // in models/, without .urdf
  const char* kind;   // the file's ending; of a tree, its base
  const char* base;
};

constexpr Expected kTrees[] = {
    {"pendulum", "fixed", "fixed"},     {"double_pendulum", "fixed", "fixed"},
    {"six_axis_arm", "fixed", "fixed"}, {"seven_axis_arm", "fixed", "fixed"},
    {"quadruped", "fixed", "fixed"},    {"quadruped", "floating", "floating"},
    {"humanoid", "fixed", "fixed"},     {"humanoid", "floating", "floating"},
    {"ball_tree_31", "fixed", "fixed"},
};
constexpr Expected kLoops[] = {
    {"loops/four_bar", "loop", "fixed"},
    {"loops/six_bar", "loop", "fixed"},
    {"loops/slider_crank", "loop", "fixed"},
    {"loops/stewart_platform", "loop", "fixed"},
    {"loops/two_arms_one_object", "loop", "fixed"},
    {"loops/chain_both_ends", "loop", "fixed"},
    {"loops/geared_chain", "loop", "fixed"},
    {"geared_quadruped", "loop", "floating"},
    {"gripper", "loop", "fixed"},
};
constexpr Expected kMimics[] = {{"gripper", "mimic", "fixed"}};

std::string file_of(const Expected& expected) {
  return fs::path(expected.model).filename().string() + "." + expected.kind + ".json";
}

// Fails with the file's name where it is missing, broken or says too little.
nlohmann::json read_answers(const fs::path& path) {
  const std::string name = path.string();
  CHECK_TEXT(fs::is_regular_file(path) && fs::file_size(path) > 0,
             (name + ": is not there; tests/bench/reference/make-reference writes it").c_str());
  nlohmann::json json;
  try {
    json = read_json(name);
  } catch (const nlohmann::json::exception& error) {
    FAIL((name + ": " + error.what()).c_str());
  }
  CHECK_TEXT(json.contains("states") && json["states"].size() >= kStates,
             (name + ": has too few states").c_str());
  return json;
}

ConformanceCase case_of(const Expected& expected) {
  const fs::path path = fs::path(LOCKSTEP_REFERENCE_DIR) / file_of(expected);
  const auto json = read_answers(path);
  CHECK_EQUAL_TEXT(std::string(expected.base), json.value("base", ""), path.c_str());
  return {.name = file_of(expected),
          .base = expected.base,
          .urdf = std::string(LOCKSTEP_MODELS_DIR) + "/" + expected.model + ".urdf",
          .states_file = path.string()};
}

AnswerBound bound_of_float(const host::Tree& tree, const host::State& state, double condition,
                           host::EvalMethod method) {
  const double bound = float_bound(tree.bodies, condition, method);
  if (tree.bodies.size() > 1) return {bound, bound};
  // one joint has a condition of one, which leaves no room for a weight that carries itself
  const auto [vdot, reaction] =
      cancellation_of(tree.bodies, state.in, {.vdot = *state.vdot, .reaction = *state.reaction});
  return {bound * vdot, bound * reaction};
}

}  // namespace

TEST_GROUP(Reference){};

TEST(Reference, NothingElseIsInTheFolder) {
  std::set<std::string> expected, found;
  CHECK_TEXT(fs::is_directory(LOCKSTEP_REFERENCE_DIR), LOCKSTEP_REFERENCE_DIR " is not there");
  for (const Expected& e : kTrees) expected.insert(file_of(e));
  for (const Expected& e : kLoops) expected.insert(file_of(e));
  for (const Expected& e : kMimics) expected.insert(file_of(e));
  for (const auto& entry : fs::directory_iterator(LOCKSTEP_REFERENCE_DIR)) {
    if (entry.path().extension() == ".json") found.insert(entry.path().filename().string());
  }
  for (const std::string& file : found) CHECK_TEXT(expected.contains(file), file.c_str());
  CHECK_EQUAL(expected.size(), found.size());
}

TEST(Reference, EveryAnswerHasTwoPeersThatAgree) {
  const auto check = [](const Expected& expected) {
    const ConformanceCase robot = case_of(expected);
    const auto peers = read_json(robot.states_file).at("provenance").at("peers");
    CHECK_TEXT(peers.size() >= 2, robot.name.c_str());
    for (std::size_t i = 1; i < peers.size(); ++i) {
      for (const auto& [what, value] : peers[i].at("disagreement").items()) {
        CHECK_AT_MOST(1e-9, value.get<double>(), (robot.name + ": " + what).c_str());
      }
    }
  };
  for (const Expected& expected : kTrees) check(expected);
  for (const Expected& expected : kLoops) check(expected);
  for (const Expected& expected : kMimics) check(expected);
}

TEST(Reference, TreesAgreeInDouble) {
  for (const Expected& expected : kTrees) {
    check_tree(case_of(expected), host::EvalScalar::kDouble, [](const auto&...) {
      return AnswerBound{1e-9, 1e-9};
    });
  }
}

TEST(Reference, TreesStayWithinTheBoundOfFloat) {
  for (const Expected& expected : kTrees) {
    check_tree(case_of(expected), host::EvalScalar::kFloat, bound_of_float);
  }
}

TEST(Reference, LoopsAndCouplingsAgree) {
  for (const Expected& expected : kLoops) {
    const ConformanceCase robot = case_of(expected);
    check_closed(load_closed(robot), robot.states_file, ClosedAnswers::kForcesToo, 1e-8);
  }
}

TEST(Reference, MimicsAgree) {
  for (const Expected& expected : kMimics) {
    const ConformanceCase robot = case_of(expected);
    check_closed(load_closed(robot), robot.states_file, ClosedAnswers::kAccelerations, 1e-9);
  }
}

}  // namespace lockstep::test
