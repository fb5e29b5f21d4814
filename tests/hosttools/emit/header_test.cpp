#include "emit/header.hpp"

#include <cstdlib>

#include "hosttools/model/robots.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep;
using namespace lockstep::test;
using host::emit_header;
using host::EmitOptions;
using host::Tree;

namespace {

const EmitOptions kOptions = {.struct_name = "robot_model", .source = "robot.urdf"};

// The numbers behind `.name = {`, one list for each time it occurs.
std::vector<std::vector<double>> lists(const std::string& text, const std::string& name) {
  std::vector<std::vector<double>> result;
  const std::string start = "." + name + " = {";
  for (std::size_t at = text.find(start); at != std::string::npos; at = text.find(start, at)) {
    at += start.size();
    std::vector<double>& list = result.emplace_back();
    for (const char* next = text.c_str() + at; *next != '}';) {
      char* end = nullptr;
      list.push_back(std::strtod(next, &end));
      next = *end == ',' ? end + 1 : end;
    }
  }
  return result;
}

}  // namespace

TEST_GROUP(Emit){};

TEST(Emit, NumbersReadBackToTheSameBits) {
  const Tree tree = random_robot(9, 20).floating();
  const std::string text = emit_header(tree, kOptions);
  const auto inertias = lists(text, "inertia"), moments = lists(text, "h");
  LONGS_EQUAL(tree.bodies.size(), inertias.size());
  LONGS_EQUAL(tree.bodies.size(), moments.size());
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const auto& inertia = tree.bodies[i].inertia;
    CHECK_TRUE(std::equal(inertias[i].begin(), inertias[i].end(), inertia.begin(), inertia.end()));
    const auto& h = tree.bodies[i].h;
    CHECK_TRUE(std::equal(moments[i].begin(), moments[i].end(), h.begin(), h.end()));
  }
}

TEST(Emit, SameTreeGivesTheSameBytesWithoutTimeOrPath) {
  const Tree tree = random_robot(9, 20).floating();
  CHECK_TRUE(emit_header(tree, kOptions) == emit_header(tree, kOptions));
  Tree renamed = tree;
  renamed.bodies[0].mass += 1;
  CHECK_FALSE(emit_header(tree, kOptions) == emit_header(renamed, kOptions));
}

TEST(Emit, LinesFitAHundredColumnsOfAscii) {
  const std::string text = emit_header(random_robot(9, 40).floating(), kOptions);
  std::size_t column = 0;
  for (const char c : text) {
    column = c == '\n' ? 0 : column + 1;
    CHECK_TRUE(column <= 100);
    CHECK_TRUE(c == '\n' || (c >= ' ' && c <= '~'));
  }
}

TEST(Emit, NamesCannotLeaveTheirStringsOrComments) {
  Tree tree = random_robot(2, 3).fixed();
  tree.name = "a\"b\\c\nd?\?/e\xC3\xA4\x7F";
  tree.link_names[0] = "end\\";
  tree.joint_names[0] = "two\nlines */ \\";
  const std::string text = emit_header(tree, kOptions);
  CHECK_TRUE(has(text, R"(kName = "a\"b\\c\012d\?\?/e\303\244\177";)"));
  CHECK_TRUE(has(text, "// 0: end_, carried by two_lines */ _\n"));
  CHECK_TRUE(has(text, R"("two\012lines */ \\")"));
  CHECK_FALSE(has(text, "\\\n"));
}

TEST(Emit, DefaultsAreLeftOut) {
  Robot robot;
  robot.link("base");
  robot.heavy_link("arm").com.setZero();
  robot.joint("turn", UrdfJoint::kRevolute, "base", "arm").axis = {0, 0, 1};
  const std::string text = emit_header(robot.fixed(), kOptions);
  for (const char* field : {".R_PJ", ".p_PJ", ".R_LB", ".h ", ".damping", ".limits", ".mimic"}) {
    CHECK_FALSE(has(text, field));
  }
  CHECK_TRUE(has(text,
                 "      {.parent = lockstep::kWorld,\n"
                 "       .joint = lockstep::JointType::kRevolute,\n"
                 "       .mass = 2,\n"
                 "       .inertia = {0.02, 0, 0, 0.03, 0, 0.04}},\n"));
  CHECK_TRUE(has(text, "1 body, 1 degree of freedom, 5 multipliers."));
}

TEST(Emit, InfiniteLimitsAreLeftToTheDefaults) {
  Robot robot;
  robot.link("base");
  robot.heavy_link("arm");
  robot.joint("turn", UrdfJoint::kRevolute, "base", "arm").limits = {
      .lower = {}, .upper = 0.5, .velocity = {}, .effort = 1e22};
  const std::string text = emit_header(robot.fixed(), kOptions);
  CHECK_TRUE(has(text, ".limits = {.upper = 0.5, .effort = 1e+22}"));
  CHECK_FALSE(has(text, "inf"));
}

TEST(Emit, LongWholeNumbersStayFloatingPoint) {
  Robot robot;
  robot.link("base");
  robot.heavy_link("arm").mass = 123456789012345683968.0;
  robot.joint("turn", UrdfJoint::kRevolute, "base", "arm");
  CHECK_TRUE(has(emit_header(robot.fixed(), kOptions), ".mass = 123456789012345683968.0,"));
}

TEST(Emit, RobotWithNothingButATreeSaysNothingOfLoops) {
  const std::string text = emit_header(random_robot(9, 20).floating(), kOptions);
  CHECK_FALSE(has(text, "Loop") || has(text, "Coupling") || has(text, "maximal"));
}

TEST(Emit, RigidRobotHasEmptyArrays) {
  Robot robot;
  robot.heavy_link("base");
  const std::string text = emit_header(robot.fixed(), kOptions);
  CHECK_TRUE(has(text, "std::array<lockstep::Body, 0> kBodies = {};"));
  CHECK_TRUE(has(text, "std::array<int, 0> kBackward = {};"));
  CHECK_TRUE(has(text, "std::array<std::string_view, 1> kFrameNames = {\"base\"};"));
}
