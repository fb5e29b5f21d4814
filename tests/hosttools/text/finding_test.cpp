#include "text/finding.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep::host;

TEST_GROUP(FindingText){};

TEST(FindingText, QuotesAreClippedAndCannotUpsetATerminal) {
  STRCMP_EQUAL("'elbow'", quote("elbow").c_str());
  STRCMP_EQUAL("'a?[31mb?c?'", quote("a\x1B[31mb\nc\x80").c_str());
  STRCMP_EQUAL("'\xC3\xA9\xE2\x82\xAC'", quote("\xC3\xA9\xE2\x82\xAC").c_str());
  CHECK_TRUE(quote(std::string(1000, 'x')).size() < 80);
}

TEST(FindingText, OnlyWellFormedUtf8IsPrintable) {
  for (const char* text :
       {"\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82", "\xC2\x85", "\x7F"}) {
    CHECK_EQUAL(0u, printable_length(text));
  }
  CHECK_EQUAL(4u, printable_length("\xF0\x9F\xA4\x96"));
}

TEST(FindingText, LineZeroMeansTheWholeFile) {
  STRCMP_EQUAL("a.urdf: warning: m; r [rule]",
               format_labelled("a.urdf", {Severity::kWarning, 0, "rule", "m", "r"}).c_str());
}

TEST(FindingText, TheFirstThousandOfEachSeverityAreKept) {
  Findings findings;
  for (int i = 0; i < 5000; ++i) findings.note(i, "r", "m", "r");
  CHECK_FALSE(findings.has_error());
  findings.error(1, "r", "m", "r");
  CHECK_TRUE(findings.has_error());
  CHECK_EQUAL(1001u, std::move(findings).by_line().size());
}
