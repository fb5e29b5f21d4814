#include "report.hpp"

#include <algorithm>

#include "support/exponent.hpp"
#include "text.hpp"

namespace lockstep::bench {

namespace {

std::string microseconds(double ns) { return number(ns / 1e3, 1); }

std::string scientific(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.0e", value);
  return buffer;
}

// Form, factor and solve of our own.
Rows phase_rows(const std::vector<Contest>& systems) {
  Rows rows = {{"us", "multipliers", "form M, J", "factor", "solve", "all", "factor : solve"}};
  for (const Contest& contest : systems) {
    for (const char* name : {kStatic, kTable, kTableFloat}) {
      const Entrant* const own = contest.find(name);
      if (!own) continue;
      rows.push_back({contest.name + ", " + name, std::to_string(contest.multipliers),
                      microseconds(own->ns[0]), microseconds(own->ns[1]), microseconds(own->ns[2]),
                      microseconds(own->total_ns), number(own->ns[1] / own->ns[2], 1)});
    }
  }
  return rows;
}

// Everybody, from the blocks of M and J on.
Rows method_rows(const std::vector<Contest>& systems) {
  Rows rows = {{"us", "table", "dense", "banded", "gradients", "iterations", "dense / table",
                "with M, J", "banded / table", "gradients / table", "difference"}};
  for (const Contest& contest : systems) {
    const Entrant &table = *contest.find(kTable), &dense = *contest.find(kDense);
    const Entrant &gradients = *contest.find(kGradients), *const banded = contest.find(kBanded);
    const double form = table.ns[0], own = table.ns[1] + table.ns[2];
    double error = 0;
    for (std::size_t i = 0; i < contest.errors.size(); ++i) {
      if (contest.entrants[i].name != kTableFloat) error = std::max(error, contest.errors[i]);
    }
    rows.push_back({contest.name, microseconds(own), microseconds(dense.total_ns),
                    banded ? microseconds(banded->total_ns) : "-", microseconds(gradients.total_ns),
                    std::to_string(contest.iterations), number(dense.total_ns / own, 1),
                    number((form + dense.total_ns) / (form + own), 1),
                    banded ? number(banded->total_ns / own, 2) : "-",
                    number(gradients.total_ns / own, 1), scientific(error)});
  }
  return rows;
}

// Twelve multipliers as auxiliary ones.
Rows loop_rows(const std::vector<Contest>& loops) {
  Rows rows = {{"table", "108 primary, us", "96 and 12 auxiliary, us", "ratio", "operations",
                "with auxiliary", "ratio"}};
  for (const Contest& contest : loops) {
    const Entrant &primary = contest.entrants[0], &auxiliary = contest.entrants[1];
    const auto without = static_cast<double>(contest.operations[0]);
    rows.push_back({contest.name, microseconds(primary.total_ns), microseconds(auxiliary.total_ns),
                    number(auxiliary.total_ns / primary.total_ns, 2),
                    std::to_string(contest.operations[0]), std::to_string(contest.operations[1]),
                    number(static_cast<double>(contest.operations[1]) / without, 2)});
  }
  return rows;
}

struct Growth {
  std::vector<double> joints = {}, ns = {};

  double exponent() const { return test::exponent(joints, ns); }
};

Growth growth_of(const char* entrant, const std::vector<Contest>& trees) {
  Growth growth;
  for (const Contest& contest : trees) {
    const Entrant* const own = contest.find(entrant);
    if (!own) continue;
    growth.joints.push_back(contest.multipliers / 3);
    growth.ns.push_back(own->total_ns);
  }
  return growth;
}

Rows growth_rows(const std::vector<Contest>& trees) {
  Rows rows = {{"joints, us"}};
  for (const Contest& contest : trees) rows[0].push_back(contest.name);
  rows[0].push_back("exponent");
  for (const auto& [entrant, name] : {std::pair{kTable, "table, with M and J"}, {kDense, kDense}}) {
    const Growth growth = growth_of(entrant, trees);
    std::vector<std::string> row = {name};
    for (const double ns : growth.ns) row.push_back(microseconds(ns));
    row.resize(rows[0].size() - 1, "-");
    row.push_back(number(growth.exponent(), 2));
    rows.push_back(row);
  }
  return rows;
}

nlohmann::ordered_json to_json(const std::vector<Contest>& contests) {
  nlohmann::ordered_json all;
  for (const Contest& contest : contests) {
    nlohmann::ordered_json methods;
    for (std::size_t i = 0; i < contest.entrants.size(); ++i) {
      const Entrant& entrant = contest.entrants[i];
      methods[entrant.name] = {
          {"ns", entrant.total_ns}, {"phases_ns", entrant.ns}, {"difference", contest.errors[i]}};
    }
    all.push_back({{"system", contest.name},
                   {"multipliers", contest.multipliers},
                   {"iterations", contest.iterations},
                   {"methods", methods}});
  }
  return all;
}

}  // namespace

Report make_report(const std::vector<Contest>& systems, const std::vector<Contest>& loops,
                   const std::vector<Contest>& trees) {
  Report report;
  report.text =
      "## Multipliers\n\n"
      "The systems of Baraff's section 9, maximal coordinates, by gcc. Our own method: the "
      "smallest\n"
      "batch of each phase.\n\n" +
      markdown_table(phase_rows(systems)) +
      "\nAll methods, from the blocks of M and J to multipliers and accelerations. The dense one "
      "is\n"
      "equation (7) and Eigen's Cholesky factor; difference is the greatest of any method's to "
      "it.\n\n" +
      markdown_table(method_rows(systems)) +
      "\nThe system in the plane, and six of its joints closing loops instead, each over eight "
      "joints\nor from leaf to leaf; M and J, all phases.\n\n" +
      markdown_table(loop_rows(loops)) +
      "\nBinary trees of ball joints, and the exponents of the lines of best fit.\n\n" +
      markdown_table(growth_rows(trees));
  report.json = {{"systems", to_json(systems)},
                 {"auxiliary", to_json(loops)},
                 {"trees", to_json(trees)},
                 {"exponents",
                  {{kTable, growth_of(kTable, trees).exponent()},
                   {kDense, growth_of(kDense, trees).exponent()}}}};
  return report;
}

}  // namespace lockstep::bench
