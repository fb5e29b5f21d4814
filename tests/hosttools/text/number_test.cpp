#include "text/number.hpp"

#include <limits>

#include <CppUTest/TestHarness.h>

using namespace lockstep::host;

TEST_GROUP(Number){};

TEST(Number, DecimalsAreReadExactly) {
  const std::pair<const char*, double> cases[] = {
      {"1.5", 1.5},
      {"+1.5", 1.5},
      {"-.5", -0.5},
      {"2.", 2},
      {" \t7\r\n", 7},
      {"1e-3", 0.001},
      {"1E+2", 100},
      {"0.1", 0.1},
      {"4.9e-324", 4.9e-324},
      {"-0", 0},
      {"1.7976931348623157e308", std::numeric_limits<double>::max()}};
  for (const auto& [text, value] : cases) {
    const auto number = parse_number(text);
    CHECK_TRUE_TEXT(number.has_value(), text);
    CHECK_TRUE_TEXT(*number == value, text);
  }
}

TEST(Number, AnythingElseIsNone) {
  for (const char* text :
       {"",      " ",      "1.5kg", "1,5",  "nan",   "NaN",     "inf", "-infinity",
        "1e400", "1e-400", "0x10",  "1e",   "1 2",   "++1",     "+-1", "-+1",
        "- 1",   "1d0",    "%s",    "${m}", "1_000", "\xD9\xA1"}) {
    CHECK_FALSE_TEXT(parse_number(text).has_value(), text);
  }
}

TEST(Number, WrittenNumbersReadBackAsTheSameBits) {
  for (const double value : {0.1, 1.0 / 3, -2.5e-310, 1e300, 6.02214076e23}) {
    CHECK_TRUE(parse_number(write_number(value)) == value);
  }
  STRCMP_EQUAL("0.1", write_number(0.1).c_str());
}

TEST(Number, WordsAreSplitAtAnyWhiteSpace) {
  const auto words = words_of(" a\tbc\n  d ");
  CHECK_EQUAL(3u, words.size());
  CHECK_TRUE(words[1] == "bc");
}
