// A robot as users speak of it, and as it is computed: with its rotors merged, or the same.
#pragma once

#include "model/load.hpp"

namespace lockstep::host {

struct RobotTrees {
  Tree whole, computed;
};

// Throws Error.
RobotTrees load_robot(LoadOptions load);

}  // namespace lockstep::host
