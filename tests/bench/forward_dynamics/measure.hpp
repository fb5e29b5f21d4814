// Agreement first, then times: the entrants take turns in short batches, so that whatever disturbs
// the machine hits all alike. Google Benchmark can interleave whole repetitions, not batches of
// microseconds on one state, and pairs of those are what a ratio on a shared machine needs; hence
// a loop of our own.
#pragma once

#include <algorithm>
#include <functional>
#include <string>

#include "candidate.hpp"

namespace lockstep::bench {

std::string cpu_model();

// The state of a seed.
using States = std::function<State(unsigned seed)>;

struct Entrant {
  std::string name;
  States states;
  std::unique_ptr<Candidate> candidate;
  double error = 0;             // of the accelerations, against the first entrant's
  std::vector<double> ns = {};  // a call, one number for every round

  double minimum() const;
  double median() const;
};

template <class T>
T median_of(std::vector<T> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The median of the ratios round by round: what a disturbance of both leaves as it was.
double median_ratio(const std::vector<double>& part, const std::vector<double>& whole);
double minimum_of(const std::vector<double>& values);

// Anywhere, moving. The bodies have to live as long as the answer.
States random_states(std::span<const Body> bodies);
State random_state(std::span<const Body> bodies, unsigned seed);

// Entrants on one robot: the greatest |difference| over the greatest |acceleration|, over some of
// their states.
void compare(std::vector<Entrant>& entrants);

// Every round has a new state and a batch of calls for every entrant. Adds to `ns`.
void measure(std::vector<Entrant>& entrants, int rounds, unsigned seed);

// The cores that this process may use, the one where it was at first in front.
const std::vector<int>& cores();

// Keeps the calling thread on a core.
void pin_to_core(int core);

}  // namespace lockstep::bench
