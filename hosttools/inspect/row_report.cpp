#include <set>

#include "inspect/report.hpp"

namespace lockstep::host {

namespace {

using Json = nlohmann::ordered_json;

std::string right(long long number, std::size_t width) {
  const std::string text = std::to_string(number);
  return std::string(text.size() < width ? width - text.size() : 1, ' ') + text;
}

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
  std::string text = "  forward dynamics with the " + std::to_string(bounds.equalities()) +
                     " rows of loops and couplings: " + std::to_string(parts.total()) +
                     "\n    tree " + std::to_string(parts.tree) + ", rows " +
                     std::to_string(parts.rows) + ", their paths " + std::to_string(parts.paths) +
                     ", system " + std::to_string(parts.system) + "\n";
  if (report.line) {
    text += "    straight line " + std::to_string(*report.line) + ", system " +
            std::to_string(parts.system) + ": " + std::to_string(*report.line + parts.system) +
            "\n";
  }
  return text;
}

std::string step_text(const RowBounds& bounds) {
  const RowParts least = bounds.step(bounds.equalities(), RowSolver::kGaussSeidel);
  std::string text = "  a bounded step: tree " + std::to_string(least.tree) + ", shapes " +
                     std::to_string(least.shapes) + ", and for k rows (" +
                     std::to_string(bounds.equalities()) + " of loops and couplings, up to " +
                     std::to_string(bounds.joint_rows()) + " of joints, 3 for each of " +
                     std::to_string(bounds.contacts()) + " contacts)\n" +
                     "         k      rows     paths   Gauss-Seidel        a step       pivoting"
                     "         a step\n";
  for (const int count : some_counts(bounds)) {
    const RowParts swept = bounds.step(count, RowSolver::kGaussSeidel);
    const RowParts pivoted = bounds.step(count, RowSolver::kPivoting);
    text += right(count, 10) + right(swept.rows, 10) + right(swept.paths, 10) +
            right(swept.system, 15) + right(swept.total(), 14) + right(pivoted.system, 15) +
            right(pivoted.total(), 15) + "\n";
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
                     {"pivoting", to_json(bounds.step(count, RowSolver::kPivoting))}});
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
