// What a simulated run showed, for people: where it went, and whether energy and momentum agree
// with it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/integrate/settings.hpp"
#include "oracle/energy.hpp"

namespace lockstep::host::sim {

// Follows energy and momentum.
class Balance {
 public:
  void add(const Mechanics& now);

  const Mechanics& start() const { return start_; }
  const Mechanics& end() const { return end_; }
  double largest_change() const { return largest_change_; }  // of the energy since the start, J

 private:
  bool started_ = false;
  Mechanics start_, end_;
  double largest_change_ = 0;
};

struct SimReport {
  std::string kind, name;  // "robot" and its name
  std::string how;         // "double, euler"
  double dt = 0;
  std::uint64_t first = 0, last = 0;  // steps
  const Balance& balance;
  bool conserved = false;  // nothing but gravity and workless constraints acts
  bool free = false;       // nothing holds it to the world
  std::vector<std::pair<std::string, std::string>> more;  // further lines
  double seconds = 0;                                     // that stepping took
  std::uint64_t hash = 0;
};

std::string to_text(const SimReport& report);

// How many torques were cut.
std::string limits_text(std::uint64_t limited);

// How far the constraints were left.
std::string drift_text(const ConstraintErrors<double>& drift);

}  // namespace lockstep::host::sim
