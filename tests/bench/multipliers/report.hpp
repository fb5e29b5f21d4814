// What was measured, for readers and for programs.
#pragma once

#include <nlohmann/json.hpp>

#include "contest.hpp"

namespace lockstep::bench {

struct Report {
  std::string text;  // Markdown
  nlohmann::ordered_json json;
};

Report make_report(const std::vector<Contest>& systems, const std::vector<Contest>& loops,
                   const std::vector<Contest>& trees);

}  // namespace lockstep::bench
