#include "inspect/chip.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>

#include "chip/stack_bound.hpp"
#include "emit/header.hpp"
#include "emit/straight_line.hpp"
#include "inspect/expected.hpp"
#include "inspect/row_bounds.hpp"
#include "inspect/solver_operations.hpp"
#include "model/loop_rows.hpp"
#include "model/tree_rows.hpp"
#include "system/programs.hpp"
#include "system/temporary_folder.hpp"

namespace lockstep::host {

namespace {

namespace fs = std::filesystem;
using NamedFigures = std::map<std::string, std::uint64_t>;

constexpr int kContacts = 4;

// Of what the image told.
std::uint64_t figure(const NamedFigures& figures, const std::string& name) {
  const auto found = figures.find(name);
  if (found == figures.end()) throw Error("--target: the image did not tell its " + name);
  return found->second;
}

// For the model's rows, all bounds of its joints, and a few contacts.
struct StepRoom {
  int rows = 0, contacts = 0;
};

StepRoom step_room(const Tree& tree) {
  const std::optional<RowBounds> bounds = RowBounds::of(tree);
  if (!bounds) return {};
  const int contacts = std::min(kContacts, bounds->contacts());
  return {bounds->equalities() + bounds->joint_rows() + 3 * contacts, contacts};
}

// Of forms that step.
std::optional<RowSolver> solver_of(const std::string& form) {
  if (form == "bounded") return RowSolver::kNewton;
  if (form == "pivoted") return RowSolver::kPivoting;
  if (form == "swept") return RowSolver::kGaussSeidel;
  return {};
}

// Newton's method minimizes where nothing but the ground is touched: other contacts would make the
// step go by pivoting, which has a form of its own.
Tree measured(const Tree& tree, const std::string& form) {
  Tree own = tree;
  if (form == "bounded") own.collider_pairs.clear();
  return own;
}

// Throws Error where the robot has nothing for this form to do.
void require_form(const Tree& tree, const std::string& form) {
  if (form == "closed" && !is_closed(tree)) {
    throw Error("--form closed: the robot has no loops or couplings; choose another");
  }
  if (solver_of(form) && step_room(tree).rows == 0) {
    throw Error(
        "--form " + form +
        ": the robot has no loops, couplings, limits, dry friction or shapes; choose another");
  }
}

// What the host adds to a measurement: the answers that it gives itself, and instructions that no
// state can exceed, from what the image told.
struct HostSide {
  std::uint64_t hash = 0;
  std::optional<std::uint64_t> worst = {};
};

// Around the system a straight line takes the same instructions for any state, no more than the
// least that was seen. The system was solved alone at full rank; comparisons may go other ways.
std::optional<std::uint64_t> closed_worst(const Tree& tree, const NamedFigures& figures) {
  constexpr std::int64_t kBranch = 4;  // instructions on the longer way
  if (!has_straight_line_loops(tree)) return {};
  const std::int64_t ways = kBranch * equality_comparisons(row_count(tree));
  return figure(figures, "least") + figure(figures, "system") + static_cast<std::uint64_t>(ways);
}

// The most operations, at the most instructions that an operation took in one of the first states.
std::uint64_t step_worst(const ExpectedStep& expected, long long operations,
                         const NamedFigures& figures) {
  double dearest = 0;
  for (std::size_t i = 0; i < expected.operations.size(); ++i) {
    const auto count = static_cast<double>(figure(figures, "state_" + std::to_string(i)));
    dearest = std::max(dearest, count / static_cast<double>(expected.operations[i]));
  }
  return static_cast<std::uint64_t>(std::ceil(dearest * static_cast<double>(operations)));
}

HostSide step_side(const Tree& tree, const ChipOptions& options, RowSolver solver,
                   const NamedFigures& figures) {
  const StepRoom room = step_room(tree);
  const ExpectedStep expected =
      options.scalar == "float" ? expect_step<float>(tree, options.states, solver, room.contacts)
                                : expect_step<double>(tree, options.states, solver, room.contacts);
  const long long operations = RowBounds::of(tree)->step(room.rows, solver, room.contacts).total();
  return {expected.hash, step_worst(expected, operations, figures)};
}

HostSide host_side(const Tree& tree, const ChipOptions& options, const std::string& form,
                   const NamedFigures& figures) {
  if (const auto solver = solver_of(form)) {
    return step_side(measured(tree, form), options, *solver, figures);
  }
  const bool closed = form == "closed";
  const std::uint64_t hash = options.scalar == "float"
                                 ? hash_of_answers<float>(tree, options.states, closed)
                                 : hash_of_answers<double>(tree, options.states, closed);
  return {hash, closed ? closed_worst(tree, figures) : figure(figures, "most")};
}

void write_model(const Tree& tree, const std::string& form, const fs::path& folder) {
  const bool straight = form == "straight" || ((form == "closed" || form == "bounded") &&
                                               tree.bodies.size() <= kStraightLineBodies);
  const std::string text = emit_header(
      measured(tree, form), {.struct_name = "robot", .source = "", .straight_line = straight});
  fs::create_directories(folder / form);
  keep_file(folder / form / "robot.hpp", text);
}

void run_script(const Tree& tree, const ChipOptions& options, const fs::path& folder) {
  const StepRoom room = step_room(tree);
  const std::vector<std::string> words = {
      shared_file("toolchain/measure-chip"),
      options.target,
      folder.string(),
      "-DLOCKSTEP_ETL_DIR=" + etl_folder(),
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
  NamedFigures figures;
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
