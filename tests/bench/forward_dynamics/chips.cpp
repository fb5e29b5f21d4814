#include "chips.hpp"

#include <algorithm>

#include "inspect/chip_report.hpp"
#include "robots.hpp"
#include "system/programs.hpp"
#include "text.hpp"

namespace lockstep::bench {

namespace {

struct Chip {
  const char* target;
  const char* scalar;
  double goal;  // instructions a joint
};
constexpr Chip kChips[] = {{"cortex-m4f", "float", 1200}, {"cortex-m7", "double", 1500}};
constexpr int kLargest = 13;  // bodies whose straight line a chip's flash can hold

std::vector<std::string> row_of(const std::string& name, const host::FormCost& cost, int joints) {
  std::vector<std::string> row = {name + ", " + cost.form, std::to_string(cost.most),
                                  std::to_string(cost.most - cost.least),
                                  number(static_cast<double>(cost.most) / joints, 0)};
  for (const std::size_t bytes : {cost.flash, cost.ram, cost.stack}) {
    row.push_back(std::to_string(bytes));
  }
  return row;
}

}  // namespace

Section measure_chips(const Options& options) {
  Section section = {.name = "chips", .text = "## Chips\n\n"};
  Rows rows = {{"one call", "instructions", "max - min", "a joint", "flash", "RAM", "stack"}};
  int met = 0, goals = 0;
  std::string compiler;
  for (const Robot* robot : choose(options.robots)) {
    const host::Tree tree = load(*robot);
    if (tree.bodies.size() > kLargest) continue;
    const int joints =
        static_cast<int>(std::ranges::count(tree.bodies, JointType::kFloating, &Body::joint) == 0
                             ? tree.bodies.size()
                             : tree.bodies.size() - 1);
    for (const auto& [target, scalar, goal] : kChips) {
      const std::string name = std::string(robot->name) + ", " + target + " " + scalar;
      host::ChipOptions chip;
      chip.target = target, chip.scalar = scalar, chip.forms = {"straight", "loop"};
      chip.quiet = true;
      show_step("chips: " + name);
      host::ChipCost cost;
      try {
        cost = host::measure_on_chip(tree, chip);
      } catch (const host::MissingTools& missing) {
        section.text += std::string("Not measured: ") + missing.what() + "\n";
        return section;
      }
      for (const host::FormCost& form : cost.forms) rows.push_back(row_of(name, form, joints));
      section.json.push_back(host::to_json({.cost = cost,
                                            .timing = host::make_timing({}, target, scalar),
                                            .error = host::float_error(tree, chip.states),
                                            .budget = {}}));
      section.json.back()["robot"] = robot->name;
      section.good = section.good && cost.same_bits();
      met += cost.forms[0].most <= goal * joints;
      ++goals;
      compiler = cost.compiler;
    }
  }
  section.text +=
      "Emulated, by gcc " + compiler +
      " -O2 over 10,000 states; bytes of flash, RAM and stack. A\n" +
      "floating base counts as no joint.\n\n" + markdown_table(rows) +
      "\n- straight: " + std::to_string(met) + " of " + std::to_string(goals) +
      " goals met (1,200 instructions a joint in float on cortex-m4f, 1,500 in double on\n" +
      "  cortex-m7)\n- answers: " + (section.good ? "" : "NOT ") + "the bits of this host\n";
  return section;
}

}  // namespace lockstep::bench
