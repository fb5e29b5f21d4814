#include "urdf/scan.hpp"

#include <filesystem>
#include <fstream>

#include "hosttools/urdf/arm.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep::host;
using lockstep::test::findings_of;
using lockstep::test::kArm;

namespace {

std::string nested(int depth) {
  std::string text = "<robot name='r'><link name='l'/><gazebo>";
  for (int i = 0; i < depth - 2; ++i) text += "<a>";
  for (int i = 0; i < depth - 2; ++i) text += "</a>";
  return text + "</gazebo></robot>";
}

std::string rule_of(std::string text, const ScanLimits& limits = {}) {
  Findings findings;
  scan(text, limits, findings);
  const std::vector<Finding> all = std::move(findings).by_line();
  return all.empty() ? "" : all[0].rule;
}

}  // namespace

TEST_GROUP(Scan){};

TEST(Scan, DepthIsLimitedAndTheLimitIsAdjustable) {
  STRCMP_EQUAL("", rule_of(nested(64)).c_str());
  STRCMP_EQUAL("too-deep", rule_of(nested(65)).c_str());
  STRCMP_EQUAL("", rule_of(nested(65), {.max_depth = 65}).c_str());
  STRCMP_EQUAL("too-deep", rule_of(nested(11), {.max_depth = 10}).c_str());
}

TEST(Scan, FortyThousandNestedTagsAreRefused) {
  STRCMP_EQUAL("too-deep", rule_of(nested(40'000)).c_str());
  STRCMP_EQUAL("too-deep", findings_of(nested(40'000))[0].rule.c_str());
}

TEST(Scan, FortyThousandNestedTagsAreHarmlessWhenTheUserAllowsThem) {
  const Examination examination = examine_text(nested(40'000), {.max_depth = 50'000});
  CHECK_EQUAL(0u, examination.findings.size());
  CHECK_EQUAL(1u, examination.draft.links.size());
}

TEST(Scan, BlankedDepthsKeepTheLinesBelow) {
  std::string deep = "<robot name='r'><link name='l'/><gazebo>";
  for (int i = 0; i < 300; ++i) deep += "<a>\n";
  for (int i = 0; i < 300; ++i) deep += "</a>\n";
  deep += "</gazebo>\n<link/></robot>";
  const Examination examination = examine_text(deep, {.max_depth = 400});
  CHECK_EQUAL(1u, examination.findings.size());
  STRCMP_EQUAL("missing-name", examination.findings[0].rule.c_str());
  CHECK_EQUAL(602, examination.findings[0].line);
}

TEST(Scan, SizeIsLimitedAndTheLimitIsAdjustable) {
  const std::string large = std::string(kArm) + std::string(5'000'000, '\n');
  STRCMP_EQUAL("too-large", rule_of(large).c_str());
  STRCMP_EQUAL("", rule_of(large, {.max_bytes = 6'000'000}).c_str());
}

TEST(Scan, ElementsWithHundredsOfAttributesAreRefused) {
  std::string text = "<robot name='r'><link";
  for (int i = 0; i < 101; ++i) text += " a" + std::to_string(i) + "=''";
  STRCMP_EQUAL("too-many-attributes", rule_of(text + "/></robot>").c_str());
}

TEST(Scan, DocumentTypesAndEntitiesAreRefused) {
  const std::string bomb =
      "<?xml version='1.0'?>\n<!DOCTYPE r [<!ENTITY a 'aaaa'><!ENTITY b '&a;&a;'>]>\n";
  STRCMP_EQUAL("doctype", rule_of(bomb + std::string(kArm)).c_str());
  STRCMP_EQUAL("", rule_of("<!-- <!DOCTYPE r> -->" + std::string(kArm)).c_str());
}

TEST(Scan, WhatIsNotXmlIsRefused) {
  STRCMP_EQUAL("not-xml", rule_of("").c_str());
  STRCMP_EQUAL("not-xml", rule_of(" \n\t").c_str());
  STRCMP_EQUAL("not-xml", rule_of("solid cube").c_str());
  STRCMP_EQUAL("not-xml", rule_of("\xFF\xFE<\0r\0").c_str());
  STRCMP_EQUAL("nul-byte", rule_of(std::string("<robot\0/>", 9)).c_str());
  for (const char* text :
       {"<robot", "<robot name='a>", "<!-- ", "<robot><![CDATA[ ", "<?xml ", "<"}) {
    STRCMP_EQUAL_TEXT("xml-syntax", rule_of(text).c_str(), text);
  }
}

TEST(Scan, MarksInsideValuesCommentsAndDataDoNotCount) {
  std::string text = "<robot name='r'>";
  for (int i = 0; i < 100; ++i) text += "<link name='<a>>>'/><!-- <a> --><![CDATA[<a>]]><?p <a>?>";
  STRCMP_EQUAL("", rule_of(text + "</robot>").c_str());
}

TEST(Scan, ByteOrderMarkIsSkipped) {
  CHECK_EQUAL(0u, findings_of("\xEF\xBB\xBF" + std::string(kArm)).size());
}

TEST(Scan, XmlErrorsHaveTheirLine) {
  const auto findings = findings_of("<robot name='r'>\n<link name='a'>\n</robot>");
  CHECK_EQUAL(1u, findings.size());
  STRCMP_EQUAL("xml-syntax", findings[0].rule.c_str());
  CHECK_EQUAL(2, findings[0].line);
  CHECK_TRUE(findings[0].message.ends_with("at 'link'"));
  STRCMP_EQUAL("not-urdf", findings_of("<sdf version='1.6'/>")[0].rule.c_str());
  STRCMP_EQUAL("not-urdf", findings_of("<robot name='a'/><robot name='b'/>")[0].rule.c_str());
  STRCMP_EQUAL("not-urdf", findings_of("<!-- nothing -->")[0].rule.c_str());
}

TEST(Scan, FilesThatCannotBeReadAreFindings) {
  const auto folder = std::filesystem::temp_directory_path();
  STRCMP_EQUAL("unreadable", examine(folder / "no such file", {}).findings[0].rule.c_str());
  STRCMP_EQUAL("unreadable", examine(folder, {}).findings[0].rule.c_str());
}

TEST(Scan, EndlessFilesAreReadUpToTheLimit) {
  if (!std::filesystem::exists("/dev/zero")) return;
  STRCMP_EQUAL("too-large", examine("/dev/zero", {}).findings[0].rule.c_str());
}
