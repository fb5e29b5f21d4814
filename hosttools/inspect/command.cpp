#include "inspect/command.hpp"

#include <memory>

#include "inspect/report.hpp"
#include "model/load.hpp"
#include "write_file.hpp"

namespace lockstep::host {

namespace {

struct InspectOptions {
  LoadOptions load;
  ChipOptions chip;  // no target: not measured
  bool json = false;
};

// Names may hold bytes that are no UTF-8; JSON replaces them.
std::string json_text(const Report& report) {
  return to_json(report).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
         "\n";
}

void inspect(const InspectOptions& options) {
  Report report = make_report(load_tree(options.load));
  if (!options.chip.target.empty()) {
    ChipOptions chip = options.chip;
    chip.quiet = options.load.quiet;
    report.chip = measure_on_chip(report.tree, chip);
  }
  write_file("-", options.json ? json_text(report) : to_text(report, terminal_charset()));
  if (report.chip && !report.chip->same_bits()) throw CLI::RuntimeError(1);
}

}  // namespace

void add_inspect_command(CLI::App& app) {
  const auto options = std::make_shared<InspectOptions>();
  CLI::App* command = app.add_subcommand("inspect", "Show a robot's tree, orders, cost and size");
  add_load_options(*command, options->load);
  command->add_flag("--json", options->json, "Write JSON, for other programs");
  command
      ->add_option("--target", options->chip.target,
                   "Measure on this chip, in the emulator: cortex-m4f, cortex-m7, cortex-m55")
      ->check(CLI::IsMember({"cortex-m4f", "cortex-m7", "cortex-m55"}))
      ->option_text("CHIP");
  command->add_option("--scalar", options->chip.scalar, "What the chip computes with")
      ->check(CLI::IsMember({"float", "double"}))
      ->capture_default_str();
  command->add_option("--optimize", options->chip.optimization, "The level of the chip's compiler")
      ->check(CLI::IsMember({"O1", "O2", "O3", "Os"}))
      ->capture_default_str();
  command->footer(
      "Examples:\n"
      "  lockstep inspect quadruped.urdf --base floating\n"
      "  lockstep inspect arm.urdf --target cortex-m4f    flash, RAM, stack, instructions a call");
  command->callback([options] { inspect(*options); });
}

}  // namespace lockstep::host
