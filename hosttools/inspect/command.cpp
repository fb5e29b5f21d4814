#include <iostream>
#include <memory>

#include "chip/chips.hpp"
#include "commands.hpp"
#include "inspect/mechanism_report.hpp"
#include "inspect/report.hpp"
#include "mechanism/load.hpp"
#include "options/shared.hpp"
#include "system/write_file.hpp"
#include "text/error.hpp"
#include "text/number.hpp"

namespace lockstep::host {

namespace {

struct InspectOptions {
  LoadOptions load;
  ChipOptions chip;  // no target: not measured
  TimingOptions timing;
  std::string form, budget;
  bool json = false;
};

// Names may hold bytes that are no UTF-8; JSON replaces them.
std::string text_of(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

ChipReport measure(const Tree& tree, const InspectOptions& options) {
  ChipOptions chip = options.chip;
  chip.quiet = options.load.quiet;
  if (!options.form.empty()) chip.forms = {options.form};
  // what may be mistyped first: measuring takes its time
  const Timing timing = make_timing(options.timing, chip.target, chip.scalar);
  const std::vector<Limit> limits = parse_budget(options.budget);
  const ChipCost cost = measure_on_chip(tree, chip);
  return {.cost = cost,
          .timing = timing,
          .error = float_error(tree, chip.states),
          .budget = judge(limits, cost, timing)};
}

void inspect_mechanism(const InspectOptions& options) {
  if (!options.chip.target.empty()) {
    throw Error(options.load.file + ": --target measures robots only; leave it out");
  }
  const Mechanism mechanism = load_mechanism(options.load);
  write_file("-", options.json ? text_of(to_json(mechanism)) : to_text(mechanism));
}

void inspect(const InspectOptions& options) {
  if (is_mechanism(options.load)) return inspect_mechanism(options);
  Report report = make_report(load_tree(options.load));
  if (!options.chip.target.empty()) report.chip = measure(report.tree, options);
  write_file("-", options.json ? text_of(to_json(report)) : to_text(report, terminal_charset()));
  if (!report.chip) return;
  // the log of a build that keeps the JSON shows why it stopped
  for (const Verdict& verdict : report.chip->budget) {
    if (options.json && !verdict.kept()) std::cerr << "--budget: " << to_text(verdict) << '\n';
  }
  const ChipCost& cost = report.chip->cost;
  if (!cost.same_bits() || !cost.within_worst() || !all_kept(report.chip->budget)) fail();
}

void add_chip_options(Command& command, InspectOptions& options) {
  command
      .add("--target", options.chip.target,
           "Measure on this chip, in the emulator: " + listed(chip_names()))
      .one_of(chip_names())
      .shown_as("CHIP");
  add_scalar_option(command, options.chip.scalar);
  command.add("--optimize", options.chip.optimization, "The level of the chip's compiler")
      .one_of({"O1", "O2", "O3", "Os"})
      .shows_default();
  command
      .add("--form", options.form,
           "Measure only this form: straight, loop, table, closed, or a step: bounded (Newton's\n"
           "method), pivoted, swept")
      .one_of({"straight", "loop", "table", "closed", "bounded", "pivoted", "swept"})
      .shown_as("FORM")
      .needs("--target");
  command.add("--states", options.chip.states, "How many random states to measure")
      .within(1, 10'000'000)
      .shows_default()
      .needs("--target");
  add_clock_options(command, options.timing);
  command.add("--rate", options.timing.rate, "The control loop's, to tell the share of a period")
      .shown_as("1000")
      .needs("--target");
  command
      .add("--budget", options.budget,
           "Fail where a figure of --form (default: of what compile writes) is over:\n"
           "flash, ram, stack (bytes, K, M), instructions (K, M), period (%)")
      .shown_as("FIGURE=MOST,...")
      .needs("--target");
}

}  // namespace

void add_inspect_command(CLI::App& app) {
  const auto options = std::make_shared<InspectOptions>();
  Command command(app, "inspect",
                  "Show a robot's tree, orders, cost and size, or a mechanism's parts");
  add_load_options(command, options->load);
  add_json_option(command, options->json);
  add_chip_options(command, *options);
  command.footer(
      "Examples:\n"
      "  lockstep inspect quadruped.urdf --base floating\n"
      "  lockstep inspect arm.urdf --target cortex-m4f    flash, RAM, stack, instructions a call\n"
      "  lockstep inspect arm.urdf --target cortex-m4f --clock 168MHz --budget "
      "flash=64K,period=20%");
  command.runs([options] { inspect(*options); });
}

}  // namespace lockstep::host
