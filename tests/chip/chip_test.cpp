// Measures robots on emulated chips and holds the results against expected.json:
//   every answer has the bits that this host computes, every call takes the same instructions,
//   goals ("at_most") are kept, and with the compiler that the file names no figure moves by more
//   than 2 % without the file saying so.
#include <CLI/CLI.hpp>
#include <cmath>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "chip/chips.hpp"
#include "inspect/chip.hpp"
#include "model/load.hpp"
#include "system/programs.hpp"
#include "system/write_file.hpp"

namespace {

using Json = nlohmann::ordered_json;
using namespace lockstep::host;

constexpr int kSkipped = 77;  // what CTest takes for it
constexpr double kTolerance = 0.02;

int failures = 0;

template <class... Words>
void fail(const Words&... words) {
  (std::cerr << ... << words) << '\n';
  ++failures;
}

Json figures(const FormCost& cost) {
  return {
      {"instructions", cost.most}, {"flash", cost.flash}, {"ram", cost.ram}, {"stack", cost.stack}};
}

// The solver of rows goes its way with the state.
bool has_rows(const std::string& form) {
  return form == "closed" || form == "bounded" || form == "pivoted" || form == "swept";
}

void check_contract(const std::string& name, const FormCost& form) {
  if (form.hash != form.host_hash) fail(name, ": answers differ from this host's");
  if (form.refused != 0) fail(name, ": ", form.refused, " states refused");
  if (!form.within_worst()) fail(name, ": ", form.most, " instructions, stated ", *form.worst);
  if (!has_rows(form.form) && form.least != form.most) {
    fail(name, ": ", form.least, " to ", form.most, " instructions, depending on the state");
  }
  if (form.touched_stack > form.stack) {
    fail(name, ": a call touches ", form.touched_stack, " bytes of stack, the bound is ",
         form.stack);
  }
}

void check_goals(const std::string& name, const Json& measured, const Json& expected) {
  const Json goals = expected.value("at_most", Json::object());
  for (const auto& [figure, goal] : goals.items()) {
    if (measured[figure] > goal) {
      fail(name, ": ", figure, ": ", measured[figure], ", the goal is ", goal);
    }
  }
}

void check_figures(const std::string& name, const Json& measured, const Json& expected) {
  for (const auto& [figure, value] : measured.items()) {
    const int now = value, before = expected.value(figure, 0);
    if (std::abs(now - before) <= kTolerance * before) continue;
    fail(name, ": ", figure, ": ", now, ", expected ", before,
         now > before ? ": worse" : ": better",
         "; if that is meant, update tests/chip/expected.json: chip_test <the file> --update");
  }
}

// "six_axis_arm cortex-m4f float"
ChipCost measure(const std::string& key, const Json& forms, const std::string& folder) {
  std::string robot, target, scalar;
  std::istringstream(key) >> robot >> target >> scalar;
  LoadOptions load;
  load.file = LOCKSTEP_MODELS_DIR "/" + robot + ".urdf";
  load.quiet = true;
  const bool floats = robot == "quadruped" || robot == "humanoid";
  if (floats) load.reduce.base = ReduceOptions::Base::kFloating;
  ChipOptions options;
  options.target = target;
  options.scalar = scalar;
  options.folder = folder.empty() ? "" : folder + "/" + robot + "-" + target + "-" + scalar;
  options.quiet = true;
  for (const auto& [form, ignored] : forms.items()) options.forms.push_back(form);
  return measure_on_chip(load_tree(load), options);
}

void check(const std::string& key, Json& forms, const std::string& expected_compiler,
           const ChipCost& cost, bool update) {
  for (const FormCost& form : cost.forms) {
    const std::string name = key + " " + form.form;
    const Json measured = figures(form);
    Json& expected = forms[form.form];
    std::cout << name << ": " << measured.dump() << '\n';
    check_contract(name, form);
    check_goals(name, measured, expected);
    if (update) {
      expected.update(measured);
    } else if (cost.compiler == expected_compiler) {
      check_figures(name, measured, expected);
    } else {
      std::cout << "gcc " << cost.compiler << ": figures are for " << expected_compiler << '\n';
    }
  }
}

// For docs/targets.md.
std::string table(const Json& json) {
  std::ostringstream text;
  text << "| robot, chip, scalar | form | instructions a call | flash | RAM | stack |\n"
       << "|---|---|---:|---:|---:|---:|\n";
  for (const auto& [key, forms] : json["robots"].items()) {
    for (const auto& [form, cost] : forms.items()) {
      text << "| " << key << " | " << form;
      for (const char* figure : {"instructions", "flash", "ram", "stack"}) {
        text << " | " << cost[figure];
      }
      text << " |\n";
    }
  }
  return text.str();
}

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app("Checks what robots cost on chips.");
  std::string file, only, folder;
  bool update = false, print = false;
  app.add_option("expected", file, "expected.json")->required();
  app.add_option("--only", only, "One of its robots");
  app.add_option("--folder", folder, "Where to build, and to keep what is built");
  app.add_flag("--update", update, "Write what is measured into the file");
  app.add_flag("--table", print, "Only print the file as a table");
  CLI11_PARSE(app, argc, argv);

  Json json;
  std::ifstream(file) >> json;
  if (print) {
    std::cout << table(json);
    return 0;
  }
  if (!only.empty() && !json["robots"].contains(only)) throw Error(file + ": no '" + only + "'");
  for (auto& [key, forms] : json["robots"].items()) {
    if (!only.empty() && key != only) continue;
    const ChipCost cost = measure(key, forms, folder);
    Json& compiler = json["compiler"][std::string(find_chip(cost.options.target)->compiler)];
    if (update) compiler = cost.compiler;
    check(key, forms, compiler, cost, update);
  }
  if (update) write_file(file, json.dump(2) + "\n");
  return failures == 0 ? 0 : 1;
} catch (const MissingTools& missing) {
  std::cout << "skipped: " << missing.what() << '\n';
  return kSkipped;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
