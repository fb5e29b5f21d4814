// What `inspect --target` says; that the figures are right is shown by tests/chip.
#include "inspect/chip.hpp"

#include "hosttools/model/robots.hpp"
#include "inspect/chip_report.hpp"
#include "support/scratch_folder.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep::test;
using lockstep::host::ChipCost;
using lockstep::host::ChipOptions;
using lockstep::host::Error;
using lockstep::host::measure_on_chip;
using lockstep::host::MissingTools;
using lockstep::host::to_json;
using lockstep::host::to_text;

namespace {

ChipCost example() {
  ChipCost cost;
  cost.options.target = "cortex-m7";
  cost.compiler = "12.2.1";
  cost.host_hash = 7;
  cost.forms = {{.form = "straight",
                 .least = 1200,
                 .most = 1200,
                 .flash = 9000,
                 .ram = 800,
                 .stack = 300,
                 .touched_stack = 290,
                 .hash = 7}};
  return cost;
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

TEST(Chip, JsonHoldsTheSame) {
  const auto json = to_json(example());
  CHECK_TRUE(json["same_bits"].get<bool>());
  LONGS_EQUAL(1200, json["forms"]["straight"]["instructions"]["most"].get<int>());
  LONGS_EQUAL(290, json["forms"]["straight"]["touched_stack"].get<int>());
}

TEST(Chip, DifferentBitsAndVaryingCountsAreSaid) {
  ChipCost cost = example();
  cost.forms[0].hash = 8;
  cost.forms[0].least = 1190;
  CHECK_FALSE(cost.same_bits());
  CHECK_TRUE(has(to_text(cost, 2), "NOT the bits of this host"));
  CHECK_TRUE(has(to_text(cost, 2), "1190 to 1200"));
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
