#include "inspect/loop_report.hpp"

#include "hosttools/compile/robot_files.hpp"
#include "hosttools/model/robots.hpp"
#include "inspect/report.hpp"
#include "model/merge.hpp"
#include "support/geared_tree.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep::test;
using lockstep::host::loops_text;

TEST_GROUP(LoopReport){};

TEST(LoopReport, TextTellsEndsRowsAndEquations) {
  STRCMP_EQUAL(
      "\nLoops and couplings, 8 rows\n"
      "  'linkage': revolute from 'coupler' to 'rocker', 5 rows\n"
      "  'rail': point_on_plane from world to 'slider', 1 row\n"
      "  'gearbox': -6 'crank_joint' - 6 'coupler_joint' + 'rotor_joint' = 0; a row: ties "
      "more than two joints\n"
      "  'slide': 0.1 'crank_joint' + 'slide' = 0.01\n",
      loops_text(load(linked_robot_file())).c_str());
  STRCMP_EQUAL("", loops_text(random_robot(1, 5).fixed()).c_str());
}

TEST(LoopReport, TiedJointsAreTold) {
  using namespace lockstep::host;
  const Tree tree = merge_rotors(lockstep::test::geared_tree(
      {.shape = lockstep::test::Shape::kChain, .bodies = 1, .only_turning = true}, false));
  const std::string text = to_text(make_report(tree), Charset::kAscii);
  CHECK_TRUE(has(text, "\nJoints tied to others, " + std::to_string(tree.bodies.size() - 1) +
                           "\n  'joint_1' moves "));
  CHECK_TRUE(has(text, " times as far as 'joint_0'\n"));
  const auto json = to_json(make_report(tree));
  LONGS_EQUAL(0, json["bodies"][1]["tied"]["body"]);
  DOUBLES_EQUAL(tree.bodies[1].tie.ratio, json["bodies"][1]["tied"]["ratio"], 0);
}

TEST(LoopReport, MergedRotorsAreTold) {
  using namespace lockstep::host;
  const Tree tree = merge_rotors(lockstep::test::geared_tree(
      {.shape = lockstep::test::Shape::kChain, .bodies = 2, .only_turning = true}));
  const std::string text = to_text(make_report(tree), Charset::kAscii);
  const std::size_t count = tree.rotors.size();
  CHECK_TRUE(count >= 2);
  CHECK_TRUE(
      has(text, "\nRotors merged into joints, " + std::to_string(count) + "\n  'joint_2' = "));
  CHECK_TRUE(has(text, ", armature "));
  const auto json = to_json(make_report(tree));
  LONGS_EQUAL(count, json["rotors"].size());
  DOUBLES_EQUAL(tree.rotors[1].ratio, json["rotors"][1]["ratio"].get<double>(), 0);
  DOUBLES_EQUAL(tree.bodies[1].armature, json["bodies"][1]["armature"].get<double>(), 0);
}

TEST(LoopReport, ReportsHoldThemAndTheDependentJoints) {
  using namespace lockstep::host;
  const Report report = make_report(load(linked_robot_file()));
  const std::string text = to_text(report, Charset::kAscii);
  CHECK_TRUE(has(text, "'coupler': revolute 'coupler_joint', 0.7 kg, dependent\n"));
  CHECK_TRUE(has(text, "\nLoops and couplings, 8 rows\n"));
  const auto json = to_json(report);
  LONGS_EQUAL(2, json["loops"].size());
  LONGS_EQUAL(5, json["loops"][0]["rows"].get<int>());
  LONGS_EQUAL(-1, json["loops"][1]["predecessor"].get<int>());
  LONGS_EQUAL(3, json["couplings"][0]["terms"].size());
  CHECK_FALSE(json["bodies"][1]["independent"].get<bool>());
  CHECK_FALSE(json["bodies"][2].contains("independent"));
  CHECK_FALSE(to_json(make_report(random_robot(1, 5).fixed())).contains("loops"));
}
