// What the lists of states took: tables, verdicts, JSON and a dot chart.
#pragma once

#include "measure.hpp"
#include "section.hpp"

namespace lockstep::bench {

// One list of states, always computed in one way.
struct Pace {
  const Build* build;
  Scalar scalar;
  int threads;
  std::unique_ptr<ManyStates> states;
  std::vector<double> ns = {};  // a state, one number for every round
};

// All ways on one robot.
struct Race {
  const Robot* robot;
  std::vector<Pace> paces = {};
};

Section report_throughput(const std::vector<Race>& races, const std::vector<const Build*>& builds);

}  // namespace lockstep::bench
