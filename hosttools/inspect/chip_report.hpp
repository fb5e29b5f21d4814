// What a robot costs on a chip, for people and for machines.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "inspect/budget.hpp"
#include "inspect/expected.hpp"

namespace lockstep::host {

struct ChipReport {
  ChipCost cost;
  Timing timing;
  FloatError error;
  std::vector<Verdict> budget;  // empty: none was given
};

std::string to_text(const ChipReport& report, std::size_t bodies);
nlohmann::ordered_json to_json(const ChipReport& report);

}  // namespace lockstep::host
