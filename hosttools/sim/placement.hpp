// Where a robot starts.
#pragma once

#include "sim/options.hpp"

namespace lockstep::host::sim {

// Lifts or lowers what floats until the lowest point is --drop above the ground. Does nothing if
// the user says where the robot is, and no --drop. Throws Error.
void place_on_ground(const SimOptions& options, const GroundData& ground, const Tree& tree,
                     SimState& state);

// Throws Error where loops or couplings are open at q: a robot that falls apart at the first step
// moves nowhere.
void require_closed(const SimOptions& options, const Tree& tree, const Eigen::VectorXd& q);

}  // namespace lockstep::host::sim
