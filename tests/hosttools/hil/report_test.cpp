#include "hil/report.hpp"

#include "hosttools/model/robots.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep::host;
using namespace lockstep::host::hil;
using lockstep::test::has;

namespace {

RunReport good_run() {
  RunReport report = {.robot = "arm",
                      .target = "qemu:cortex-m7",
                      .scalar = "float",
                      .model = "compiled in",
                      .scenario = {.steps = 500}};
  report.outcome.steps = 500;
  report.outcome.target_hash = report.outcome.host_hash = 0xABC;
  report.outcome.report.ticks = 500;
  report.outcome.report.damaged_frames = 4;
  report.resent = 3;
  report.damaged = 5;
  report.clock_hz = 1'000'000;
  return report;
}

}  // namespace

TEST_GROUP(RunReport){};

TEST(RunReport, AGoodRunEndsWithSameBits) {
  RunReport report = good_run();
  report.outcome.report.shortest = 12;
  report.outcome.report.longest = 34;
  STRCMP_EQUAL(
      "robot           arm, float, compiled in\n"
      "target          qemu:cortex-m7, the plant on it\n"
      "steps           500 of 500 at 1000 Hz, a frame every 4 (control at 250 Hz)\n"
      "hash            target 0x0000000000000abc, host 0x0000000000000abc\n"
      "a step          12.0 to 34.0 us\n"
      "link            3 requests sent again, 4 damaged to the target, 5 to the host\n"
      "same bits  host = target at every step\n",
      to_text(report).c_str());
}

TEST(RunReport, ADifferenceStandsInPlaceOfSameBits) {
  RunReport report = good_run();
  report.outcome.steps = 136;
  report.outcome.difference = Difference{138, "q[pan]", "1", "2"};
  const std::string text = to_text(report);
  CHECK_TRUE(has(text, "\nsteps           136 of 500 "));
  CHECK_TRUE(text.ends_with("\nDIFFERENT  step 138: q[pan] differs: target 1, host 2\n"));
  CHECK_FALSE(has(text, "same bits"));
}

TEST(RunReport, CheckpointsAreToldInPlaceOfFrames) {
  RunReport report = good_run();
  report.scenario.mode = Mode::kCheckpoint;
  const std::string text = to_text(report);
  CHECK_TRUE(has(text, "500 of 500 at 1000 Hz, compared every 1000\n"));
  CHECK_FALSE(has(text, "a frame every"));
}

// an instruction of 2^8 ns is 32 counts at 125 MHz
TEST(RunReport, AnEmulatedChipTellsInstructionsAndTheirShareOfAPeriod) {
  RunReport report = good_run();
  report.clock_hz = 125'000'000;
  report.shift = 8;
  report.timing = Timing{.clock = 100e6, .cycles = 2, .rate = 1000};
  report.outcome.report.shortest = 4000 * 32;
  report.outcome.report.longest = 5000 * 32;
  CHECK_TRUE(has(to_text(report),
                 "4000 to 5000 instructions; at 100 MHz and 2.0 cycles each the longest takes "
                 "10.0 % of a period\n"));
}

TEST(RunReport, MemoryAndLimitsAreToldWhereThereAreAny) {
  RunReport report = good_run();
  report.image = Image{.path = "image"};
  CHECK_FALSE(has(to_text(report), "memory"));
  CHECK_FALSE(has(to_text(report), "limits"));
  report.image = Image{.path = "image.elf", .flash = 1000, .ram = 200, .stack = 60};
  report.outcome.report.stack_bytes = 50;
  report.outcome.report.limited = 7;
  const std::string text = to_text(report);
  CHECK_TRUE(has(text, "1000 bytes of flash, 200 of RAM, stack 50 seen, 60 at most\n"));
  CHECK_TRUE(has(text, "limits          7 torques were cut\n"));
}
