// What was measured, for readers and for programs.
#pragma once

#include <nlohmann/json.hpp>

#include "race.hpp"

namespace lockstep::bench {

struct Report {
  std::string text;  // Markdown
  nlohmann::ordered_json json;
  std::string plot;  // SVG, in the shape of the paper's figure 4
};

Report make_report(const std::vector<Race>& races);

}  // namespace lockstep::bench
