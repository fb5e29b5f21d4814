#include <set>

#include "inspect/report.hpp"
#include "text/number.hpp"

namespace lockstep::host {

namespace {


// The equalities alone, and with an eighth, a quarter, a half and all of the others.
std::set<int> some_counts(const RowBounds& bounds) {
  const int others = bounds.most() - bounds.equalities();
  std::set<int> counts;
  for (const int share : {others / 8, others / 4, others / 2, others}) {
    counts.insert(bounds.equalities() + share);
  }
  if (bounds.equalities() > 0) counts.insert(bounds.equalities());
  counts.erase(0);
  return counts;
}

std::string closed_text(const RowReport& report) {
  const RowBounds& bounds = report.bounds;
  if (bounds.equalities() == 0) return "";
  const RowParts parts = bounds.closed();
  std::string text = format(
      "  forward dynamics with the %d rows of loops and couplings: %lld\n"
      "    tree %lld, rows %lld, their paths %lld, system %lld\n",
      bounds.equalities(), parts.total(), parts.tree, parts.rows, parts.paths, parts.system);
  if (report.line) {
    text += format("    straight line %lld, system %lld: %lld\n", *report.line, parts.system,
                   *report.line + parts.system);
  }
  return text;
}

std::string step_text(const RowBounds& bounds) {
  const RowParts least = bounds.step(bounds.equalities(), RowSolver::kGaussSeidel);
  std::string text = format(
      "  a bounded step: tree %lld, shapes %lld, and for k rows (%d of loops and couplings, up to "
      "%d "
      "of joints, 3 for each of %d contacts)\n",
      least.tree, least.shapes, bounds.equalities(), bounds.joint_rows(), bounds.contacts());
  text +=
      "         k      rows     paths   Gauss-Seidel        a step       pivoting         a step"
      "         Newton         a step\n";
  for (const int count : some_counts(bounds)) {
    const RowParts swept = bounds.step(count, RowSolver::kGaussSeidel);
    const RowParts pivoted = bounds.step(count, RowSolver::kPivoting);
    text += format(" %9d %9lld %9lld %14lld %13lld %14lld %14lld", count, swept.rows, swept.paths,
                   swept.system, swept.total(), pivoted.system, pivoted.total());
    const RowParts minimized = bounds.step(count, RowSolver::kNewton);
    text += format(" %14lld %14lld\n", minimized.system, minimized.total());
  }
  return text;
}

Json to_json(const RowParts& parts) {
  return {{"tree", parts.tree},   {"shapes", parts.shapes}, {"rows", parts.rows},
          {"paths", parts.paths}, {"system", parts.system}, {"total", parts.total()}};
}

}  // namespace

std::optional<RowReport> make_row_report(const Tree& tree) {
  const std::optional<RowBounds> bounds = RowBounds::of(tree);
  if (!bounds) return {};
  RowReport report = {*bounds, {}};
  if (has_straight_line_loops(tree)) report.line = straight_line_loops(tree).total();
  return report;
}

std::string to_text(const RowReport& report) {
  return "\nWith rows, operations at most (additions, multiplications, divisions, roots; a sine "
         "with its cosine is one)\n" +
         closed_text(report) + step_text(report.bounds);
}

Json to_json(const RowReport& report) {
  const RowBounds& bounds = report.bounds;
  Json steps = Json::array();
  for (const int count : some_counts(bounds)) {
    steps.push_back({{"rows", count},
                     {"gauss_seidel", to_json(bounds.step(count, RowSolver::kGaussSeidel))},
                     {"pivoting", to_json(bounds.step(count, RowSolver::kPivoting))},
                     {"newton", to_json(bounds.step(count, RowSolver::kNewton))}});
  }
  Json result = {{"equalities", bounds.equalities()},
                 {"joint_rows", bounds.joint_rows()},
                 {"contacts", bounds.contacts()}};
  if (bounds.equalities() > 0) result["closed"] = to_json(bounds.closed());
  if (report.line) result["closed"]["straight"] = *report.line;
  result["steps"] = steps;
  return result;
}

}  // namespace lockstep::host
