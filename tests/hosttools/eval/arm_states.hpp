// A two-joint arm on a floating base, and a file of states for it, as text to vary.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "model/tree.hpp"
#include "support/random_tree.hpp"

namespace lockstep::test {

// Bodies in the order root_joint, slide, turn; files may list them otherwise.
inline host::Tree floating_arm() {
  host::Tree tree;
  tree.name = "arm";
  tree.bodies = random_tree({.shape = Shape::kChain, .bodies = 3, .seed = 4});
  tree.bodies[0].joint = JointType::kFloating;
  tree.bodies[1].joint = JointType::kPrismatic;
  tree.bodies[2].joint = JointType::kRevolute;
  tree.joint_names = {"root_joint", "slide", "turn"};
  tree.link_names = {"base", "sledge", "hand"};
  return tree;
}

inline constexpr const char* kArmStates = R"({
"name": "arm",
"gravity": [1, 2, -9],
"joints": [{"name": "turn"}, {"name": "root_joint"}, {"name": "slide"}],
"states": [
 {"q": [0.3, 1, 2, 3, 0, 0, 0, 2, 0.4], "qd": [7, 1, 2, 3, 4, 5, 6, 8],
  "tau": [70, 10, 20, 30, 40, 50, 60, 80]},
 {"q": [0, 0, 0, 0, 0.5, 0.5, 0.5, 0.5, 0], "qd": [0, 0, 0, 0, 0, 0, 0, 0],
  "tau": [0, 0, 0, 0, 0, 0, 0, 0], "gravity": [0, 0, 0],
  "external": [[1, 2, 3, 4, 5, 6], [0, 0, 0, 0, 0, 0], [7, 8, 9, 10, 11, 12]]}
]
})";

// kArmStates with one passage replaced.
inline std::string arm_states_with(const std::string& from, const std::string& to) {
  std::string text = kArmStates;
  const auto at = text.find(from);
  return at == std::string::npos ? "passage not found" : text.replace(at, from.size(), to);
}

}  // namespace lockstep::test
