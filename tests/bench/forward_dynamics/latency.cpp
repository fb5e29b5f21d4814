#include "latency.hpp"

#include <cstdio>

#include "builds.hpp"
#include "latency_report.hpp"
#include "robots.hpp"

namespace lockstep::bench {

namespace {

void enter(Contest& contest, const std::vector<const Build*>& builds) {
  const auto add = [&](const std::string& name, std::unique_ptr<Candidate> candidate) {
    if (candidate == nullptr) return;
    contest.entrants.push_back({.name = name,
                                .states = random_states(contest.tree.bodies),
                                .candidate = std::move(candidate)});
  };
  for (const Build* build : builds) {
    add(name_of("static", *build), build->make_static(contest.robot->name));
  }
  for (const Build* build : builds) {
    add(name_of("table", *build), build->make_table(contest.tree.bodies));
  }
  for (const Peer& peer : peers()) {
    try {
      add(peer.name, peer.make(contest.tree.bodies));
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s: %s left out: %s\n", contest.robot->name, peer.name, error.what());
    }
  }
}

// True if there is nobody to refuse.
bool refuse_who_disagrees(Contest& contest) {
  compare(contest.entrants);
  const std::string judge = contest.entrants[0].name;
  const auto disagrees = [&](const Entrant& entrant) {
    if (entrant.error <= kAgreement) return false;
    std::fprintf(stderr, "%s: %s is not timed: it differs from '%s' by %.1e, more than %.0e\n",
                 contest.robot->name, entrant.name.c_str(), judge.c_str(), entrant.error,
                 kAgreement);
    return true;
  };
  return std::erase_if(contest.entrants, disagrees) == 0;
}

}  // namespace

Section measure_latency(const Options& options) {
  bool all_agree = true;
  std::vector<Contest> contests;
  for (const Robot* robot : choose(options.robots)) {
    Contest& contest = contests.emplace_back(Contest{.robot = robot, .tree = load(*robot)});
    enter(contest, options.builds);
    all_agree &= refuse_who_disagrees(contest);
  }
  if (options.sweeps == 0) return {.name = "latency", .good = all_agree};

  // all robots again and again: a noisy minute then spoils no robot's minimum
  for (int sweep = 1; sweep <= options.sweeps; ++sweep) {
    show_progress("latency", sweep, options.sweeps);
    for (Contest& contest : contests) {
      measure(contest.entrants, options.rounds, static_cast<unsigned>(sweep * options.rounds));
    }
  }
  Section section = report_latency(contests);
  section.good = all_agree;
  return section;
}

}  // namespace lockstep::bench
