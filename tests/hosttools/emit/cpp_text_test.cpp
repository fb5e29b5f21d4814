#include "emit/cpp_text.hpp"

#include <bit>
#include <cstdlib>

#include "support/random.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep::host;

TEST_GROUP(CppText){};

TEST(CppText, NumbersAreShortAndReadBackExactly) {
  STRCMP_EQUAL("0.1", number(0.1).c_str());
  STRCMP_EQUAL("-3", number(-3).c_str());
  STRCMP_EQUAL("1e-05", number(1e-5).c_str());
  lockstep::test::Random random(4);
  for (int i = 0; i < 10000; ++i) {
    const double value = std::bit_cast<double>(random.bits());
    if (value - value != 0) continue;
    CHECK_TRUE(std::strtod(number(value).c_str(), nullptr) == value);
    CHECK_TRUE(number(value).size() < 10 || number(value).find_first_of(".e") != std::string::npos);
  }
}

TEST(CppText, WholeNumbersBeyondAnIntAreWrittenAsFloatingPoint) {
  STRCMP_EQUAL("123456789", number(123456789).c_str());
  STRCMP_EQUAL("1234567890.0", number(1234567890).c_str());
}

TEST(CppText, StringsHoldAnyByteInAscii) {
  STRCMP_EQUAL(R"("a\"b\\c\?\0121\303\244")", cpp_quoted("a\"b\\c?\n1\xC3\xA4").c_str());
}

TEST(CppText, CommentsStayOnTheirLine) {
  STRCMP_EQUAL("a_b_c___", commented("a\nb\\c\xC3\xA4?").c_str());
}

TEST(CppText, ListsAreWrappedAtTheMargin) {
  const std::vector<std::string> items(60, "12345");
  const std::string text = braced(items, 6);
  STRNCMP_EQUAL("{12345, 12345", text.c_str(), 13);
  std::size_t column = 6, widest = 0;
  for (const char c : text + ";") {
    column = c == '\n' ? 0 : column + 1;
    widest = std::max(widest, column);
  }
  CHECK_TRUE(widest <= kColumns && widest > kColumns - 7);
  STRCMP_EQUAL("{1, 2,\n   3}", braced_rows({"1", "2", "3"}, 2, 2).c_str());
  STRCMP_EQUAL("{}", braced_line({}).c_str());
}
