// A robot as users speak of it, and as it is computed: with its rotors merged, or the same.
#pragma once

#include "model/load.hpp"

namespace lockstep::host {

struct RobotTrees {
  Tree whole, computed;
};

// Both throw Error.
RobotTrees load_robot(const LoadOptions& load);
RobotTrees robot_of(const LoadOptions& load, const Description& description);

}  // namespace lockstep::host
