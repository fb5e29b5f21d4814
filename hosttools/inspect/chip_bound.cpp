#include "inspect/chip_bound.hpp"

#include <algorithm>
#include <cmath>

#include "emit/straight_line_loops.hpp"
#include "inspect/expected.hpp"
#include "inspect/expected_step.hpp"
#include "inspect/row_bounds.hpp"
#include "inspect/solver_operations.hpp"
#include "model/loop_rows.hpp"
#include "model/tree_rows.hpp"
#include "text/error.hpp"

namespace lockstep::host {

namespace {

constexpr int kContacts = 4;

// Around the system a straight line takes the same instructions for any state, no more than the
// least that was seen. The system was solved alone at full rank; comparisons may go other ways.
std::optional<std::uint64_t> closed_worst(const Tree& tree, const Figures& figures) {
  constexpr std::int64_t kBranch = 4;  // instructions on the longer way
  if (!has_straight_line_loops(tree)) return {};
  const std::int64_t ways = kBranch * equality_comparisons(row_count(tree));
  return figure(figures, "least") + figure(figures, "system") + static_cast<std::uint64_t>(ways);
}

// The most operations, at the most instructions that an operation took in one of the first states.
std::uint64_t step_worst(const ExpectedStep& expected, long long operations,
                         const Figures& figures) {
  double dearest = 0;
  for (std::size_t i = 0; i < expected.operations.size(); ++i) {
    const auto count = static_cast<double>(figure(figures, "state_" + std::to_string(i)));
    dearest = std::max(dearest, count / static_cast<double>(expected.operations[i]));
  }
  return static_cast<std::uint64_t>(std::ceil(dearest * static_cast<double>(operations)));
}

HostSide step_side(const Tree& tree, const ChipOptions& options, RowSolver solver,
                   const Figures& figures) {
  const StepRoom room = step_room(tree);
  const ExpectedStep expected =
      options.scalar == "float" ? expect_step<float>(tree, options.states, solver, room.contacts)
                                : expect_step<double>(tree, options.states, solver, room.contacts);
  const long long operations = RowBounds::of(tree)->step(room.rows, solver).total();
  return {expected.hash, step_worst(expected, operations, figures)};
}

bool is_step(const std::string& form) { return form == "bounded" || form == "swept"; }

}  // namespace

std::uint64_t figure(const Figures& figures, const std::string& name) {
  const auto found = figures.find(name);
  if (found == figures.end()) throw Error("--target: the image did not tell its " + name);
  return found->second;
}

void require_form(const Tree& tree, const std::string& form) {
  if (form == "closed" && !is_closed(tree)) {
    throw Error("--form closed: the robot has no loops or couplings; choose another");
  }
  if (is_step(form) && step_room(tree).rows == 0) {
    throw Error(
        "--form " + form +
        ": the robot has no loops, couplings, limits, dry friction or shapes; choose another");
  }
}

StepRoom step_room(const Tree& tree) {
  const std::optional<RowBounds> bounds = RowBounds::of(tree);
  if (!bounds) return {};
  const int contacts = std::min(kContacts, bounds->contacts());
  return {bounds->equalities() + bounds->joint_rows() + 3 * contacts, contacts};
}

HostSide host_side(const Tree& tree, const ChipOptions& options, const std::string& form,
                   const Figures& figures) {
  if (form == "bounded") return step_side(tree, options, RowSolver::kPivoting, figures);
  if (form == "swept") return step_side(tree, options, RowSolver::kGaussSeidel, figures);
  const bool closed = form == "closed";
  const std::uint64_t hash = options.scalar == "float"
                                 ? hash_of_answers<float>(tree, options.states, closed)
                                 : hash_of_answers<double>(tree, options.states, closed);
  return {hash, closed ? closed_worst(tree, figures) : figure(figures, "most")};
}

}  // namespace lockstep::host
