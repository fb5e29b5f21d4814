// Robots whose files close loops and couple joints, against a peer's numbers: within 1e-8, mimics
// within 1e-9. Measured: see docs/loops.md.
#include <CppUTest/TestHarness.h>

#include <cstdio>
#include <filesystem>

#include "eval/states.hpp"
#include "model/load.hpp"
#include "support/conformance.hpp"
#include "support/scratch_folder.hpp"
#include "support/tolerance.hpp"
#include "text/error.hpp"

using namespace lockstep;

namespace {

constexpr const char* kGeared = R"(<robot name="geared">
  <link name="base"/>
  <link name="arm"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="2" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="rotor"><inertial><mass value="0"/>
    <inertia ixx="0" iyy="0" izz="0.5" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="turn" type="continuous"><parent link="base"/><child link="arm"/>
    <axis xyz="0 0 1"/></joint>
  <joint name="spin" type="continuous"><parent link="base"/><child link="rotor"/>
    <axis xyz="0 0 1"/></joint>
  <coupling name="gear"><predecessor link="arm"/><successor link="rotor"/><ratio value="4"/>
  </coupling>
</robot>)";

host::Tree load(const std::string& file, bool damped = true) {
  host::LoadOptions options;
  options.file = file;
  options.quiet = true;
  options.reduce.ignore_damping = !damped;
  options.keep_rotors = true;
  return host::load_tree(options);
}

// The files that end so, or none and a line on the output.
std::vector<std::filesystem::path> conformance(const char* folder, const std::string& ending) {
  const auto place = std::filesystem::path(LOCKSTEP_CONFORMANCE_DIR) / folder;
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::exists(place)) {
    std::printf("conformance data not found; its %s are not compared\n", folder);
    return files;
  }
  for (const auto& file : std::filesystem::directory_iterator(place)) {
    if (file.path().string().ends_with(ending)) files.push_back(file.path());
  }
  CHECK_FALSE(files.empty());
  return files;
}

std::string robot_of(const std::filesystem::path& states) {
  const std::string name = states.filename().string();
  return (states.parent_path() / (name.substr(0, name.find('.')) + ".urdf")).string();
}

}  // namespace

TEST_GROUP(ClosedRobot){};

TEST(ClosedRobot, LoopsAndCouplingsOfTheWildAgree) {
  for (const auto& file : conformance("urdfplus", ".fixed.loop.json")) {
    test::check_closed(load(robot_of(file)), file.string(), test::ClosedAnswers::kForcesToo, 1e-8);
  }
}

TEST(ClosedRobot, MimicsAgree) {
  for (const auto& file : conformance("robots", ".mimic.json")) {
    test::check_closed(load(robot_of(file), false), file.string(),
                       test::ClosedAnswers::kAccelerations, 1e-9);
  }
}

// 2 + 4^2 0.5 = 10 kg m^2 at the arm
TEST(ClosedRobot, ARotorWithoutMassIsFeltThroughItsGear) {
  const test::ScratchFolder folder;
  const host::Tree tree = load(folder.write("geared.urdf", kGeared));
  const host::StatesFile states(
      folder.write("states.json",
                   R"({"joints": ["turn"], "states": [{"q": [0.5], "qd": [1], "tau": [5]}]})"),
      tree);
  const host::State state = states.state(0);
  DOUBLES_EQUAL(2, state.in.q[1], 1e-15);  // left out of the file: it follows
  DOUBLES_EQUAL(4, state.in.v[1], 1e-15);
  for (const auto scalar : {host::EvalScalar::kDouble, host::EvalScalar::kFloat}) {
    for (const host::ClosedEngine& engine : test::all_ways(tree, scalar)) {
      const host::ClosedAnswer answer = engine(state.in);
      DOUBLES_EQUAL(0.5, answer.out.vdot[0], 1e-6);
      DOUBLES_EQUAL(2, answer.out.vdot[1], 1e-6);
      DOUBLES_EQUAL(-4, answer.generalized[0], 1e-5);
      DOUBLES_EQUAL(1, answer.generalized[1], 1e-5);
    }
  }
}

TEST(ClosedRobot, AJointThatNothingSettlesIsMissed) {
  const test::ScratchFolder folder;
  std::string loose = kGeared;
  loose.erase(loose.find("<coupling"), loose.find("</robot>") - loose.find("<coupling"));
  const host::Tree tree = load(folder.write("loose.urdf", loose));
  const std::string file = folder.write("states.json", R"({"joints": ["turn"], "states": []})");
  try {
    const host::StatesFile states(file, tree);
    FAIL("the rotor is not listed");
  } catch (const host::Error& error) {
    STRCMP_CONTAINS("joint 'spin': moves but is not listed; add it to 'joints'", error.what());
  }
}
