// What `inspect --target` says; that the figures are right is shown by tests/chip.
#include "inspect/chip.hpp"

#include "hosttools/model/robots.hpp"
#include "inspect/chip_report.hpp"
#include "support/scratch_folder.hpp"
#include "system/programs.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep::test;
using lockstep::host::ChipCost;
using lockstep::host::ChipOptions;
using lockstep::host::ChipReport;
using lockstep::host::Error;
using lockstep::host::measure_on_chip;
using lockstep::host::MissingTools;
using lockstep::host::to_json;
using lockstep::host::to_text;

namespace {

ChipReport example() {
  ChipReport report{.cost = {},
                    .timing = {.clock = 200e6, .cycles = 1.5, .rate = 400, .typical_clock = true},
                    .error = {.states = 9, .accelerations = {1e-7, 2e-6}, .reactions = {0, 3e-5}},
                    .budget = {}};
  ChipCost& cost = report.cost;
  cost.options.target = "cortex-m7";
  cost.compiler = "12.2.1";
  cost.forms = {{.form = "straight",
                 .least = 1200,
                 .most = 1200,
                 .flash = 9000,
                 .ram = 800,
                 .stack = 300,
                 .touched_stack = 290,
                 .hash = 7,
                 .host_hash = 7,
                 .worst = 1200}};
  return report;
}

lockstep::host::Tree one_link() {
  Robot robot;
  for (const char* name : {"base", "arm"}) robot.heavy_link(name);
  robot.joint("shoulder", UrdfJoint::kRevolute, "base", "arm");
  return robot.fixed();
}

std::string message_of(const lockstep::host::Tree& tree, const ChipOptions& options) {
  try {
    measure_on_chip(tree, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

ChipOptions target(const std::string& name) {
  ChipOptions options;
  options.target = name;
  return options;
}

}  // namespace

TEST_GROUP(Chip){};

TEST(Chip, TextIsATableOfForms) {
  const std::string text = to_text(example(), 2);
  CHECK_TRUE(has(text, "One call on cortex-m7 in float, gcc 12.2.1 -O2, 10000 states"));
  CHECK_TRUE(has(text, "every bit as on this host"));
  CHECK_TRUE(has(text, "  straight            1200      600      9000       800       300\n"));
}

// 1200 instructions of 1.5 cycles at 200 MHz: 9 us of 2.5 ms
TEST(Chip, TextTellsTimesAndWhereTheyComeFrom) {
  const std::string text = to_text(example(), 2);
  CHECK_TRUE(has(text, "200 MHz (typical of the chip; --clock), 1.5 cycles an instruction\n"));
  CHECK_TRUE(has(text, "  (given)\n"));
  CHECK_TRUE(has(text, "of a period at 400 Hz\n"));
  CHECK_TRUE(has(text, "  straight             9.0        111111 Hz              0.4 %\n"));
}

TEST(Chip, TextTellsErrorsOfFloat) {
  const std::string text = to_text(example(), 2);
  CHECK_TRUE(has(text, "Error of float against double, relative, in 9 states\n"));
  CHECK_TRUE(has(text, "  accelerations median 1.0e-07, worst 2.0e-06\n"));
  CHECK_TRUE(has(text, "  reactions     median 0.0e+00, worst 3.0e-05\n"));
}

TEST(Chip, BudgetIsToldOnlyWhereOneIsGiven) {
  ChipReport report = example();
  CHECK_FALSE(has(to_text(report, 2), "Budget"));
  CHECK_FALSE(to_json(report).contains("budget"));
  report.budget = {{.limit = {"ram", 700}, .measured = 800, .remedy = "less"}};
  CHECK_TRUE(has(to_text(report, 2), "Budget, judged on the straight form: EXCEEDED\n"));
  CHECK_TRUE(has(to_text(report, 2), "  ram: 800 of 700, over by 100; less\n"));
  CHECK_FALSE(to_json(report)["budget"]["kept"].get<bool>());
}

TEST(Chip, JsonHoldsTheSame) {
  const auto json = to_json(example());
  DOUBLES_EQUAL(9e-6, json["forms"]["straight"]["seconds"].get<double>(), 1e-15);
  DOUBLES_EQUAL(0.0036, json["forms"]["straight"]["share_of_period"].get<double>(), 1e-12);
  DOUBLES_EQUAL(2e-6, json["float_error"]["accelerations"]["worst"].get<double>(), 0);
  CHECK_TRUE(json["same_bits"].get<bool>());
  LONGS_EQUAL(1200, json["forms"]["straight"]["instructions"]["most"].get<int>());
  LONGS_EQUAL(290, json["forms"]["straight"]["touched_stack"].get<int>());
}

TEST(Chip, DifferentBitsAndVaryingCountsAreSaid) {
  ChipReport report = example();
  report.cost.forms[0].hash = 8;
  report.cost.forms[0].least = 1190;
  CHECK_FALSE(report.cost.same_bits());
  CHECK_TRUE(has(to_text(report, 2), "NOT the bits of this host"));
  CHECK_TRUE(has(to_text(report, 2), "1190 to 1200"));
}

TEST(Chip, MissingToolsAreNamedWithTheirPackages) {
  ScratchFolder empty;
  const std::string path = ::getenv("PATH");
  ::setenv("PATH", empty.path("").c_str(), 1);
  const std::string message = message_of(one_link(), target("cortex-m4f"));
  CHECK_THROWS(MissingTools, measure_on_chip(one_link(), target("cortex-m4f")));
  ::setenv("PATH", path.c_str(), 1);
  CHECK_TRUE(has(message, "arm-none-eabi-g++, qemu-system-arm"));
  CHECK_TRUE(has(message, "gcc-arm-none-eabi"));
}

TEST(Chip, SoftwareDoubleIsRefused) {
  ChipOptions options = target("cortex-m4f");
  options.scalar = "double";
  CHECK_TRUE(has(message_of(one_link(), options), "no double in hardware; use float"));
}

TEST(Chip, RobotWithoutBodiesIsRefused) {
  Robot robot;
  robot.link("base");
  CHECK_TRUE(has(message_of(robot.fixed(), target("cortex-m7")), "no moving body"));
}
