#include "inspect/chip.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

#include "chip/stack_bound.hpp"
#include "emit/header.hpp"
#include "inspect/chip_bound.hpp"
#include "model/tree_rows.hpp"
#include "system/programs.hpp"
#include "system/shared_file.hpp"
#include "system/temporary_folder.hpp"
#include "system/write_file.hpp"

namespace lockstep::host {

namespace {

namespace fs = std::filesystem;

// Only where it changes something, so that a kept folder is not built again.
void write_model(const Tree& tree, const std::string& form, const fs::path& folder) {
  const bool straight =
      form == "straight" || (form == "closed" && tree.bodies.size() <= kStraightLineBodies);
  const std::string text =
      emit_header(tree, {.struct_name = "robot", .source = "", .straight_line = straight});
  fs::create_directories(folder / form);
  const fs::path file = folder / form / "robot.hpp";
  if (read_text(file.string()) != text) write_file(file.string(), text);
}

void run_script(const Tree& tree, const ChipOptions& options, const fs::path& folder) {
  const StepRoom room = step_room(tree);
  const std::vector<std::string> words = {
      shared_file("toolchain/measure-chip").string(),
      options.target,
      folder.string(),
      std::string("-DLOCKSTEP_ETL_DIR=") + LOCKSTEP_ETL_DIR,
      "-DLOCKSTEP_MEASURE_SCALAR=" + options.scalar,
      "-DLOCKSTEP_MEASURE_STATES=" + std::to_string(options.states),
      "-DLOCKSTEP_MEASURE_ROOM=" + std::to_string(room.rows),
      "-DLOCKSTEP_MEASURE_CONTACTS=" + std::to_string(room.contacts),
      "-DCMAKE_CXX_FLAGS_RELEASE=-" + options.optimization + " -DNDEBUG"};
  const std::string errors = options.quiet ? (folder / "errors").string() : "";
  if (!run_program(words, {}, errors)) {
    throw Error("--target " + options.target + ": not measured" +
                (options.quiet ? ":\n" + read_text(errors) : "; see above"));
  }
}

FormCost read_cost(const Tree& tree, const ChipOptions& options, const std::string& form,
                   const fs::path& folder) {
  std::ifstream lines(folder / (form + ".txt"));
  Figures figures;
  for (std::string name, value; lines >> name >> value;)
    figures[name] = std::stoull(value, nullptr, 0);
  const auto told = [&](const char* name) { return figure(figures, name); };
  const HostSide host = host_side(tree, options, form, figures);
  return {.form = form,
          .least = static_cast<std::uint32_t>(told("least")),
          .most = static_cast<std::uint32_t>(told("most")),
          .flash = told("flash"),
          .ram = told("ram"),
          .stack = stack_bound(read_text((folder / (form + ".ci")).string()), "step"),
          .touched_stack = told("touched_stack"),
          .refused = static_cast<std::uint32_t>(told("refused")),
          .hash = told("hash"),
          .host_hash = host.hash,
          .worst = host.worst};
}

}  // namespace

bool ChipCost::same_bits() const {
  return std::ranges::all_of(forms,
                             [](const FormCost& cost) { return cost.hash == cost.host_hash; });
}
bool ChipCost::within_worst() const { return std::ranges::all_of(forms, &FormCost::within_worst); }

ChipCost measure_on_chip(const Tree& tree, const ChipOptions& options) {
  if (options.target == "cortex-m4f" && options.scalar == "double") {
    throw Error("--scalar double: a cortex-m4f has no double in hardware; use float");
  }
  if (tree.bodies.empty()) throw Error("--target: the robot has no moving body to measure");
  for (const std::string& form : options.forms) require_form(tree, form);
  require_tools("--target", chip_tools());

  ChipCost cost;
  cost.options = options;
  std::vector<std::string>& forms = cost.options.forms;
  if (forms.empty()) {
    if (tree.bodies.size() <= kStraightLineBodies) forms.push_back("straight");
    forms.insert(forms.end(), {"loop", "table"});
    if (is_closed(tree)) forms.emplace_back("closed");
  }
  std::optional<TemporaryFolder> temporary;
  if (options.folder.empty()) temporary.emplace();
  const fs::path work = temporary ? temporary->path() : fs::path(options.folder);
  for (const std::string& form : forms) write_model(tree, form, work / "models");
  run_script(tree, options, work);
  std::ifstream(work / "compiler.txt") >> cost.compiler;
  for (const std::string& form : forms) {
    cost.forms.push_back(read_cost(tree, options, form, work));
  }
  return cost;
}

}  // namespace lockstep::host
