// What a run in joint space begins with: the robot, what bounds its motion, where it starts, what
// drives it.
#pragma once

#include "robot/trees.hpp"
#include "sim/options.hpp"

namespace lockstep::host::sim {

struct JointStart {
  RobotTrees robot;
  Bounds bounds;
  SimState state;
  SimSettings settings;
};

// Warnings go to standard error. Throws Error.
JointStart prepare_joint(const SimOptions& options);

// With changes that are known (require_known). Throws Error.
JointStart prepare_joint(SimOptions options, const Description& description);

// The drivetrains and sensors of the file. `tree` is the computed one. Throws Error.
Devices devices_of(const SimOptions& options, const Tree& tree, double dt);

}  // namespace lockstep::host::sim
