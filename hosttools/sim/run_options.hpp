// The options of a run, of `sim` and of the runs of `sweep`.
#pragma once

#include "sim/options.hpp"

namespace lockstep::host::sim {

// The robot's file too. `bodies`: a run may be in maximal coordinates.
void add_run_options(Command& command, SimOptions& options, bool bodies);

}  // namespace lockstep::host::sim
