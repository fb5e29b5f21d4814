// Where a robot starts above the ground.
#pragma once

#include "sim/options.hpp"

namespace lockstep::host::sim {

// Lifts or lowers what floats until the lowest point is --drop above the ground. Does nothing if
// the user says where the robot is, and no --drop. Throws Error.
void place_on_ground(const SimOptions& options, const GroundData& ground, const Tree& tree,
                     SimState& state);

}  // namespace lockstep::host::sim
