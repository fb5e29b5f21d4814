// A robot, where it starts, what holds it, and how long it is watched.
#pragma once

#include <optional>

#include "robot/ground.hpp"
#include "sim/simulation.hpp"

namespace lockstep::bench {

struct Scene {
  std::string name;
  host::Tree tree;
  Eigen::VectorXd start;
  host::sim::SimSettings settings;  // dt, bounds and hold
  int steps = 3000;
  double goal = 0;  // of MuJoCo's time
};

inline constexpr const char* kTallest = "stack of 10";

// Those whose files are there; a line on standard error tells of others. Throws host::Error.
std::vector<Scene> make_scenes();

}  // namespace lockstep::bench
