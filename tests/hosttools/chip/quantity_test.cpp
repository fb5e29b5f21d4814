#include "chip/quantity.hpp"

#include <CppUTest/TestHarness.h>

using lockstep::host::parse_quantity;
using lockstep::host::Unit;

namespace {
constexpr Unit kUnits[] = {{"kHz", 1e3}, {"Hz", 1}};
}

TEST_GROUP(Quantity){};

TEST(Quantity, SuffixMultiplies) {
  DOUBLES_EQUAL(1500, parse_quantity("1.5kHz", kUnits).value(), 0);
  DOUBLES_EQUAL(2000, parse_quantity("2 kHz", kUnits).value(), 0);
  DOUBLES_EQUAL(50, parse_quantity("50Hz", kUnits).value(), 0);
  DOUBLES_EQUAL(50, parse_quantity("50", kUnits).value(), 0);
  DOUBLES_EQUAL(1.5, parse_quantity("1.5", {}).value(), 0);
}

TEST(Quantity, NothingElseIsOne) {
  for (const char* text : {"", "kHz", "1K", "1khz", "1HzHz", "0", "-1Hz", "nan", "inf", "1e308kHz",
                           "1,5kHz", "0x10", "1 2"}) {
    CHECK_FALSE_TEXT(parse_quantity(text, kUnits).has_value(), text);
  }
}
