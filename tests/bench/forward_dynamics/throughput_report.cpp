#include "throughput_report.hpp"

#include <algorithm>

#include "plot/dot_chart.hpp"
#include "text.hpp"

namespace lockstep::bench {

namespace {

// One at a time, and what lanes shall make of it.
struct Precision {
  const char* name;
  Scalar alone, lanes;
  int width;
  double goal;  // times as many states a second
};
constexpr Precision kPrecisions[] = {
    {"double", Scalar::kDouble, Scalar::kDoubleLanes, kDoubleLanes, 3},
    {"float", Scalar::kFloat, Scalar::kFloatLanes, kFloatLanes, 5}};

int all_threads() { return static_cast<int>(cores().size()); }

const Pace* find(const Race& race, const Build* build, Scalar scalar, int threads) {
  for (const Pace& pace : race.paces) {
    if (pace.build == build && pace.scalar == scalar && pace.threads == threads) return &pace;
  }
  return nullptr;
}

// "float, 8 lanes, 2 threads"
std::string name_of(const Precision& precision, Scalar scalar, int threads) {
  std::string name = precision.name;
  if (scalar == precision.lanes) name += ", " + std::to_string(precision.width) + " lanes";
  if (threads > 1) name += ", " + std::to_string(threads) + " threads";
  return name;
}

// The ways to compute many states, in the order of the columns.
struct Way {
  std::string name;
  Scalar scalar;
  int threads;
};
std::vector<Way> ways() {
  std::vector<Way> all;
  for (const Precision& precision : kPrecisions) {
    const auto add = [&](Scalar scalar, int threads) {
      all.push_back({name_of(precision, scalar, threads), scalar, threads});
    };
    add(precision.alone, 1);
    add(precision.lanes, 1);
    if (all_threads() > 1) add(precision.lanes, all_threads());
  }
  return all;
}

using Builds = std::vector<const Build*>;

std::string row_name(const Race& race, const Build* build) {
  return std::string(race.robot->name) + ", " + build->compiler;
}

std::string times(const std::vector<Race>& races, const Builds& builds) {
  Rows rows = {{"ns a state"}};
  for (const Way& way : ways()) rows[0].push_back(way.name);
  for (const Race& race : races) {
    for (const Build* build : builds) {
      auto& row = rows.emplace_back(1, row_name(race, build));
      for (const Way& way : ways()) {
        const Pace* pace = find(race, build, way.scalar, way.threads);
        row.push_back(pace == nullptr ? "-" : number(minimum_of(pace->ns), 1));
      }
    }
  }
  return markdown_table(rows);
}

// How many times as many states a second.
double gain(const Pace& pace, const Pace& over) {
  return minimum_of(over.ns) / minimum_of(pace.ns);
}

std::string gain_text(const Pace* pace, const Pace* over) {
  if (pace == nullptr || over == nullptr) return "-";
  return number(gain(*pace, *over), 2) + " (" + number(median_ratio(over->ns, pace->ns), 2) + ")";
}

std::string gains(const std::vector<Race>& races, const Builds& builds) {
  Rows rows = {{"times as many states a second"}};
  for (const Precision& precision : kPrecisions) {
    rows[0].push_back(name_of(precision, precision.lanes, 1));
    rows[0].push_back("goal");
    if (all_threads() > 1) {
      rows[0].push_back(std::to_string(all_threads()) + " threads on top");
    }
  }
  for (const Race& race : races) {
    for (const Build* build : builds) {
      auto& row = rows.emplace_back(1, row_name(race, build));
      for (const Precision& precision : kPrecisions) {
        const Pace* lanes = find(race, build, precision.lanes, 1);
        row.push_back(gain_text(lanes, find(race, build, precision.alone, 1)));
        row.push_back(number(precision.goal, 0));
        if (all_threads() == 1) continue;
        row.push_back(gain_text(find(race, build, precision.lanes, all_threads()), lanes));
      }
    }
  }
  return markdown_table(rows);
}

// "- float, 8 lanes, gcc: 6 of 7 goals met; not hyq"
std::string verdict(const std::vector<Race>& races, const Build* build,
                    const Precision& precision) {
  int met = 0, all = 0;
  std::string missed;
  for (const Race& race : races) {
    const Pace *lanes = find(race, build, precision.lanes, 1),
               *alone = find(race, build, precision.alone, 1);
    if (lanes == nullptr || alone == nullptr) continue;
    const bool good = gain(*lanes, *alone) >= precision.goal;
    ++all, met += good ? 1 : 0;
    if (!good) missed += std::string(missed.empty() ? "; not " : ", ") + race.robot->name;
  }
  return "- " + name_of(precision, precision.lanes, 1) + ", " + build->compiler + ": " +
         std::to_string(met) + " of " + std::to_string(all) + " goals met" + missed + "\n";
}

std::string verdicts(const std::vector<Race>& races, const Builds& builds) {
  std::string text;
  for (const Precision& precision : kPrecisions) {
    for (const Build* build : builds) text += verdict(races, build, precision);
  }
  return text +
         "- every lane by every compiler over 1, 2 and 3 threads: the bits of one number at a "
         "time\n";
}

Json to_json(const std::vector<Race>& races) {
  auto robots = Json::array();
  for (const Race& race : races) {
    Json robot = {{"robot", race.robot->name}};
    for (const Pace& pace : race.paces) {
      for (const Way& way : ways()) {
        if (way.scalar != pace.scalar || way.threads != pace.threads) continue;
        robot["candidates"][way.name + ", " + pace.build->compiler] = {
            {"minimum_ns", minimum_of(pace.ns)}, {"states_per_second", 1e9 / minimum_of(pace.ns)}};
      }
    }
    robots.push_back(robot);
  }
  return robots;
}

// Of every way the faster build.
host::DotChart chart(const std::vector<Race>& races, const Builds& builds) {
  host::DotChart chart = {
      "Many states: 4 lanes of double, 8 of float", {"million states a second", true}, {}, {}, ""};
  for (const Way& way : ways()) {
    // room is scarce, and the number of lanes says what they hold
    const auto lanes = way.name.find(", ");
    std::string name = lanes == way.name.npos ? way.name : way.name.substr(lanes + 2);
    if (way.threads > 1) name.replace(name.find("threads"), 7, "cores");
    chart.contestants.push_back(name);
  }
  for (const Race& race : races) {
    host::DotRow row = {race.robot->name, {}};
    for (const Way& way : ways()) {
      double most = 0;
      for (const Build* build : builds) {
        const Pace* pace = find(race, build, way.scalar, way.threads);
        if (pace != nullptr) most = std::max(most, 1e3 / minimum_of(pace->ns));
      }
      row.values.push_back(most > 0 ? most : host::DotRow::kNothing);
    }
    chart.rows.push_back(row);
  }
  return chart;
}

}  // namespace

Section report_throughput(const std::vector<Race>& races, const Builds& builds) {
  Section section = {.name = "throughput"};
  section.text = "## Throughput\n\n";
  if (races.empty()) {
    section.text += "None of these robots is timed with many states at once.\n";
    return section;
  }
  section.text +=
      "![million states a second, robot by robot](benchmark_throughput.svg)\n\n"
      "ns for one state of a long list by the static model, in lanes from end to end: the "
      "smallest\n"
      "batch.\n\n" +
      times(races, builds) +
      "\nRatios of the smallest batches, in brackets the median over all rounds: lanes against one "
      "number at a\ntime, then threads against lanes.\n\n" +
      gains(races, builds) + "\n" + verdicts(races, builds);
  section.json = to_json(races);
  section.svg = host::to_svg(chart(races, builds));
  return section;
}

}  // namespace lockstep::bench
