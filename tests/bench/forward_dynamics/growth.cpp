#include "growth.hpp"

#include <algorithm>

#include "builds.hpp"
#include "growth_robots.hpp"
#include "measure.hpp"
#include "plot/chart.hpp"
#include "support/exponent.hpp"
#include "text.hpp"

namespace lockstep::bench {

namespace {

constexpr double kGoal = 1.05;
constexpr double kJoints[] = {8, 16, 32, 64, 128, 255};

struct Kind {
  const char* name;
  Growth shape;
  JointType joint;
};
constexpr Kind kKinds[] = {{"chain, revolute", Growth::kChain, JointType::kRevolute},
                           {"tree, revolute", Growth::kTree, JointType::kRevolute},
                           {"chain, ball", Growth::kChain, JointType::kBall},
                           {"tree, ball", Growth::kTree, JointType::kBall}};

// One kind of robot by one build, at every length.
struct Series {
  std::string robots;
  std::string compiler;
  std::vector<std::vector<Body>> bodies = {};
  std::vector<Entrant> entrants = {};

  std::vector<double> ns() const {
    std::vector<double> result;
    for (const Entrant& entrant : entrants) result.push_back(entrant.minimum());
    return result;
  }
};

Series make_series(const Kind& kind, const Build& build) {
  Series series = {.robots = kind.name, .compiler = build.compiler};
  for (const double joints : kJoints) {
    series.bodies.push_back(growth_robot(kind.shape, kind.joint, static_cast<int>(joints)));
  }
  for (const std::vector<Body>& bodies : series.bodies) {
    series.entrants.push_back({.name = std::to_string(bodies.size()),
                               .states = random_states(bodies),
                               .candidate = build.make_table(bodies)});
  }
  return series;
}

Section report(const std::vector<Series>& all, const char* drawn) {
  Section section = {.name = "growth"};
  Rows rows = {{"joints"}};
  for (const double joints : kJoints) rows[0].push_back(number(joints, 0));
  rows[0].push_back("exponent");
  host::Chart chart = {
      std::string("One call of the table model, ") + drawn, {"joints", true}, {"ns", true}, {}};
  double greatest = 0;
  for (const Series& series : all) {
    const std::vector<double> ns = series.ns();
    const double slope = test::exponent(kJoints, ns);
    greatest = std::max(greatest, slope);
    std::vector<std::string> row = {series.robots + ", " + series.compiler};
    for (const double time : ns) row.push_back(number(time, 0));
    row.push_back(number(slope, 3));
    rows.push_back(row);
    section.json.push_back({{"robots", series.robots},
                            {"compiler", series.compiler},
                            {"joints", kJoints},
                            {"ns", ns},
                            {"exponent", slope}});
    if (series.compiler == drawn) {
      chart.curves.push_back({series.robots, {std::begin(kJoints), std::end(kJoints)}, ns, true});
    }
  }
  section.text =
      "## Growth\n\n"
      "![time of one call over the number of joints](benchmark_growth.svg)\n\n"
      "ns for one call of the table model over the number of joints: the smallest batch, and the\n"
      "exponent of the line of best fit.\n\n" +
      markdown_table(rows) + "\n- greatest exponent: " + number(greatest, 3) + "; the goal is " +
      number(kGoal, 2) + " or less\n";
  section.svg = host::to_svg(chart);
  return section;
}

}  // namespace

Section measure_growth(const Options& options) {
  std::vector<Series> all;
  for (const Kind& kind : kKinds) {
    for (const Build* build : options.builds) all.push_back(make_series(kind, *build));
  }
  for (int sweep = 1; sweep <= options.sweeps; ++sweep) {
    show_progress("growth", sweep, options.sweeps);
    for (Series& series : all) {
      measure(series.entrants, options.rounds, static_cast<unsigned>(sweep * options.rounds));
    }
  }
  return report(all, options.builds[0]->compiler);
}

}  // namespace lockstep::bench
