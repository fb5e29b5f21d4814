#include "report.hpp"

#include "plot/chart.hpp"
#include "support/exponent.hpp"
#include "text.hpp"

namespace lockstep::bench {

namespace {

constexpr double kRealTime = 1000.0 / 30;  // ms a step

// What the paper's text says of its figure, 255 joints, a Pentium 4 at 3.4 GHz; 0: nothing.
double paper_ms(const std::string& name) {
  if (name == kLinear) return 13.70;
  if (name == kLagrange) return 82.05;
  if (name == iterative_name(1e-3)) return 51.47;
  if (name == iterative_name(1e-6)) return 494.15;
  if (name == dense_name(1e-3)) return 57.72;
  if (name == dense_name(1e-6)) return 59.48;
  return 0;
}

std::string scientific(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.0e", value);
  return buffer;
}

double exponent_of(const std::vector<Race>& races, const std::string& name) {
  std::vector<double> joints, ms;
  for (const Race& race : races) {
    joints.push_back(race.joints);
    ms.push_back(race.of(name).ms);
  }
  return test::exponent(joints, ms);
}

Rows time_rows(const std::vector<Race>& races) {
  const Race& last = races.back();
  Rows rows = {{"ms a step"}};
  for (const Race& race : races) rows[0].push_back(std::to_string(race.joints));
  for (const char* head : {"exponent", "real time", "solves", "joints off by", "paper"}) {
    rows[0].push_back(head);
  }
  for (const Contender& contender : last.contenders) {
    std::vector<std::string> row = {contender.name};
    for (const Race& race : races) row.push_back(number(race.of(contender.name).ms, 3));
    const Run& best = contender.best;
    const double paper = paper_ms(contender.name);
    row.push_back(number(exponent_of(races, contender.name), 2));
    row.push_back(number(kRealTime / best.ms, best.ms < 1 ? 0 : 1));
    row.push_back(best.solves > 0 ? number(best.solves, 1) : "-");
    row.push_back(scientific(best.error));
    row.push_back(paper > 0 ? number(paper, 2) : "-");
    rows.push_back(row);
  }
  return rows;
}

Rows ratio_rows(const std::vector<Race>& races) {
  Rows rows = {{"times the linear impulses' time"}};
  for (const Race& race : races) rows[0].push_back(std::to_string(race.joints));
  rows[0].push_back("paper");
  for (const Contender& contender : races.back().contenders) {
    if (contender.name == kLinear) continue;
    std::vector<std::string> row = {contender.name};
    for (const Race& race : races) {
      row.push_back(number(race.of(contender.name).ms / race.of(kLinear).ms, 1));
    }
    const double paper = paper_ms(contender.name);
    row.push_back(paper > 0 ? number(paper / paper_ms(kLinear), 1) : "-");
    rows.push_back(row);
  }
  return rows;
}

std::string plot_of(const std::vector<Race>& races) {
  host::Chart chart = {
      "Bender 2007, figure 4: time of a step of 1/30 s", {"ball joints", true}, {"ms", true}, {}};
  for (const Contender& contender : races.back().contenders) {
    host::Curve curve = {contender.name, {}, {}, true};
    for (const Race& race : races) {
      curve.x.push_back(race.joints);
      curve.y.push_back(race.of(contender.name).ms);
    }
    chart.curves.push_back(curve);
  }
  return to_svg(chart);
}

nlohmann::ordered_json json_of(const std::vector<Race>& races) {
  nlohmann::ordered_json all, exponents;
  for (const Race& race : races) {
    nlohmann::ordered_json methods;
    for (const Contender& contender : race.contenders) {
      methods[contender.name] = {{"ms", contender.best.ms},
                                 {"solves", contender.best.solves},
                                 {"error", contender.best.error}};
    }
    all.push_back({{"joints", race.joints}, {"methods", methods}});
  }
  for (const Contender& contender : races.back().contenders) {
    exponents[contender.name] = exponent_of(races, contender.name);
  }
  return {{"trees", all}, {"exponents", exponents}};
}

}  // namespace

Report make_report(const std::vector<Race>& races) {
  const double exponent = exponent_of(races, kLinear);
  const Race& last = races.back();
  const double ratio = last.of(kLagrange).ms / last.of(kLinear).ms;
  Report report;
  report.text =
      "## Impulses\n\n"
      "Figure 4 of Bender 2007: binary trees of ball joints, steps of 1/30 s, by gcc. The mean "
      "of " +
      std::to_string(kSteps) +
      "\nsteps, of the fastest run. Real time, solves, errors and the paper's milliseconds "
      "(Pentium 4,\n3.4 GHz) are of the largest tree.\n\n" +
      markdown_table(time_rows(races)) + "\n" + markdown_table(ratio_rows(races)) +
      "\n- linear impulses grow with the power " + number(exponent, 2) +
      " of the joints (goal 1.05: " + (exponent <= 1.05 ? "met" : "not met") +
      ")\n- linear Lagrange with Runge-Kutta takes " + number(ratio, 1) +
      " times their time (the paper: 6.0)\n\n" + "![time of a step](benchmark_impulses.svg)\n";
  report.json = json_of(races);
  report.plot = plot_of(races);
  return report;
}

}  // namespace lockstep::bench
