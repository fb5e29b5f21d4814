#include "urdf/vocabulary.hpp"

#include "hosttools/urdf/arm.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep::host;
using lockstep::test::arm_with;
using lockstep::test::findings_of;

namespace {

struct Case {
  std::string_view from, to;
  const char* rule;
  const char* remedy;  // how it begins
};

bool has(const std::vector<Finding>& findings, const Case& c, Severity severity) {
  for (const Finding& f : findings) {
    if (f.rule == c.rule && f.remedy.starts_with(c.remedy) && f.severity == severity) return true;
  }
  return false;
}

template <std::size_t count>
void check_cases(const Case (&cases)[count], Severity severity) {
  for (const Case& c : cases) {
    CHECK_TRUE_TEXT(has(findings_of(arm_with(c.from, c.to)), c, severity),
                    std::string(c.to).c_str());
  }
}

}  // namespace

TEST_GROUP(Vocabulary){};

TEST(Vocabulary, MisspeltWordsAreWarningsWithTheWordMeant) {
  const Case cases[] = {
      {"<dynamics damping=\"0.1\" friction=\"0.2\"/>", "<dynamic damping=\"0.1\"/>",
       "misspelt-element", "did you mean <dynamics>"},
      {"<link name=\"base\"/>", "<link name=\"base\"><inertail/></link>", "misspelt-element",
       "did you mean <inertial>"},
      {"<link name=\"base\"/>", "<link name=\"base\"/><Link name=\"x\"/>", "misspelt-element",
       "did you mean <link>"},
      {"<limit lower", "<limits lower", "misspelt-element", "did you mean <limit>"},
      {"lower=\"-1.5\"", "low=\"-1.5\" lowr=\"-1.5\"", "misspelt-attribute",
       "did you mean 'lower'"},
      {"damping=\"0.1\"", "dampening=\"0.1\"", "misspelt-attribute", "did you mean 'damping'"},
      {"multiplier=\"0.5\"", "multipler=\"0.5\"", "misspelt-attribute",
       "did you mean 'multiplier'"},
      {"rpy=\"0 0 0\"", "ryp=\"0 0 0\"", "misspelt-attribute", "did you mean 'rpy'"},
  };
  check_cases(cases, Severity::kWarning);
}

TEST(Vocabulary, MisplacedRepeatedAndStrayPartsAreWarnings) {
  const Case cases[] = {
      {"<link name=\"base\"/>", "<link name=\"base\"><mass value=\"1\"/></link>",
       "misplaced-element", "it belongs in <inertial>"},
      {"<axis xyz=\"0 1 0\"/>", "<axis xyz=\"0 1 0\"/><axis xyz=\"1 0 0\"/>", "repeated-element",
       "remove one"},
      {"<axis xyz=\"0 1 0\"/>", "<axis xyz=\"0 1 0\"/>/>", "stray-text", "remove it"},
  };
  check_cases(cases, Severity::kWarning);
}

TEST(Vocabulary, RepeatedAttributesAndMacrosAreErrors) {
  const Case cases[] = {
      {"value=\"2\"", "value=\"2\" value=\"3\"", "xml-syntax", "correct"},
      {"<link name=\"base\"/>", "<link name=\"base\"/><xacro:wheel/>", "xacro", "expand"},
  };
  check_cases(cases, Severity::kError);
}

TEST(Vocabulary, WordsFarFromUrdfAreNotes) {
  const Case cases[] = {
      {"<link name=\"base\"/>", "<link name=\"base\"/><pneumatics/>", "unknown-element",
       "it is ignored"},
      {"damping=\"0.1\"", "damping=\"0.1\" colour=\"red\"", "unknown-attribute", "it is ignored"},
  };
  check_cases(cases, Severity::kNote);
}

TEST(Vocabulary, WhatPublishedRobotsCarryIsTakenAsItIs) {
  const std::string_view parts[] = {
      "<gazebo reference=\"base\"><anything goes=\"here\"/></gazebo>",
      "<transmission name=\"t\"><joint name=\"x\"/><linq/></transmission>",
      "<ros2_control name=\"c\" type=\"system\"/>",
      "<drake:joint/>",
      "<material name=\"m\"><colour/></material>",
      "<loop name=\"l\" type=\"revolute\"><predecessor link=\"base\"><origin xyz=\"1 0 0\"/>"
      "</predecessor><successor link=\"fore\"/><axis xyz=\"0 0 1\"/></loop>",
      "<coupling name=\"c\"><predecessor link=\"base\"/><successor link=\"fore\"/>"
      "<ratio value=\"6\"/></coupling>",
  };
  for (const std::string_view part : parts) {
    const auto findings =
        findings_of(arm_with("<link name=\"base\"/>", "<link name=\"base\"/>" + std::string(part)));
    CHECK_EQUAL_TEXT(0u, findings.size(), std::string(part).c_str());
  }
  const std::string visual =
      "<link name=\"base\"><visual><geometry><mesh filename=\"package://m\"/>"
      "</geometry></visual><collision/><sensor/></link>";
  CHECK_EQUAL(0u, findings_of(arm_with("<link name=\"base\"/>", visual)).size());
  CHECK_EQUAL(
      0u,
      findings_of(arm_with("type=\"revolute\"", "type=\"revolute\" independent=\"true\"")).size());
}
