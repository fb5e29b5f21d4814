#include "commands.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "hosttools/doctor/linkages.hpp"
#include "hosttools/urdf/arm.hpp"
#include "model/load.hpp"
#include "robot/state_file.hpp"
#include "support/run_command.hpp"
#include "support/scratch_folder.hpp"
#include "text/error.hpp"

#include <CppUTest/TestHarness.h>

using lockstep::test::arm_with;
using lockstep::test::kArm;

namespace {

struct Outcome {
  int exit_code = 0;
  std::string output;
  std::string refusal;
};

// Runs `lockstep doctor` with its standard output sent to a file.
Outcome doctor(const std::filesystem::path& folder, std::vector<std::string> arguments) {
  const std::filesystem::path output = folder / "output";
  arguments.insert(arguments.begin(), "doctor");

  std::fflush(stdout);
  const int before = ::dup(STDOUT_FILENO);
  std::FILE* file = std::fopen(output.c_str(), "w");
  ::dup2(::fileno(file), STDOUT_FILENO);
  Outcome outcome;
  try {
    outcome.exit_code = lockstep::test::run_command(lockstep::host::add_doctor_command, arguments);
  } catch (const lockstep::test::UsageError&) {
    outcome.exit_code = -1;
  } catch (const lockstep::host::Error& error) {
    outcome.refusal = error.what();
  }
  ::dup2(before, STDOUT_FILENO);
  ::close(before);
  std::fclose(file);

  std::ifstream stream(output);
  outcome.output.assign(std::istreambuf_iterator<char>(stream), {});
  return outcome;
}

}  // namespace

TEST_GROUP(Doctor) {
  lockstep::test::ScratchFolder scratch;
  const std::filesystem::path& folder = scratch.path();

  std::string file(const std::string& name, const std::string& text) {
    return scratch.write(name, text);
  }
};

TEST(Doctor, SoundRobotExitsWithZero) {
  const Outcome outcome = doctor(folder, {file("arm.urdf", std::string(kArm))});
  CHECK_EQUAL(0, outcome.exit_code);
  STRCMP_EQUAL("1 file: 0 errors, 0 warnings, 0 notes\n", outcome.output.c_str());
}

TEST(Doctor, FindingsOfEveryFileArePrintedAndTheSummaryIsLast) {
  const std::string bad = file("bad.urdf", arm_with("0 1 0", "0 0 0"));
  const std::string worse = file("worse.urdf", arm_with("iyy=\"0.025\"", "iyy=\"5\""));
  const Outcome outcome = doctor(folder, {bad, worse, (folder / "none.urdf").string()});
  CHECK_EQUAL(1, outcome.exit_code);
  CHECK_TRUE(
      outcome.output.find("bad.urdf:14: error: joint 'shoulder': axis has zero length; give a "
                          "non-zero <axis xyz=...> [zero-axis]\n") != std::string::npos);
  CHECK_TRUE(outcome.output.find("worse.urdf:7: warning: ") != std::string::npos);
  CHECK_TRUE(outcome.output.find("none.urdf: error: ") != std::string::npos);
  CHECK_TRUE(outcome.output.ends_with("\n3 files: 2 errors, 1 warning, 0 notes\n"));
}

TEST(Doctor, WarningsExitWithOneAndNotesOnlyWhenStrict) {
  const std::string noted = file("noted.urdf", arm_with("0 1 0", "0 2 0"));
  CHECK_EQUAL(0, doctor(folder, {noted}).exit_code);
  CHECK_EQUAL(1, doctor(folder, {noted, "--strict"}).exit_code);
  const std::string warned = file("warned.urdf", arm_with("iyy=\"0.025\"", "iyy=\"5\""));
  CHECK_EQUAL(1, doctor(folder, {warned}).exit_code);
}

TEST(Doctor, JsonHoldsEveryFinding) {
  const std::string bad = file("bad.urdf", arm_with("0 1 0", "0 0 0"));
  const auto json = nlohmann::json::parse(doctor(folder, {bad, "--json"}).output);
  CHECK_EQUAL(1, json.at("errors").get<int>());
  const auto& finding = json.at("files").at(0).at("findings").at(0);
  CHECK_TRUE(finding.at("rule") == "zero-axis");
  CHECK_EQUAL(14, finding.at("line").get<int>());
  CHECK_TRUE(finding.at("severity") == "error");
}

TEST(Doctor, LimitsAreAdjustable) {
  const std::string arm = file("arm.urdf", std::string(kArm));
  CHECK_EQUAL(1, doctor(folder, {arm, "--max-bytes", "100"}).exit_code);
  CHECK_EQUAL(1, doctor(folder, {arm, "--max-depth", "2"}).exit_code);
  CHECK_EQUAL(0, doctor(folder, {arm, "--max-depth", "4", "--max-bytes", "10000"}).exit_code);
  CHECK_EQUAL(-1, doctor(folder, {arm, "--max-depth", "0"}).exit_code);
}

TEST(Doctor, RobotWithoutInertiaToMoveIsAnError) {
  const std::string text =
      "<robot name='r'><link name='base'/><link name='ghost'/>"
      "<joint name='j' type='continuous'><parent link='base'/>"
      "<child link='ghost'/></joint></robot>";
  const Outcome outcome = doctor(folder, {file("ghost.urdf", text)});
  CHECK_EQUAL(1, outcome.exit_code);
  CHECK_TRUE(outcome.output.find("'ghost'") != std::string::npos);
  CHECK_TRUE(outcome.output.find("[no-model]") != std::string::npos);
}

TEST(Doctor, BaseMayFloat) {
  const std::string ghost = file("ghost.urdf", "<robot name='r'><link name='ghost'/></robot>");
  const Outcome fixed = doctor(folder, {ghost, "--base", "fixed"});
  CHECK_TRUE(fixed.output.find("[no-model]") == std::string::npos);
  const Outcome floating = doctor(folder, {ghost, "--base", "floating"});
  CHECK_EQUAL(1, floating.exit_code);
  CHECK_TRUE(floating.output.find("'root_joint' has no inertia to move") != std::string::npos);
}

TEST(Doctor, AssembledPoseIsAStartOfTheSimulation) {
  const std::string linkage =
      file("linkage.urdf", lockstep::test::four_bar("0.6", "point_on_line"));
  const Outcome outcome = doctor(folder, {linkage, "--assemble"});
  CHECK_EQUAL(0, outcome.exit_code);
  const std::string start = file("start.json", outcome.output);
  lockstep::host::LoadOptions load;
  load.file = linkage;
  load.quiet = true;
  const auto tree = lockstep::host::load_tree(load);
  const Eigen::VectorXd q = lockstep::host::read_start(start, tree).q;
  const auto json = nlohmann::json::parse(outcome.output);
  CHECK_EQUAL(3u, json.at("q").size());
  CHECK_EQUAL(json.at("q").at("to_rocker").get<double>(), q[2]);
  CHECK_TRUE(q[2] != 0);
}

TEST(Doctor, WhatCannotBeAssembledIsRefused) {
  const std::string short_one = file("short.urdf", lockstep::test::four_bar("1.6", "revolute"));
  const Outcome refused = doctor(folder, {short_one, "--assemble"});
  CHECK_TRUE(refused.refusal.find("short.urdf: no pose was found") != std::string::npos);
  CHECK_TRUE(refused.output.empty());
  const std::string arm = file("arm.urdf", std::string(kArm));
  CHECK_TRUE(doctor(folder, {arm, arm, "--assemble"}).refusal == "--assemble: give one file");
}
