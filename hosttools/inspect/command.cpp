#include "inspect/command.hpp"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "inspect/mechanism_report.hpp"
#include "inspect/report.hpp"
#include "mechanism/load.hpp"
#include "model/load.hpp"
#include "system/write_file.hpp"
#include "text/error.hpp"

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
std::string text_of(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
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
  if (!cost.same_bits() || !cost.within_worst() || !all_kept(report.chip->budget))
    throw CLI::RuntimeError(1);
}

void add_chip_options(CLI::App& command, InspectOptions& options) {
  CLI::Option* target =
      command
          .add_option("--target", options.chip.target,
                      "Measure on this chip, in the emulator: cortex-m4f, cortex-m7, cortex-m55")
          ->check(CLI::IsMember({"cortex-m4f", "cortex-m7", "cortex-m55"}))
          ->option_text("CHIP");
  command.add_option("--scalar", options.chip.scalar, "What the chip computes with")
      ->check(CLI::IsMember({"float", "double"}))
      ->capture_default_str();
  command.add_option("--optimize", options.chip.optimization, "The level of the chip's compiler")
      ->check(CLI::IsMember({"O1", "O2", "O3", "Os"}))
      ->capture_default_str();
  command
      .add_option(
          "--form", options.form,
          "Measure only this form: straight, loop, table, closed, or a step: bounded, swept")
      ->check(CLI::IsMember({"straight", "loop", "table", "closed", "bounded", "swept"}))
      ->option_text("FORM")
      ->needs(target);
  command.add_option("--states", options.chip.states, "How many random states to measure")
      ->check(CLI::Range(1, 10'000'000))
      ->capture_default_str()
      ->needs(target);
  command
      .add_option("--clock", options.timing.clock,
                  "The chip's clock in Hz, kHz or MHz (default: 168MHz, 480MHz, 400MHz)")
      ->option_text("168MHz")
      ->needs(target);
  command
      .add_option("--cpi", options.timing.cycles,
                  "Cycles an instruction takes (default: assumed 1.5, in double 2)")
      ->option_text("1.5")
      ->needs(target);
  command
      .add_option("--rate", options.timing.rate,
                  "The control loop's, to tell the share of a period")
      ->option_text("1000")
      ->needs(target);
  command
      .add_option("--budget", options.budget,
                  "Fail where a figure of --form (default: of what compile writes) is over:\n"
                  "flash, ram, stack (bytes, K, M), instructions (K, M), period (%)")
      ->option_text("FIGURE=MOST,...")
      ->needs(target);
}

}  // namespace

void add_inspect_command(CLI::App& app) {
  const auto options = std::make_shared<InspectOptions>();
  CLI::App* command = app.add_subcommand(
      "inspect", "Show a robot's tree, orders, cost and size, or a mechanism's parts");
  add_load_options(*command, options->load);
  command->add_flag("--json", options->json, "Write JSON, for other programs");
  add_chip_options(*command, *options);
  command->footer(
      "Examples:\n"
      "  lockstep inspect quadruped.urdf --base floating\n"
      "  lockstep inspect arm.urdf --target cortex-m4f    flash, RAM, stack, instructions a call\n"
      "  lockstep inspect arm.urdf --target cortex-m4f --clock 168MHz --budget "
      "flash=64K,period=20%");
  command->callback([options] { inspect(*options); });
}

}  // namespace lockstep::host
