// What a robot costs on a chip, for people and for machines.
#pragma once

#include <string>

#include "inspect/budget.hpp"
#include "inspect/expected.hpp"
#include "system/json_file.hpp"

namespace lockstep::host {

struct ChipReport {
  ChipCost cost;
  Timing timing;
  FloatError error;
  std::vector<Verdict> budget;  // empty: none was given
};

std::string to_text(const ChipReport& report, std::size_t bodies);
Json to_json(const ChipReport& report);

}  // namespace lockstep::host
