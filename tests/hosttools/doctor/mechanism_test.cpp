#include "doctor/mechanism.hpp"

#include <filesystem>

#include "doctor/checkup.hpp"
#include "doctor/row_space.hpp"
#include "hosttools/doctor/linkages.hpp"
#include "hosttools/model/robots.hpp"
#include "model/loop_rows.hpp"
#include "robot/assemble.hpp"
#include "support/conformance.hpp"
#include "urdf/read.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep;
using namespace lockstep::test;
using host::Finding;
using host::Severity;

namespace {

std::vector<Finding> findings_of(const std::string& text) {
  std::vector<Finding> warnings;
  const Description robot = host::read_urdf_text(text, "robot.urdf", {}, warnings);
  host::Findings findings;
  host::check_mechanism(robot, host::reduce(robot, {}), findings);
  return std::move(findings).by_line();
}

const Finding* find(const std::vector<Finding>& findings, const std::string& rule) {
  for (const Finding& finding : findings) {
    if (finding.rule == rule) return &finding;
  }
  return nullptr;
}

}  // namespace

TEST_GROUP(Mechanism){};

TEST(Mechanism, OpenLoopTellsTheGapAndItsRow) {
  const auto findings = findings_of(four_bar("0.6", "point_on_line"));
  LONGS_EQUAL(1, findings.size());
  STRCMP_EQUAL("open-loop", findings[0].rule.c_str());
  STRCMP_EQUAL("note", to_string(findings[0].severity));
  LONGS_EQUAL(8, findings[0].line);
  CHECK_TRUE(has(findings[0].message, "loop 'loop': is open at the zero pose by 0.1 m in row "));
  CHECK_TRUE(has(findings[0].message, " of 2"));
}

TEST(Mechanism, PlanarFourBarHasThreeRedundantRows) {
  const auto findings = findings_of(four_bar("0.6", "revolute"));
  const Finding* redundant = find(findings, "redundant-rows");
  CHECK_TRUE(redundant != nullptr);
  STRCMP_EQUAL("loop 'loop': 3 of its 5 rows are redundant", redundant->message.c_str());
  CHECK_TRUE(find(findings, "immobile") == nullptr);
}

TEST(Mechanism, LinksInLineAreASingularPose) {
  const auto findings = findings_of(four_bar("0.5", "point_on_line"));
  LONGS_EQUAL(1, findings.size());
  STRCMP_EQUAL("singular-pose", findings[0].rule.c_str());
  CHECK_TRUE(has(findings[0].message, "have rank 1 at the zero pose, 2 elsewhere"));
}

TEST(Mechanism, LoopThatCannotCloseIsAWarning) {
  const auto findings = findings_of(four_bar("1.6", "revolute"));
  const Finding* finding = find(findings, "no-assembly");
  CHECK_TRUE(finding != nullptr && finding->severity == Severity::kWarning);
}

TEST(Mechanism, TriangleIsImmobile) {
  const auto findings = findings_of(robot(hinge("base", "a", "0") + hinge("base", "b", ".5") +
                                          loop("point_on_line", "a", ".6 0 0", "b", ".4 0 0")));
  const Finding* finding = find(findings, "immobile");
  CHECK_TRUE(finding != nullptr && finding->severity == Severity::kWarning);
  CHECK_TRUE(has(finding->message, "leave nothing to move"));
}

TEST(Mechanism, JointThatIsHeldWhileOthersMoveIsNamed) {
  const auto findings = findings_of(
      robot(hinge("base", "a", "0") + hinge("a", "b", ".5") +
            "<coupling name='c'><predecessor link='a'/><successor link='b'/></coupling>"));
  LONGS_EQUAL(1, findings.size());
  STRCMP_EQUAL("immobile", findings[0].rule.c_str());
  LONGS_EQUAL(5, findings[0].line);
  CHECK_TRUE(has(findings[0].message, "joint 'to_b': cannot move"));
}

TEST(Mechanism, CouplingSaidTwiceIsRedundant) {
  const std::string ends = "<predecessor link='a'/><successor link='b'/>";
  const auto findings =
      findings_of(robot(hinge("base", "a", "0") + hinge("base", "b", "1") + "<coupling name='c'>" +
                        ends + "</coupling>\n<coupling name='d'>" + ends + "</coupling>"));
  LONGS_EQUAL(1, findings.size());
  LONGS_EQUAL(7, findings[0].line);
  CHECK_TRUE(has(findings[0].message, "coupling 'd': is redundant"));
}

TEST(Mechanism, TreesHaveNoFinding) {
  LONGS_EQUAL(0, findings_of(robot(hinge("base", "a", "0"))).size());
}

// Ranks that another program found.
TEST(Mechanism, RanksAreThoseOfTheConformanceData) {
  const std::string folder = LOCKSTEP_CONFORMANCE_DIR "/urdfplus/";
  if (!std::filesystem::exists(folder)) {
    UT_PRINT("no conformance data beside the project");
    return;
  }
  for (const char* name : {"four_bar", "mini_cheetah_leg", "planar_leg_linkage",
                           "revolute_rotor_chain", "tilted_four_bar"}) {
    std::vector<Finding> warnings;
    const host::Tree tree =
        host::reduce(host::read_urdf(folder + name + ".urdf", {}, warnings), {});
    const auto file = read_json(folder + name + ".fixed.loop.json");
    const auto q = host::assemble_elsewhere(tree);
    CHECK_TRUE_TEXT(q.has_value(), name);
    const host::RowSpace space(host::evaluate_rows(tree, *q).J);
    LONGS_EQUAL_TEXT(file.at("constraint_rank").get<int>(), space.rank(), name);
    for (const Finding& finding : host::check_up(folder + name + ".urdf", {})) {
      CHECK_TRUE_TEXT(finding.severity != Severity::kError, finding.message.c_str());
    }
  }
}
