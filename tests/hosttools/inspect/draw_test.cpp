#include "inspect/draw.hpp"

#include <cstdlib>

#include "hosttools/model/robots.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep::test;
using lockstep::host::Charset;
using lockstep::host::draw_tree;
using lockstep::host::terminal_charset;

namespace {

Robot robot_with_two_arms() {
  Robot robot;
  for (const char* name : {"base", "left", "hand", "right", "tool"}) robot.heavy_link(name);
  robot.joint("l", UrdfJoint::kRevolute, "base", "left").damping = 0.5;
  robot.joint("h", UrdfJoint::kPrismatic, "left", "hand");
  robot.joint("r", UrdfJoint::kBall, "base", "right");
  robot.joint("t", UrdfJoint::kFixed, "right", "tool");
  return robot;
}

}  // namespace

TEST_GROUP(Draw){void setup() override{for (const char* name
                                            : {"LC_ALL", "LC_CTYPE", "LANG"})::unsetenv(name);
}
}
;

TEST(Draw, BranchesHangOnTheirParents) {
  STRCMP_EQUAL(
      "world\n"
      "|- 0 'left': revolute 'l', 2 kg, damping 0.5\n"
      "|  `- 1 'hand': prismatic 'h', 2 kg\n"
      "`- 2 'right': ball 'r', 4 kg, 1 fixed to it\n",
      draw_tree(robot_with_two_arms().fixed(), Charset::kAscii).c_str());
}

TEST(Draw, Utf8TerminalsGetLines) {
  const std::string text = draw_tree(robot_with_two_arms().fixed(), Charset::kUtf8);
  CHECK_TRUE(has(text, "\n\u2502  \u2514\u2500 1 'hand'"));
}

TEST(Draw, LocaleDecidesTheCharset) {
  CHECK_TRUE(terminal_charset() == Charset::kAscii);
  ::setenv("LANG", "de_DE.UTF-8", 1);
  CHECK_TRUE(terminal_charset() == Charset::kUtf8);
  ::setenv("LC_ALL", "C", 1);
  CHECK_TRUE(terminal_charset() == Charset::kAscii);
  ::setenv("LC_ALL", "C.utf8", 1);
  CHECK_TRUE(terminal_charset() == Charset::kUtf8);
}

TEST(Draw, NamesCannotSteerTheTerminal) {
  Robot robot = robot_with_two_arms();
  robot.description.joints[0].name = "\x1B[2J\n";
  const std::string text = draw_tree(robot.fixed(), Charset::kAscii);
  CHECK_FALSE(has(text, "\x1B"));
  LONGS_EQUAL(4, std::count(text.begin(), text.end(), '\n'));
}
