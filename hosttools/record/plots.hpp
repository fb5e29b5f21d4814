// The plots of a run, as files.
#pragma once

#include <string>

#include "record/record.hpp"

namespace lockstep::host {

// Motion and torques, beside the path: NAME.svg becomes NAME_q.svg and NAME_tau.svg.
void write_plots(const Record& record, const std::string& robot, const std::string& path);

}  // namespace lockstep::host
