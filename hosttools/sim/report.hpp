// What a simulated run showed, for people: where it went, and whether energy and momentum agree
// with it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "lockstep/integrate/settings.hpp"
#include "page/write_page.hpp"
#include "robot/balance.hpp"
#include "sim/options.hpp"
#include "text/report_lines.hpp"

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

// Of a line that is another in the same run again.
inline constexpr const char* kRealTime = "real time";

ReportLines lines_of(const SimReport& report);

// For the page: how it steps, from where, under what. Beside what bounds it.
CardLines option_lines(const SimOptions& options, const std::string& how,
                       const std::array<double, 3>& gravity);

// For the page: the run's lines, but for the time that it took, which no two runs share.
RunFacts facts_of(const std::string& path, const std::string& page, const SimReport& report);
// The same of a run that broke off after so much of the record.
RunFacts broken_facts(const std::string& path, const std::string& page, const Record& record,
                      const std::string& why);

// How many torques were cut.
std::string limits_text(std::uint64_t limited);

// How far the constraints were left.
std::string error_text(const ConstraintErrors<double>& errors);

}  // namespace lockstep::host::sim
