#include "inspect/chip.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include "compile/command.hpp"
#include "inspect/stack_bound.hpp"
#include "inspect/twin.hpp"
#include "model/emit.hpp"
#include "programs.hpp"
#include "shared_file.hpp"
#include "temporary_folder.hpp"
#include "write_file.hpp"

namespace lockstep::host {

namespace {

namespace fs = std::filesystem;

// Only where it changes something, so that a kept folder is not built again.
void write_model(const Tree& tree, const std::string& form, const fs::path& folder) {
  const std::string text = emit_header(
      tree, {.struct_name = "robot", .source = "", .straight_line = form == "straight"});
  fs::create_directories(folder / form);
  const fs::path file = folder / form / "robot.hpp";
  if (read_text(file.string()) != text) write_file(file.string(), text);
}

void run_script(const ChipOptions& options, const fs::path& folder) {
  const std::vector<std::string> words = {
      shared_file("toolchain/measure-chip").string(),
      options.target,
      folder.string(),
      std::string("-DLOCKSTEP_ETL_DIR=") + LOCKSTEP_ETL_DIR,
      "-DLOCKSTEP_MEASURE_SCALAR=" + options.scalar,
      "-DLOCKSTEP_MEASURE_STATES=" + std::to_string(options.states),
      "-DCMAKE_CXX_FLAGS_RELEASE=-" + options.optimization + " -DNDEBUG"};
  const std::string errors = options.quiet ? (folder / "errors").string() : "";
  if (!run_program(words, {}, errors)) {
    throw Error("--target " + options.target + ": not measured" +
                (options.quiet ? ":\n" + read_text(errors) : "; see above"));
  }
}

FormCost read_cost(const std::string& form, const fs::path& folder) {
  std::ifstream lines(folder / (form + ".txt"));
  std::map<std::string, std::uint64_t> figures;
  for (std::string name, value; lines >> name >> value;)
    figures[name] = std::stoull(value, nullptr, 0);
  const auto figure = [&](const char* name) {
    const auto found = figures.find(name);
    if (found == figures.end())
      throw Error("--target: the image did not tell its " + std::string(name));
    return found->second;
  };
  return {.form = form,
          .least = static_cast<std::uint32_t>(figure("least")),
          .most = static_cast<std::uint32_t>(figure("most")),
          .flash = figure("flash"),
          .ram = figure("ram"),
          .stack = stack_bound(read_text((folder / (form + ".ci")).string()), "step"),
          .touched_stack = figure("touched_stack"),
          .refused = static_cast<std::uint32_t>(figure("refused")),
          .hash = figure("hash")};
}

}  // namespace

bool ChipCost::same_bits() const {
  return std::ranges::all_of(forms, [&](const FormCost& cost) { return cost.hash == host_hash; });
}

ChipCost measure_on_chip(const Tree& tree, const ChipOptions& options) {
  if (options.target == "cortex-m4f" && options.scalar == "double") {
    throw Error("--scalar double: a cortex-m4f has no double in hardware; use float");
  }
  if (tree.bodies.empty()) throw Error("--target: the robot has no moving body to measure");
  require_tools("--target", chip_tools());

  ChipCost cost;
  cost.options = options;
  std::vector<std::string>& forms = cost.options.forms;
  if (forms.empty()) {
    if (tree.bodies.size() <= kStraightLineBodies) forms.push_back("straight");
    forms.insert(forms.end(), {"loop", "table"});
  }
  std::optional<TemporaryFolder> temporary;
  if (options.folder.empty()) temporary.emplace();
  const fs::path work = temporary ? temporary->path() : fs::path(options.folder);
  for (const std::string& form : forms) write_model(tree, form, work / "models");
  run_script(options, work);
  std::ifstream(work / "compiler.txt") >> cost.compiler;
  for (const std::string& form : forms) cost.forms.push_back(read_cost(form, work));
  cost.host_hash = options.scalar == "float" ? hash_of_answers<float>(tree, options.states)
                                             : hash_of_answers<double>(tree, options.states);
  return cost;
}

}  // namespace lockstep::host
