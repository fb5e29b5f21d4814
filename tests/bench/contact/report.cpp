#include "contact/report.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "measure.hpp"
#include "plot/chart.hpp"
#include "text.hpp"

namespace lockstep::bench {

namespace {

constexpr std::size_t kWindow = 10;  // steps that the plot draws as one

double most_of(const auto& values) {
  return static_cast<double>(*std::ranges::max_element(values));
}

double share_of(const Contest& contest, const Runner& runner) {
  const Runner* const whole = contest.find(kMuJoCo);
  return whole == nullptr ? 0 : median_of(runner.track.us) / median_of(whole->track.us);
}

std::string um(double metres) { return number(1e6 * metres, 1); }

std::string table(const std::vector<Contest>& contests) {
  Rows rows = {{"a step of 1 ms", "us", "worst", "of MuJoCo", "iterations", "most", "short",
                "mm/s off", "um deep at rest", "ever", "um drift in 1 s", "mJ gained", "mm apart"}};
  for (const Contest& contest : contests) {
    for (const Runner& runner : contest.runners) {
      const Track& track = runner.track;
      const double share = share_of(contest, runner);
      const bool counts = most_of(track.iterations) > 0;
      rows.push_back(
          {contest.scene->name + ", " + runner.name, number(median_of(track.us), 1),
           number(most_of(track.us), 1), share > 0 ? number(share, 2) : "-",
           counts ? std::to_string(median_of(track.iterations)) : "-",
           counts ? number(most_of(track.iterations), 0) : "-", std::to_string(track.short_stops),
           track.violation > 0 ? number(1e3 * track.violation, 3) : "-",
           um(track.deepest_at_rest()), um(track.deepest()), um(track.drift()),
           number(1e3 * track.gained, 2), number(1e3 * apart(track, contest.runners[0].track), 2)});
    }
  }
  return markdown_table(rows);
}

// The fastest of ours that never stopped short.
const Runner* best_of(const Contest& contest) {
  const Runner* best = nullptr;
  for (const Runner& runner : contest.runners) {
    if (!runner.ours || runner.track.short_stops > 0) continue;
    if (best == nullptr || median_of(runner.track.us) < median_of(best->track.us)) best = &runner;
  }
  return best;
}

std::string accuracy(const Contest& contest, const Runner& runner) {
  const Track& track = runner.track;
  return um(track.deepest_at_rest()) + " and " + um(track.deepest()) + " um, " +
         number(1e3 * apart(track, contest.find(kExact)->track), 2) + " mm";
}

// Beside MuJoCo, with the usual compliance and with one that is as stiff as it can be.
std::string verdict(const Contest& contest, bool met) {
  const Runner &best = *best_of(contest), &whole = *contest.find(kMuJoCo),
               &stiff = *contest.find(kStiffMuJoCo);
  const auto share = [&](const Runner& runner) { return number(share_of(contest, runner), 2); };
  return "- " + contest.scene->name + ": " + best.name + " takes " + share(best) +
         " of MuJoCo's time (goal " + number(contest.scene->goal, 2) + ": " +
         (met ? "met" : "not met") + "). Deep at rest and ever, apart: " + accuracy(contest, best) +
         ";\n  MuJoCo " + accuracy(contest, whole) + "; stiff, in " + share(stiff) +
         " of its time, " + accuracy(contest, stiff) + "\n";
}

// All goals, and how much more accurate the fastest of ours are where they take no more time.
std::string verdicts(const std::vector<Contest>& contests) {
  std::string text, missed;
  std::size_t judged = 0, good = 0;
  double deeper = std::numeric_limits<double>::infinity(), farther = deeper;
  for (const Contest& contest : contests) {
    const Runner *const best = best_of(contest), *const whole = contest.find(kMuJoCo);
    if (best == nullptr || whole == nullptr) continue;
    const double share = share_of(contest, *best);
    const bool met = share <= contest.scene->goal;
    ++judged, good += met;
    if (!met) missed += (missed.empty() ? "; not " : ", ") + contest.scene->name;
    text += verdict(contest, met);
    if (share > 1) continue;
    const Track &exact = contest.find(kExact)->track, &own = best->track, &other = whole->track;
    deeper = std::min(deeper, other.deepest_at_rest() / own.deepest_at_rest());
    farther = std::min(farther, apart(other, exact) / apart(own, exact));
  }
  if (judged == 0) return text;
  text += "- " + std::to_string(good) + " of " + std::to_string(judged) + " goals met" + missed;
  if (std::isinf(deeper)) return text + "\n";
  return text + "\n- in at most its time: MuJoCo with the usual compliance sinks at least " +
         number(deeper, 0) + " times as deep at rest, and is at\n  least " + number(farther, 0) +
         " times as far from the exact solver's motion\n";
}

// The greatest in each window of steps.
host::Curve curve(const std::string& name, const std::vector<double>& values, double scale,
                  double least) {
  host::Curve curve = {name, {}, {}};
  for (std::size_t i = 0; i + kWindow <= values.size(); i += kWindow) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(i);
    curve.x.push_back(kStep * static_cast<double>(i));
    curve.y.push_back(std::max(least, scale * *std::max_element(first, first + kWindow)));
  }
  return curve;
}

std::string plot(const Contest& contest) {
  std::vector<host::Chart> panels = {{"time of a step", {"s"}, {"us", true}, {}},
                                     {"deepest penetration", {"s"}, {"um", true}, {}}};
  for (const Runner& runner : contest.runners) {
    panels[0].curves.push_back(curve(runner.name, runner.track.us, 1, 0.1));
    panels[1].curves.push_back(curve(runner.name, runner.track.depth, 1e6, 0.01));
  }
  return host::to_svg(contest.scene->name + " drops and stands", panels);
}

Json to_json(const std::vector<Contest>& contests) {
  Json all;
  for (const Contest& contest : contests) {
    for (const Runner& runner : contest.runners) {
      const Track& track = runner.track;
      all[contest.scene->name][runner.name] = {{"median_us", median_of(track.us)},
                                               {"worst_us", most_of(track.us)},
                                               {"median_iterations", median_of(track.iterations)},
                                               {"most_iterations", most_of(track.iterations)},
                                               {"short_stops", track.short_stops},
                                               {"violation", track.violation},
                                               {"deepest_at_rest", track.deepest_at_rest()},
                                               {"deepest", track.deepest()},
                                               {"drift", track.drift()},
                                               {"gained", track.gained},
                                               {"exchanged", track.exchanged},
                                               {"apart", apart(track, contest.runners[0].track)}};
    }
  }
  return all;
}

}  // namespace

Section report_contact(const std::vector<Contest>& contests) {
  Section section = {.name = "contact"};
  section.text =
      "## Contact\n\n"
      "Median and worst processor time of a step by gcc, on " +
      cpu_model() +
      ". `of MuJoCo` is a share of the time of its\n"
      "`mj_step` with the usual compliance. `short` are steps whose solver used up its bound, "
      "`apart` is\n"
      "from the motion by pivoting, the farthest that a body ever is.\n\n" +
      table(contests) + "\n";
  section.text += verdicts(contests);
  section.text += "\n![time and depth, step by step](benchmark_contact.svg)\n";
  section.json = to_json(contests);
  section.svg = plot(contests[0]);
  return section;
}

}  // namespace lockstep::bench
