#include "robots.hpp"

#include <algorithm>
#include <string_view>

#include "model/load.hpp"
#include "text/error.hpp"

namespace lockstep::bench {

host::Tree load(const Robot& robot) {
  host::LoadOptions options;
  options.file = robot.urdf;
  options.quiet = options.read.ignore_mimic = true;
  using Base = host::ReduceOptions::Base;
  options.reduce = {
      .base = std::string_view(robot.base) == "floating" ? Base::kFloating : Base::kFixed,
      .ignore_damping = true,
      .ignore_mimic = true};
  return host::load_tree(options);
}

std::vector<const Robot*> choose(const std::vector<std::string>& names) {
  std::vector<const Robot*> chosen;
  std::string known;
  for (const Robot& robot : robots()) {
    known += std::string(" ") + robot.name;
    if (names.empty() || std::find(names.begin(), names.end(), robot.name) != names.end()) {
      chosen.push_back(&robot);
    }
  }
  if (!names.empty() && chosen.size() != names.size()) {
    throw host::Error("--robot: not all of these are known; choose among" + known);
  }
  return chosen;
}

}  // namespace lockstep::bench
