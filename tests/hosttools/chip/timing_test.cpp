#include "chip/timing.hpp"

#include <CppUTest/TestHarness.h>

#include "hosttools/model/robots.hpp"
#include "text/error.hpp"

using lockstep::host::Error;
using lockstep::host::frequency_text;
using lockstep::host::make_timing;
using lockstep::host::parse_frequency;
using lockstep::host::Timing;
using lockstep::host::TimingOptions;
using lockstep::host::too_slow_text;
using lockstep::test::has;

namespace {

std::string message_of(const TimingOptions& options) {
  try {
    make_timing(options, "cortex-m7", "float");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_GROUP(Timing){};

TEST(Timing, ChipsHaveATypicalClock) {
  DOUBLES_EQUAL(168e6, make_timing({}, "cortex-m4f", "float").clock, 0);
  DOUBLES_EQUAL(480e6, make_timing({}, "cortex-m7", "float").clock, 0);
  DOUBLES_EQUAL(400e6, make_timing({}, "cortex-m55", "double").clock, 0);
}

TEST(Timing, WhatIsAssumedIsMarked) {
  const Timing timing = make_timing({}, "cortex-m7", "float");
  CHECK_TRUE(timing.typical_clock && timing.assumed_cycles);
  CHECK_TRUE(timing.cycles < make_timing({}, "cortex-m7", "double").cycles);
  const Timing given = make_timing({.clock = "216MHz", .cycles = "1.2"}, "cortex-m7", "float");
  CHECK_FALSE(given.typical_clock || given.assumed_cycles);
  DOUBLES_EQUAL(216e6, given.clock, 0);
  DOUBLES_EQUAL(1.2, given.cycles, 0);
}

// 8000 instructions of 1.25 cycles at 100 MHz: 100 us
TEST(Timing, CallTakesItsShareOfThePeriod) {
  const Timing timing =
      make_timing({.clock = "100000kHz", .cycles = "1.25", .rate = "2kHz"}, "cortex-m7", "float");
  DOUBLES_EQUAL(100e-6, timing.seconds(8000), 1e-15);
  DOUBLES_EQUAL(10000, timing.highest_rate(8000), 1e-8);
  DOUBLES_EQUAL(0.2, timing.share(8000), 1e-12);
}

TEST(Timing, BadNumbersAreRefusedWithTheirOption) {
  CHECK_TRUE(has(message_of({.clock = "3GHz"}), "--clock '3GHz': no frequency; give"));
  CHECK_TRUE(has(message_of({.rate = "often"}), "--rate 'often': no frequency; give"));
  CHECK_TRUE(has(message_of({.cycles = "0"}), "--cpi '0': give a number above zero"));
}

TEST(Timing, FrequenciesAreToldInHzAndKilohertz) {
  STRCMP_EQUAL("250 Hz", frequency_text(250).c_str());
  STRCMP_EQUAL("1 kHz", frequency_text(1000).c_str());
  STRCMP_EQUAL("1.5 kHz", frequency_text(1500).c_str());
  DOUBLES_EQUAL(2000, parse_frequency("--rate", "2kHz"), 0);
}

// The rate that is held is rounded down, never up.
TEST(Timing, AStepThatTakesTooLongTellsTheRateThatItWouldHold) {
  STRCMP_EQUAL("does not keep up at 1 kHz: the longest step takes 17.3 ms; it would hold 57 Hz",
               too_slow_text(0.0173, 1000).c_str());
  STRCMP_EQUAL("does not keep up at 20 kHz: the longest step takes 0.111 ms; it would hold 9 kHz",
               too_slow_text(1.11e-4, 20000).c_str());
}
