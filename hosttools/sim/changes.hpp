// What changes do, part by part: to the robot's description, to the options, to the state it starts
// in, to what drives it. docs/sweep.md lists the names.
#pragma once

#include "robot/trees.hpp"
#include "sim/options.hpp"

namespace lockstep::host::sim {

// All that may be changed of a robot, with units.
std::vector<RecordColumn> changeable(const Description& description, const RobotTrees& robot);

// Throws Error for a name that is not there, with the nearest that is, and for one that is twice.
void require_known(const Changes& changes, const Description& description, const RobotTrees& robot);

// Those below pass over what is another's. All throw Error for a value that cannot be.

// Masses, with the moments of inertia in proportion; dry friction and damping of joints.
Description changed(const Changes& changes, const Description& description);
// Gains, ground, gravity, drop.
void change_options(const Changes& changes, SimOptions& options);
// Positions and velocities, after which quaternions have length one; a hold goes for the pose as it
// was. True if there were any.
bool change_state(const Changes& changes, const Tree& tree, SimState& state);
bool moves_base(const Changes& changes, const Tree& tree);  // a floating one
// Pushes and motors that die.
void change_settings(const Changes& changes, const Tree& tree, SimSettings& settings);
// The seed of the sensors' noise.
void change_devices(const Changes& changes, Devices& devices);

}  // namespace lockstep::host::sim
