// The ways that `lockstep sim` moves what it is given. Both throw Error.
#pragma once

#include "sim/options.hpp"

namespace lockstep::host::sim {

void run_joint(const SimOptions& options);    // --stepper joint: a robot in joint space
void run_maximal(const SimOptions& options);  // a robot or a mechanism in maximal coordinates

}  // namespace lockstep::host::sim
