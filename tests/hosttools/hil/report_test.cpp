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
      "steps           500 of 500 at 1 kHz, a frame every 4 (control at 250 Hz)\n"
      "hash            target 0x0000000000000abc, host 0x0000000000000abc\n"
      "a step          12.0 to 34.0 us\n"
      "real time       keeps up at 1 kHz\n"
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
  CHECK_TRUE(has(text, "500 of 500 at 1 kHz, compared every 1000\n"));
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
  report.image.reset();  // a board that was flashed before
  CHECK_TRUE(has(to_text(report), "\nmemory          stack 50 seen since its reset\n"));
}

TEST(RunReport, AStepThatDoesNotFitThePeriodIsTold) {
  RunReport report = good_run();
  report.outcome.report.longest = 12500;  // us
  const char* slow =
      "real time       does not keep up at 1 kHz: the longest step takes 12.5 ms; it would hold 80 "
      "Hz; give --rate, a faster --clock\n";
  CHECK_TRUE(has(to_text(report), slow));
  report.model = "sent over the link";
  CHECK_TRUE(has(to_text(report), "a faster --clock, --static\n"));
  // 25000 instructions of two cycles at 4 MHz: the same 12.5 ms
  report.clock_hz = 125'000'000;
  report.shift = 8;
  report.timing = Timing{.clock = 4e6, .cycles = 2, .rate = 1000};
  report.outcome.report.longest = 25000 * 32;
  CHECK_TRUE(has(to_text(report), "the longest step takes 12.5 ms; it would hold 80 Hz"));
  // a controller has the period of its ticks
  report.scenario.application = Application::kController;
  report.scenario.control_rate = 50;
  CHECK_TRUE(has(to_text(report), "keeps up at 50 Hz\n"));
  // a process on this host has none
  report.timing.reset();
  report.image = Image{.path = "image"};
  CHECK_FALSE(has(to_text(report), "keep"));
}

TEST(RunReport, TheEnergysBalanceIsTold) {
  RunReport report = good_run();
  const Eigen::VectorXd nowhere;
  report.outcome.balance.add({.kinetic = 1, .potential = 2}, 0, nowhere, nowhere);
  report.outcome.balance.add({.kinetic = 9, .potential = 2}, 0, nowhere, nowhere);
  report.outcome.verdict = balance_line(
      report.outcome.balance, 0, [] { return "joint 'a'"; }, [] { return "less"; });
  const std::string text = to_text(report);
  CHECK_TRUE(has(text, "energy          3 J to 11 J, largest change 8 J\n"));
  CHECK_TRUE(has(text, "UNSTABLE        gained 8 J that nothing put in"));
}
