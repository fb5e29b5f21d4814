#include "sim/maximal_bounds.hpp"

#include <algorithm>
#include <iostream>

#include "mechanism/from_tree.hpp"
#include "text/finding.hpp"

namespace lockstep::host::sim {

void bound(const SimOptions& options, const Tree& tree, Mechanism& mechanism) {
  std::vector<std::string> silent;
  std::vector<std::string> turns = add_bounds(tree, wants_limit(options.bounds, "position"),
                                              options.bounds.friction == "urdf", mechanism);
  if (options.method != "linear" && !mechanism.bounds.empty()) {
    mechanism.bounds.clear(), mechanism.bound_names.clear(), turns.clear();
    silent.push_back("limits and dry friction of joints (--method " + options.method + ")");
  }
  if (!turns.empty()) {
    silent.push_back("limits a turn or more apart (" + quote(turns.front()) +
                     (turns.size() > 1 ? " and others)" : ")"));
  }
  if (wants_limit(options.bounds, "velocity")) silent.push_back("greatest speeds");
  const bool floats = std::ranges::any_of(
      tree.bodies, [](const Body& body) { return body.joint == JointType::kFloating; });
  if (!tree.collider_pairs.empty() || (floats && !tree.colliders.empty())) {
    silent.push_back("contacts of <collision> shapes");
  }
  if (silent.empty()) return;
  std::string all = silent.front();
  for (std::size_t i = 1; i < silent.size(); ++i) all += ", " + silent[i];
  std::cerr << options.load.file << ": warning: with --stepper " << options.stepper
            << " these do not act: " << all << "; leave out --stepper to have them\n";
}

}  // namespace lockstep::host::sim
