// Everything `lockstep inspect` tells about a robot, for people and for machines.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "inspect/draw.hpp"
#include "inspect/operations.hpp"
#include "inspect/sizes.hpp"

namespace lockstep::host {

struct Report {
  Tree tree;
  std::vector<Node> forward;
  OperationCount operations;
  Sizes in_float, in_double;
};

Report make_report(Tree tree);

std::string to_text(const Report& report, Charset charset);
nlohmann::ordered_json to_json(const Report& report);

}  // namespace lockstep::host
