// The plots of a run, as files.
#pragma once

#include <string>

#include "record/record.hpp"

namespace lockstep::host {

// Beside the path: of joints NAME_q.svg and NAME_tau.svg, and NAME_error.svg where they have a
// reference; of bodies NAME_x.svg, and NAME_lambda.svg where there are multipliers; of a target
// NAME_instructions.svg or NAME_tick_time.svg.
void write_plots(const Record& record, const std::string& robot, const std::string& path);

}  // namespace lockstep::host
