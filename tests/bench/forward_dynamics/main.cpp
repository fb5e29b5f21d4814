// Forward dynamics against the clock: Lockstep and the peers that are installed, in one run.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "builds.hpp"
#include "chips.hpp"
#include "growth.hpp"
#include "latency.hpp"
#include "measure.hpp"
#include "system/write_file.hpp"
#include "text/error.hpp"
#include "throughput.hpp"

namespace {

using namespace lockstep;
using namespace lockstep::bench;

struct SectionName {
  const char* name;
  Section (*measure)(const Options&);
};
constexpr SectionName kSections[] = {{"latency", measure_latency},
                                     {"growth", measure_growth},
                                     {"throughput", measure_throughput},
                                     {"chips", measure_chips}};

// "AMD EPYC; gcc 12.2.0 -O3; clang 14.0.6 -O3"
std::string title(const std::vector<const Build*>& builds) {
  std::string text = cpu_model();
  for (const Build* build : builds) {
    text += std::string("; ") + build->compiler + " " + build->version + " " + build->flags;
  }
  return text;
}

bool run(const Options& options, const std::vector<std::string>& wanted, const std::string& out) {
  pin_to_core(cores()[0]);
  Json json = {{"machine", title(options.builds)}, {"batches", options.sweeps * options.rounds}};
  std::string text = "Measured on " + title(options.builds) + ".\n";
  bool good = true;
  for (const auto& [name, measure] : kSections) {
    if (std::find(wanted.begin(), wanted.end(), name) == wanted.end()) continue;
    const Section section = measure(options);
    good &= section.good;
    text += "\n" + section.text;
    json[section.name] = section.json;
    if (!out.empty() && !section.svg.empty()) {
      host::write_file(out + "/benchmark_" + section.name + ".svg", section.svg);
    }
  }
  if (options.sweeps == 0) return good;
  std::cout << text;
  if (!out.empty()) {
    host::write_file(out + "/report.md", text);
    host::write_file(out + "/report.json", json.dump(2) + "\n");
  }
  return good;
}

int command(int argc, char** argv) {
  Options options;
  std::vector<std::string> files, sections;
  for (const auto& [name, measure] : kSections) sections.push_back(name);
  std::string out;
  bool check_only = false;
  CLI::App app("Times forward dynamics: Lockstep against the peers that are installed.");
  app.add_option("builds", files, "Lockstep as one compiler built it: libbench_lockstep.so, ...")
      ->required()
      ->option_text("LIBRARY ...");
  app.add_option("--robot", options.robots, "Only these robots")->option_text("NAME ...");
  app.add_option("--section", sections, "Only these sections of the report")
      ->check(CLI::IsMember(sections))
      ->option_text("latency growth throughput chips");
  app.add_option("--sweeps", options.sweeps, "How often to go over everything")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  app.add_option("--rounds", options.rounds, "Batches of every candidate in a sweep")
      ->check(CLI::Range(1, 1000000))
      ->capture_default_str();
  app.add_option("--out", out, "Write report.md, report.json and the plots into this folder")
      ->option_text("FOLDER");
  app.add_flag("--check", check_only, "Only see whether all agree");
  CLI11_PARSE(app, argc, argv);
  if (check_only) options.sweeps = 0, sections = {"latency", "throughput"};
  for (const std::string& file : files) options.builds.push_back(load_build(file));
  return run(options, sections, out) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return command(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
