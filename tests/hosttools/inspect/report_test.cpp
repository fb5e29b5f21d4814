#include "inspect/report.hpp"

#include "hosttools/model/robots.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep::test;
using lockstep::host::Charset;
using lockstep::host::make_report;
using lockstep::host::to_json;
using lockstep::host::to_text;

namespace {

Robot two_links() {
  Robot robot;
  for (const char* name : {"base", "arm", "hand"}) robot.heavy_link(name);
  robot.joint("shoulder", UrdfJoint::kRevolute, "base", "arm");
  robot.joint("wrist", UrdfJoint::kBall, "arm", "hand");
  return robot;
}

}  // namespace

TEST_GROUP(Report){};

TEST(Report, TextShowsTreeOrdersCostAndSize) {
  const std::string text = to_text(make_report(two_links().fixed()), Charset::kAscii);
  CHECK_TRUE(has(text, "'robot': 2 bodies, 4 degrees of freedom, 8 multipliers, hash 0x"));
  CHECK_TRUE(has(text, "`- 1 'hand': ball 'wrist', 2 kg"));
  CHECK_TRUE(has(text, "  Forward  B1:6 C1:3 B0:6 C0:5\n"));
  CHECK_TRUE(has(text, "  Backward C0:5 B0:6 C1:3 B1:6\n"));
  CHECK_TRUE(has(text, "  straight line: "));
  CHECK_TRUE(has(text, "  loops or table: "));
  CHECK_FALSE(has(text, "cortex"));
  CHECK_TRUE(has(text, "  float  model "));
  CHECK_TRUE(has(text, "  double model "));
}

TEST(Report, JsonHoldsTheSame) {
  const auto json = to_json(make_report(two_links().floating()));
  LONGS_EQUAL(12, json["coordinates"].get<int>());
  LONGS_EQUAL(10, json["degrees_of_freedom"].get<int>());
  LONGS_EQUAL(8, json["multipliers"].get<int>());
  LONGS_EQUAL(3, json["bodies"].size());
  STRCMP_EQUAL("root_joint", json["bodies"][0]["joint"].get<std::string>().c_str());
  STRCMP_EQUAL("floating", json["bodies"][0]["type"].get<std::string>().c_str());
  LONGS_EQUAL(1, json["bodies"][2]["parent"].get<int>());
  LONGS_EQUAL(5, json["forward"].size());
  STRCMP_EQUAL("constraint", json["forward"][1]["kind"].get<std::string>().c_str());
  LONGS_EQUAL(3, json["forward"][1]["dimension"].get<int>());
  LONGS_EQUAL(4, json["backward"][0].get<int>());
  const auto& operations = json["operations"];
  CHECK_TRUE(operations["straight"]["multiplications"].get<int>() > 100);
  CHECK_TRUE(operations["straight"]["multiplications"] < operations["loop"]["multiplications"]);
  CHECK_TRUE(json["bytes"]["float"]["workspace"] < json["bytes"]["double"]["workspace"]);
}

TEST(Report, RobotWithoutBodiesIsReportedToo) {
  Robot robot;
  robot.link("base");
  const auto report = make_report(robot.fixed());
  CHECK_TRUE(has(to_text(report, Charset::kAscii), "0 bodies"));
  LONGS_EQUAL(0, to_json(report)["bodies"].size());
}
