// lockstep sim --stepper joint: a robot in joint space.
#pragma once

#include "sim/options.hpp"

namespace lockstep::host::sim {

// Throws Error.
void run_joint(const SimOptions& options);

}  // namespace lockstep::host::sim
