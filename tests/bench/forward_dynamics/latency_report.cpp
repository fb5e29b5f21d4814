#include "latency_report.hpp"

#include <algorithm>
#include <cstdio>

#include "plot/dot_chart.hpp"
#include "text.hpp"

namespace lockstep::bench {

namespace {

constexpr const char* kMeasure = "MuJoCo";  // the peer that goals are shares of
constexpr const char *kStatic = "static ", *kTable = "table ";

bool is_ours(const Entrant& entrant) {
  return entrant.name.starts_with(kStatic) || entrant.name.starts_with(kTable);
}

const Entrant* find(const Contest& contest, const std::string& name) {
  for (const Entrant& entrant : contest.entrants) {
    if (entrant.name == name) return &entrant;
  }
  return nullptr;
}

template <class Predicate>
const Entrant* fastest(const Contest& contest, Predicate&& among) {
  const Entrant* best = nullptr;
  for (const Entrant& entrant : contest.entrants) {
    if (!among(entrant)) continue;
    if (best == nullptr || entrant.minimum() < best->minimum()) best = &entrant;
  }
  return best;
}

// The faster build of a kind of model.
const Entrant* ours(const Contest& contest, const char* kind) {
  return fastest(contest, [&](const Entrant& entrant) { return entrant.name.starts_with(kind); });
}

const Entrant* fastest_peer(const Contest& contest) {
  return fastest(contest, [](const Entrant& entrant) { return !is_ours(entrant); });
}

int dofs(const Contest& contest) {
  int sum = 0;
  for (const Body& body : contest.tree.bodies) sum += dof_count(body.joint);
  return sum;
}

// Of all contests, in the order of the first that has them.
std::vector<std::string> entrant_names(const std::vector<Contest>& contests) {
  std::vector<std::string> names;
  for (const Contest& contest : contests) {
    for (const Entrant& entrant : contest.entrants) {
      if (std::find(names.begin(), names.end(), entrant.name) == names.end()) {
        names.push_back(entrant.name);
      }
    }
  }
  return names;
}

std::string times(const std::vector<Contest>& contests) {
  const std::vector<std::string> names = entrant_names(contests);
  Rows rows = {{"robot", "dof"}};
  rows[0].insert(rows[0].end(), names.begin(), names.end());
  for (const Contest& contest : contests) {
    std::vector<std::string> row = {contest.robot->name, std::to_string(dofs(contest))};
    for (const std::string& name : names) {
      const Entrant* entrant = find(contest, name);
      row.push_back(entrant == nullptr ? "-" : number(entrant->minimum(), 0));
    }
    rows.push_back(row);
  }
  return markdown_table(rows);
}

std::string share(const Entrant* part, const Entrant* whole) {
  if (part == nullptr || whole == nullptr) return "-";
  return number(part->minimum() / whole->minimum(), 3) + " (" +
         number(median_ratio(part->ns, whole->ns), 3) + ")";
}

std::string shares(const std::vector<Contest>& contests) {
  if (peers().empty()) return "No peer is installed to compare with.\n";
  Rows rows = {{"robot", "static / MuJoCo", "goal", "table / MuJoCo", "goal", "fastest peer",
                "static / it", "table / it"}};
  const auto goal = [](double value) { return value > 0 ? number(value, 3) : std::string("-"); };
  for (const Contest& contest : contests) {
    const Entrant *measure = find(contest, kMeasure), *peer = fastest_peer(contest);
    const Entrant *compiled = ours(contest, kStatic), *table = ours(contest, kTable);
    rows.push_back({contest.robot->name, share(compiled, measure), goal(contest.robot->static_goal),
                    share(table, measure), goal(contest.robot->table_goal),
                    peer == nullptr ? "-" : peer->name, share(compiled, peer), share(table, peer)});
  }
  return "Ratios of the smallest batches, in brackets the median over all rounds; of Lockstep the "
         "faster build.\n\n" +
         markdown_table(rows);
}

// "- static gcc: 11 of 12 goals met; not ur5"; nothing where there is nothing to judge by
std::string verdict(const std::vector<Contest>& contests, const std::string& name,
                    double Robot::*goal) {
  int met = 0, all = 0;
  std::string missed;
  for (const Contest& contest : contests) {
    const Entrant *entrant = find(contest, name), *measure = find(contest, kMeasure);
    if (contest.robot->*goal <= 0 || entrant == nullptr || measure == nullptr) continue;
    const bool good = entrant->minimum() <= contest.robot->*goal * measure->minimum();
    ++all, met += good ? 1 : 0;
    if (!good) missed += std::string(missed.empty() ? "; not " : ", ") + contest.robot->name;
  }
  if (all == 0) return "";
  return "- " + name + ": " + std::to_string(met) + " of " + std::to_string(all) + " goals met" +
         missed + "\n";
}

std::string verdicts(const std::vector<Contest>& contests) {
  std::string text;
  for (const std::string& name : entrant_names(contests)) {
    if (name.starts_with(kStatic)) text += verdict(contests, name, &Robot::static_goal);
    if (name.starts_with(kTable)) text += verdict(contests, name, &Robot::table_goal);
  }
  return text;
}

std::string same_bits(const std::vector<Contest>& contests) {
  std::string differing;
  for (const Contest& contest : contests) {
    for (const Entrant& entrant : contest.entrants) {
      if (!is_ours(entrant) || entrant.error == 0) continue;
      differing += " " + entrant.name + " on " + contest.robot->name + ";";
    }
  }
  return differing.empty() ? "- every static and table model by every compiler: the same bits\n"
                           : "- NOT the same bits as the first:" + differing + "\n";
}

// "- furthest from Lockstep: Simbody on baxter, by 3.4e-11 of the greatest acceleration"
std::string furthest(const std::vector<Contest>& contests) {
  double error = 0;
  std::string who;
  for (const Contest& contest : contests) {
    for (const Entrant& entrant : contest.entrants) {
      if (is_ours(entrant) || entrant.error < error) continue;
      error = entrant.error;
      who = entrant.name + " on " + contest.robot->name;
    }
  }
  char text[32];
  std::snprintf(text, sizeof text, "%.1e", error);
  return who.empty() ? ""
                     : "- furthest from Lockstep: " + who + ", by " + text +
                           " of the greatest acceleration\n";
}

Json to_json(const std::vector<Contest>& contests) {
  auto robots = Json::array();
  for (const Contest& contest : contests) {
    Json robot = {{"robot", contest.robot->name}, {"dof", dofs(contest)}};
    if (contest.robot->static_goal > 0) {
      robot["static_goal"] = contest.robot->static_goal;
      robot["table_goal"] = contest.robot->table_goal;
    }
    const Entrant* measure = find(contest, kMeasure);
    for (const Entrant& entrant : contest.entrants) {
      Json& numbers = robot["candidates"][entrant.name];
      numbers = {{"minimum_ns", entrant.minimum()},
                 {"median_ns", entrant.median()},
                 {"error", entrant.error}};
      if (measure == nullptr) continue;
      numbers["median_share_of_mujoco"] = median_ratio(entrant.ns, measure->ns);
    }
    robots.push_back(robot);
  }
  return robots;
}

// Shares of MuJoCo's time; without MuJoCo, of the static model's.
host::DotChart chart(const std::vector<Contest>& contests) {
  host::DotChart chart = {
      "One forward dynamics call", {"", true}, {"Lockstep static", "Lockstep table"}, {}, ""};
  for (const Peer& peer : peers()) chart.contestants.push_back(peer.name);
  const bool measured = std::any_of(contests.begin(), contests.end(), [](const Contest& contest) {
    return find(contest, kMeasure) != nullptr;
  });
  chart.x.label = measured ? "share of the time that MuJoCo's mj_forward takes"
                           : "share of the time that the static model takes";
  if (measured) chart.mark = "goal, static";
  for (const Contest& contest : contests) {
    const Entrant* whole = measured ? find(contest, kMeasure) : ours(contest, kStatic);
    const auto value = [&](const Entrant* entrant) {
      return entrant == nullptr || whole == nullptr ? host::DotRow::kNothing
                                                    : entrant->minimum() / whole->minimum();
    };
    host::DotRow row = {contest.robot->name,
                        {value(ours(contest, kStatic)), value(ours(contest, kTable))}};
    for (const Peer& peer : peers()) row.values.push_back(value(find(contest, peer.name)));
    if (measured && contest.robot->static_goal > 0) row.mark = contest.robot->static_goal;
    chart.rows.push_back(row);
  }
  return chart;
}

}  // namespace

Section report_latency(const std::vector<Contest>& contests) {
  Section section = {.name = "latency"};
  section.text =
      "## Latency\n\n"
      "![shares of MuJoCo's time, robot by robot](benchmark_latency.svg)\n\n"
      "ns for one call, from q, v and tau to accelerations: the smallest batch.\n\n" +
      times(contests) + "\n" + shares(contests) + "\n" + verdicts(contests) + same_bits(contests) +
      furthest(contests);
  section.json = to_json(contests);
  section.svg = host::to_svg(chart(contests));
  return section;
}

}  // namespace lockstep::bench
