// lockstep sim --stepper lagrange, and impulse: a mechanism in maximal coordinates, or a robot
// whose joints become constraints.
#pragma once

#include "sim/options.hpp"

namespace lockstep::host::sim {

// Throws Error.
void run_maximal(const SimOptions& options);

}  // namespace lockstep::host::sim
