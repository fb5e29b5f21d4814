// What a simulated run showed, for people: where it went, and whether energy and momentum agree
// with it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/integrate/settings.hpp"
#include "robot/balance.hpp"

namespace lockstep::host::sim {

struct SimReport {
  std::string kind, name;  // "robot" and its name
  std::string how;         // "double, euler"
  double dt = 0;
  std::uint64_t first = 0, last = 0;  // steps
  const Balance& balance;
  BalanceLine verdict;
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
std::string error_text(const ConstraintErrors<double>& errors);

}  // namespace lockstep::host::sim
