#include <map>
#include <memory>

#include "commands.hpp"
#include "doctor/checkup.hpp"
#include "options/shared.hpp"
#include "robot/assemble.hpp"
#include "robot/state_file.hpp"
#include "system/json_file.hpp"
#include "system/write_file.hpp"
#include "text/error.hpp"
#include "urdf/read.hpp"

namespace lockstep::host {

namespace {

struct Options {
  std::vector<std::string> files;
  ReadOptions read;
  ReduceOptions reduce;
  bool json = false;
  bool strict = false;
  bool assemble = false;
};

struct FileReport {
  std::string file;
  std::vector<Finding> findings;
};

using Tally = std::map<Severity, int>;

std::string count_of(int count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string to_text(const std::vector<FileReport>& reports, Tally& counts) {
  std::string text;
  for (const FileReport& report : reports) {
    for (const Finding& finding : report.findings) {
      text += format_labelled(report.file, finding) + "\n";
    }
  }
  return text + count_of(static_cast<int>(reports.size()), "file") + ": " +
         count_of(counts[Severity::kError], "error") + ", " +
         count_of(counts[Severity::kWarning], "warning") + ", " +
         count_of(counts[Severity::kNote], "note") + "\n";
}

std::string to_json(const std::vector<FileReport>& reports, Tally& counts) {
  Json files = Json::array();
  for (const FileReport& report : reports) {
    Json findings = Json::array();
    for (const Finding& f : report.findings) {
      findings.push_back({{"severity", to_string(f.severity)},
                          {"line", f.line},
                          {"rule", f.rule},
                          {"message", f.message},
                          {"remedy", f.remedy}});
    }
    files.push_back({{"file", report.file}, {"findings", findings}});
  }
  const Json all = {{"files", files},
                    {"errors", counts[Severity::kError]},
                    {"warnings", counts[Severity::kWarning]},
                    {"notes", counts[Severity::kNote]}};
  // a file's name may be any bytes
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// Where the loops hold, as `sim --start` reads it.
void write_assembled(const std::string& file, const Options& options) {
  std::vector<Finding> ignored;
  const Tree tree = reduce(read_urdf(file, options.read, ignored), options.reduce);
  if (is_too_large(tree)) throw Error(file + ": too many loops and couplings to assemble");
  const auto q = assemble(tree);
  if (!q) {
    throw Error(file +
                ": no pose was found in which the loops and couplings hold; check the loops' "
                "origins and axes, the couplings, the joints' limits");
  }
  write_file("-", start_text(*q, tree));
}

void run(const Options& options) {
  if (options.assemble) {
    if (options.files.size() != 1) throw Error("--assemble: give one file");
    write_assembled(options.files.front(), options);
    return;
  }
  std::vector<FileReport> reports;
  Tally counts;
  for (const std::string& file : options.files) {
    reports.push_back({file, check_up(file, options.read, options.reduce)});
    for (const Finding& finding : reports.back().findings) ++counts[finding.severity];
  }
  const Severity bar = options.strict ? Severity::kNote : Severity::kWarning;
  const bool ill = counts.lower_bound(bar) != counts.end();
  write_file("-", options.json ? to_json(reports, counts) : to_text(reports, counts));
  if (ill) fail();
}

}  // namespace

void add_doctor_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  Command command(app, "doctor",
                  "Find what is wrong with files of robots and mechanisms, and say what to do");
  command.add("files", options->files, "URDF or mechanism files").required().named("FILE");
  add_base_option(command, options->reduce);
  add_repair_options(command, options->read, options->reduce);
  add_scan_options(command, options->read.limits);
  add_mesh_options(command, options->read.mesh);
  add_json_option(command, options->json);
  command.add("--strict", options->strict, "Let notes count too: exit with 1 on any finding");
  command.add("--assemble", options->assemble,
              "Write a pose in which loops and couplings hold, for sim --start");
  command.footer(
      "Exits with 1 if there is an error or a warning.\n\nExamples:\n"
      "  lockstep doctor arm.urdf\n"
      "  lockstep doctor --assemble linkage.urdf > start.json");
  command.runs([options] { run(*options); });
}

}  // namespace lockstep::host
