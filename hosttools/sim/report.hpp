// What a simulated run showed, for people: where it went, and whether energy and momentum agree
// with it.
#pragma once

#include <string>

#include "oracle/energy.hpp"
#include "sim/simulation.hpp"

namespace lockstep::host::sim {

// Follows energy and momentum, which come from the bodies' motions in the world and share nothing
// with the solver.
class Balance {
 public:
  explicit Balance(std::span<const Body> bodies) : bodies_(bodies) {}

  void add(const DenseInput& now);

  const Mechanics& start() const { return start_; }
  const Mechanics& end() const { return end_; }
  double largest_change() const { return largest_change_; }  // of the energy since the start, J

 private:
  std::span<const Body> bodies_;
  bool started_ = false;
  Mechanics start_, end_;
  double largest_change_ = 0;
};

struct SimReport {
  const Tree& tree;
  const SimSettings& settings;
  std::string scalar, integrator;  // as the user named them
  std::uint64_t first = 0;         // the step that the run began with
  const SimState& state;           // at the end
  SimOutcome outcome;
  const Balance& balance;
};

std::string to_text(const SimReport& report);

}  // namespace lockstep::host::sim
