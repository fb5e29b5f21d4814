#include "urdf/rules.hpp"

#include "hosttools/urdf/arm.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep::host;
using lockstep::test::arm_with;
using lockstep::test::findings_of;
using lockstep::test::kArm;

namespace {

struct Case {
  std::string_view from, to;  // the change that breaks the arm
  const char* rule;
  int line;
};

// Exactly one finding, and that one.
void check_case(const Case& c, Severity severity) {
  const std::vector<Finding> findings = findings_of(arm_with(c.from, c.to));
  const std::string context = std::string(c.from) + " -> " + std::string(c.to);
  if (findings.size() != 1) {
    std::string text = context;
    for (const Finding& f : findings) text += "\n  " + format_labelled("arm.urdf", f);
    CHECK_EQUAL_TEXT(1u, findings.size(), text.c_str());
  }
  STRCMP_EQUAL_TEXT(c.rule, findings[0].rule.c_str(), context.c_str());
  CHECK_EQUAL_TEXT(c.line, findings[0].line, context.c_str());
  STRCMP_EQUAL_TEXT(to_string(severity), to_string(findings[0].severity), context.c_str());
  CHECK_TRUE_TEXT(!findings[0].message.empty() && !findings[0].remedy.empty(), context.c_str());
}

template <std::size_t count>
void check_cases(const Case (&cases)[count], Severity severity) {
  for (const Case& c : cases) check_case(c, severity);
}

}  // namespace

TEST_GROUP(Rules){};

TEST(Rules, SoundRobotHasNoFinding) { CHECK_EQUAL(0u, findings_of(std::string(kArm)).size()); }

TEST(Rules, NumbersThatAreNoneAreErrors) {
  const Case cases[] = {
      {"value=\"2\"", "value=\"1.5kg\"", "not-a-number", 6},
      {"value=\"2\"", "value=\"1,5\"", "not-a-number", 6},
      {"value=\"2\"", "value=\"nan\"", "not-a-number", 6},
      {"value=\"2\"", "value=\"inf\"", "not-a-number", 6},
      {"value=\"2\"", "value=\"1e400\"", "not-a-number", 6},
      {"value=\"2\"", "value=\"0x10\"", "not-a-number", 6},
      {"value=\"2\"", "value=\"%s%s%s%n\"", "not-a-number", 6},
      {"value=\"2\"", "value=\"\"", "not-a-number", 6},
      {"value=\"2\"", "value=\"1 2\"", "not-a-number", 6},
      {"value=\"2\"", "value=\"${mass}\"", "not-a-number", 6},
      {"value=\"2\"", "value=\"1e13\"", "out-of-range", 6},
      {"ixy=\"0\"", "ixy=\"zero\"", "not-a-number", 7},
      {"ixy=\"0\" ", "", "missing-attribute", 7},
      {"<mass value=\"2\"/>", "<mass/>", "missing-attribute", 6},
      {"xyz=\"0 0 0.1\"", "xyz=\"0 0\"", "wrong-count", 5},
      {"xyz=\"0 0 0.1\"", "xyz=\"0,0,0.1\"", "wrong-count", 5},
      {"rpy=\"0 0 0\"", "rpy=\"0 0 0 1\"", "wrong-count", 5},
      {"rpy=\"0 0 0\"", "rpy=\"0 0 90deg\"", "not-a-number", 5},
      {"lower=\"-1.5\"", "lower=\"-1.5rad\"", "not-a-number", 15},
      {"velocity=\"2\"", "velocity=\"nan\"", "not-a-number", 15},
      {"damping=\"0.1\"", "damping=\"0.1.2\"", "not-a-number", 16},
      {"multiplier=\"0.5\"", "multiplier=\"half\"", "not-a-number", 27},
  };
  check_cases(cases, Severity::kError);
}

TEST(Rules, WhatHasNoMeaningIsAnError) {
  const Case cases[] = {
      {"<axis xyz=\"0 1 0\"/>", "<axis xyz=\"0 0 0\"/>", "zero-axis", 14},
      {"<axis xyz=\"0 1 0\"/>", "<axis/>", "missing-attribute", 14},
      {"lower=\"-1.5\"", "lower=\"1.5\"", "limit-order", 15},
      {"upper=\"1.25\"", "upper=\"-2\"", "limit-order", 15},
      {"lower=\"-1.5\" upper=\"1.25\"", "upper=\"-2\"", "limit-order", 15},
      {"damping=\"0.1\"", "damping=\"-0.1\"", "negative-dynamics", 16},
      {"friction=\"0.2\"", "friction=\"-0.2\"", "negative-dynamics", 16},
      {"friction=\"0.2\"", "armature=\"-0.2\"", "negative-dynamics", 16},
      {"friction=\"0.2\"", "spring_stiffness=\"-1\"", "negative-dynamics", 16},
      {"\"continuous\">\n    <parent link=\"upper\"/>\n    <child link=\"fore\"/>\n    <mimic "
       "joint=\"shoulder\" multiplier=\"0.5\" offset=\"0.1\"/>",
       "\"ball\"><parent link=\"upper\"/><child link=\"fore\"/><dynamics armature=\"1\"/>",
       "several-coordinates", 24},
      {"type=\"revolute\"", "type=\"revolut\"", "joint-type", 10},
      {"type=\"revolute\"", "type=\"Revolute\"", "joint-type", 10},
      {"type=\"revolute\"", "type=\"universal\"", "joint-type", 10},
      {" type=\"revolute\"", "", "joint-type", 10},
      {"rpy=\"0 0 0\"", "rpy=\"0 0 1e9\"", "degrees", 5},
      {"rpy=\"0 0 0\"", "quat_xyzw=\"0 0 0 1\"", "quaternion", 5},
  };
  check_cases(cases, Severity::kError);
}

TEST(Rules, BrokenTreesAreErrors) {
  const Case cases[] = {
      {"<parent link=\"upper\"/>", "<parent link=\"uper\"/>", "unknown-link", 25},
      {"<child link=\"fore\"/>", "<child link=\"hand\"/>", "unknown-link", 26},
      {"<child link=\"fore\"/>", "<child link=\"upper\"/>", "two-parents", 26},
      {"<parent link=\"base\"/>", "<parent link=\"fore\"/>", "cycle", 24},
      {"<parent link=\"base\"/>", "<parent link=\"upper\"/>", "cycle", 10},
      {"<parent link=\"base\"/>", "", "missing-element", 10},
      {"<child link=\"fore\"/>", "<child/>", "missing-attribute", 26},
      {"<link name=\"base\"/>", "<link name=\"base\"/><link name=\"fore\"/>", "duplicate-name", 18},
      {"<joint name=\"elbow\"", "<joint name=\"shoulder\"", "duplicate-name", 24},
      {"<link name=\"base\"/>", "<link name=\"base\"/><link/>", "missing-name", 2},
      {"<link name=\"base\"/>", "<link name=\"base\"/><link name=\"\"/>", "missing-name", 2},
      {"<robot name=\"arm\">", "<robot>", "missing-name", 1},
      {"<link name=\"base\"/>", "<link name=\"base\"/><link name=\"a&#10;b\"/>", "bad-name", 2},
      {"<link name=\"base\"/>", "<link name=\"base\"/><link name=\"\xFF\"/>", "bad-name", 2},
  };
  for (const Case& c : cases) {
    const std::vector<Finding> findings = findings_of(arm_with(c.from, c.to));
    bool found = false;
    for (const Finding& f : findings) {
      found = found || (f.rule == c.rule && f.line == c.line && f.severity == Severity::kError);
    }
    CHECK_TRUE_TEXT(found, std::string(c.to).c_str());
  }
}

TEST(Rules, MimicsThatLeadNowhereAreErrors) {
  const Case cases[] = {
      {"mimic joint=\"shoulder\"", "mimic joint=\"elbow\"", "mimic-self", 27},
      {"mimic joint=\"shoulder\"", "mimic joint=\"sholder\"", "mimic-missing", 27},
      {"mimic joint=\"shoulder\"", "mimic", "missing-attribute", 27},
      {"<axis xyz=\"0 1 0\"/>", "<axis xyz=\"0 1 0\"/><mimic joint=\"elbow\"/>", "mimic-cycle", 14},
      {"type=\"continuous\"", "type=\"ball\"", "mimic-type", 27},
  };
  check_cases(cases, Severity::kError);
  for (const Case& c : cases) {
    for (const Finding& f : findings_of(arm_with(c.from, c.to))) {
      if (f.rule.starts_with("mimic-")) STRCMP_CONTAINS("--mimic ignore", f.remedy.c_str());
    }
  }
}

TEST(Rules, DoubtfulValuesAreWarnings) {
  const Case cases[] = {
      {"value=\"2\"", "value=\"-2\"", "negative-mass", 6},
      {"iyy=\"0.025\"", "iyy=\"-0.025\"", "negative-inertia", 7},
      {"iyy=\"0.025\"", "iyy=\"0.05\"", "triangle-inequality", 7},
      {"ixy=\"0\"", "ixy=\"0.1\"", "indefinite-inertia", 7},
      {"value=\"2\"", "value=\"0\"", "massless-inertia", 7},
      {"ixx=\"0.02\" ixy=\"0\" ixz=\"0\" iyy=\"0.025\" iyz=\"0\" izz=\"0.01\"",
       "ixx=\"2e4\" ixy=\"0\" ixz=\"0\" iyy=\"2.5e4\" iyz=\"0\" izz=\"1e4\"", "inertia-units", 7},
      {"xyz=\"0 0 0.1\"", "xyz=\"0 0 100\"", "far-origin", 5},
      {"xyz=\"0 0 0.3\"", "xyz=\"0 0 300\"", "far-origin", 13},
      {"rpy=\"0 0 0\"", "rpy=\"0 0 90\"", "degrees", 5},
      {"lower=\"-1.5\"", "lower=\"-170\"", "degrees", 15},
      {"lower=\"-1.5\" upper=\"1.25\"", "", "missing-limit", 15},
      {"<limit lower=\"-1.5\" upper=\"1.25\" effort=\"10\" velocity=\"2\"/>", "", "missing-limit",
       10},
      {"effort=\"10\"", "effort=\"-10\"", "negative-limit", 15},
      {"type=\"revolute\"", "type=\"fixed\"", "mimic-fixed", 27},
  };
  check_cases(cases, Severity::kWarning);
}

TEST(Rules, HarmlessOdditiesAreNotes) {
  const Case cases[] = {
      {"<axis xyz=\"0 1 0\"/>", "<axis xyz=\"0 2 0\"/>", "non-unit-axis", 14},
      {"iyy=\"0.025\"", "iyy=\"0.0301\"", "triangle-inequality", 7},
      {"ixx=\"0.02\" ixy=\"0\" ixz=\"0\" iyy=\"0.025\" iyz=\"0\" izz=\"0.01\"",
       "ixx=\"0\" ixy=\"0\" ixz=\"0\" iyy=\"0\" iyz=\"0\" izz=\"0\"", "point-mass", 7},
      {"effort=\"10\"", "effort=\"0\"", "zero-limit", 15},
      {"upper=\"1.25\"", "upper=\"-1.5\"", "limit-order", 15},
      {"lower=\"-1.5\"", "lower=\"0.5\"", "zero-pose", 15},
      {"upper=\"1.25\"", "upper=\"-0.1\"", "zero-pose", 15},
      {"type=\"continuous\"", "type=\"fixed\"", "mimic-fixed", 27},
  };
  check_cases(cases, Severity::kNote);
}

TEST(Rules, SoundVariationsHaveNoFinding) {
  const std::pair<std::string_view, std::string_view> changes[] = {
      {"value=\"2\"", "value=\" +2.0e0\t\""},
      {"xyz=\"0 0 0.1\"", "xyz=\" 0\n\t-0   .1 \""},
      {"<axis xyz=\"0 1 0\"/>", "<axis xyz=\"0.7071 0 -0.7071\"/>"},
      {"lower=\"-1.5\" upper=\"1.25\"", "upper=\"1.25\""},                      // lower is 0
      {"lower=\"-1.5\" upper=\"1.25\"", "lower=\"-13.14\" upper=\"31.4159\""},  // many turns
      {"lower=\"-1.5\" upper=\"1.25\"", "lower=\"-1e9\" upper=\"1e9\""},        // no limit
      {"effort=\"10\"", "effort=\"1.7976931348623157e+308\""},
      {"<link name=\"base\"/>", "<link name=\"base\"/><link name=\"table\"/>"},  // a forest
      {"<robot name=\"arm\">", "<robot name=\"arm\" version=\"1.0\" xmlns:xacro=\"x\">"},
      {"iyy=\"0.025\"", "iyy=\"0.03\""},  // a flat plate: equality
  };
  for (const auto& [from, to] : changes) {
    const std::vector<Finding> findings = findings_of(arm_with(from, to));
    const std::string first = findings.empty() ? "" : format_labelled("", findings[0]);
    STRCMP_EQUAL_TEXT("", first.c_str(), std::string(to).c_str());
  }
}

TEST(Rules, DustBelowZeroIsZero) {
  const auto rules = [](const char* inertia) {
    return findings_of(
        arm_with("ixx=\"0.02\" ixy=\"0\" ixz=\"0\" iyy=\"0.025\" iyz=\"0\" izz=\"0.01\"", inertia));
  };
  CHECK_TRUE(rules("ixx='0.01' ixy='0' ixz='0' iyy='0.01' iyz='1e-21' izz='-5.4e-20'").empty());
  const auto point = rules("ixx='-5.4e-20' ixy='0' ixz='0' iyy='1e-20' iyz='0' izz='0'");
  CHECK_TRUE(
      std::ranges::none_of(point, [](const Finding& f) { return f.severity != Severity::kNote; }));
  const auto wrong = rules("ixx='0.02' ixy='0' ixz='0' iyy='0.02' iyz='0' izz='-1e-6'");
  CHECK_TRUE(wrong.size() == 1 && wrong[0].rule == "negative-inertia");
}

TEST(Rules, EmptyAxisOfAFixedJointIsFine) {
  std::string text = arm_with("<axis xyz=\"0 1 0\"/>", "<axis/>");
  text.replace(text.find("revolute"), 8, "fixed");
  for (const Finding& finding : findings_of(text)) CHECK_TRUE(finding.rule != "missing-attribute");
}

TEST(Rules, DanglingMimicNamesTheOption) {
  const auto findings = findings_of(arm_with("mimic joint=\"shoulder\"", "mimic joint=\"none\""));
  CHECK_EQUAL(1u, findings.size());
  STRCMP_CONTAINS("--mimic ignore", findings[0].remedy.c_str());
}

TEST(Rules, EmptyRobotIsAnError) {
  const std::vector<Finding> findings = findings_of("<robot name='r'/>");
  CHECK_EQUAL(1u, findings.size());
  STRCMP_EQUAL("empty-robot", findings[0].rule.c_str());
}

TEST(Rules, EveryErrorIsFoundAtOnceInLineOrder) {
  std::string text = arm_with("value=\"2\"", "value=\"-2\"");
  text.replace(text.find("0 1 0"), 5, "0 0 0");
  text.replace(text.find("mimic joint=\"shoulder\""), 22, "mimic joint=\"elbow\"");
  const std::vector<Finding> findings = findings_of(text);
  CHECK_EQUAL(3u, findings.size());
  STRCMP_EQUAL("negative-mass", findings[0].rule.c_str());
  STRCMP_EQUAL("zero-axis", findings[1].rule.c_str());
  STRCMP_EQUAL("mimic-self", findings[2].rule.c_str());
}

TEST(Rules, ReportNamesElementAndRemedyAndSuggestsNames) {
  STRCMP_EQUAL(
      "arm.urdf:14: joint 'shoulder': axis has zero length; give a non-zero <axis xyz=...> "
      "[zero-axis]",
      format_finding("arm.urdf", findings_of(arm_with("0 1 0", "0 0 0"))[0]).c_str());
  STRCMP_EQUAL(
      "arm.urdf:25: error: joint 'elbow': link 'uper' does not exist; did you mean 'upper'? "
      "[unknown-link]",
      format_labelled("arm.urdf",
                      findings_of(arm_with("parent link=\"upper\"", "parent link=\"uper\""))[0])
          .c_str());
}

TEST(Rules, MultiLineTagsReportTheLineOfTheAttribute) {
  const auto findings =
      findings_of(arm_with("ixx=\"0.02\" ixy=\"0\"", "ixx=\"0.02\"\n\n ixy=\"x\""));
  CHECK_EQUAL(1u, findings.size());
  CHECK_EQUAL(9, findings[0].line);
}
