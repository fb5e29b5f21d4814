// What the contests found: tables, verdicts, JSON and a dot chart.
#pragma once

#include "measure.hpp"
#include "model/tree.hpp"
#include "section.hpp"

namespace lockstep::bench {

// Everyone on one robot.
struct Contest {
  const Robot* robot;
  host::Tree tree;
  std::vector<Entrant> entrants = {};  // "static gcc", "table gcc", ..., then the peers
};

Section report_latency(const std::vector<Contest>& contests);

}  // namespace lockstep::bench
