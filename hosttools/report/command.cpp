#include <filesystem>
#include <memory>

#include "commands.hpp"
#include "mechanism/load.hpp"
#include "options/shared.hpp"
#include "page/scene.hpp"
#include "page/write_page.hpp"
#include "record/read.hpp"
#include "text/error.hpp"
#include "text/number.hpp"

namespace lockstep::host {

namespace {

struct ReportOptions {
  LoadOptions load;
  std::string record, out;
};

// A record does not say what the robot stood on: where something touched, a plane is drawn.
Bounds likely_ground(const Record& record) {
  Bounds bounds;
  bounds.ground = !record.columns_that_start_with("contact.").empty();
  return bounds;
}

void report_command(const ReportOptions& options) {
  const Record record = read_record(options.record);
  RunFacts facts = {.path = options.out, .page = built_page(), .subtitle = "", .lines = {}};
  if (facts.path.empty()) {
    facts.path = std::filesystem::path(options.record).replace_extension(".html").string();
  }
  facts.subtitle = counted(record.steps(), "row", "rows") + " of " + options.record;
  facts.lines = {{"record", options.record}, {"rows", std::to_string(record.steps())}};
  try {
    if (is_mechanism(options.load)) {
      write_page(facts, options.load, load_mechanism(options.load), record);
    } else {
      write_page(facts, options.load, load_robot(options.load), likely_ground(record), record);
    }
  } catch (const RecordMismatch& mismatch) {
    throw Error(options.record + ": " + mismatch.what());
  }
}

}  // namespace

void add_report_command(CLI::App& app) {
  const auto options = std::make_shared<ReportOptions>();
  Command command(app, "report", "Make a page to look at of a record: 3-D, plots, events");
  command.add("record", options->record, "The record that sim or hil wrote with --csv")
      .required()
      .shown_as("RECORD");
  command.add("--robot", options->load.file, "The robot's URDF file, or the mechanism's")
      .required()
      .shown_as("FILE");
  command.add("-o,--out", options->out, "The page (default: the record's name with .html)").html();
  add_model_options(command, options->load);
  command.footer(
      "The page is one file and needs no network; docs/report.md describes it. Give the options\n"
      "that the run was made with, such as --base.\n"
      "Examples:\n"
      "  lockstep report run.csv --robot arm.urdf\n"
      "  lockstep report stand.csv --robot quadruped.urdf --base floating -o stand.html");
  command.runs([options] { report_command(*options); });
}

}  // namespace lockstep::host
