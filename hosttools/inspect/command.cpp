#include "inspect/command.hpp"

#include <memory>

#include "inspect/report.hpp"
#include "model/load.hpp"
#include "write_file.hpp"

namespace lockstep::host {

namespace {

struct InspectOptions {
  LoadOptions load;
  bool json = false;
};

// Names may hold bytes that are no UTF-8; JSON replaces them.
std::string json_text(const Report& report) {
  return to_json(report).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
         "\n";
}

void inspect(const InspectOptions& options) {
  const Report report = make_report(load_tree(options.load));
  write_file("-", options.json ? json_text(report) : to_text(report, terminal_charset()));
}

}  // namespace

void add_inspect_command(CLI::App& app) {
  const auto options = std::make_shared<InspectOptions>();
  CLI::App* command = app.add_subcommand("inspect", "Show a robot's tree, orders, cost and size");
  add_load_options(*command, options->load);
  command->add_flag("--json", options->json, "Write JSON, for other programs");
  command->footer("Example:\n  lockstep inspect arm.urdf --base floating");
  command->callback([options] { inspect(*options); });
}

}  // namespace lockstep::host
