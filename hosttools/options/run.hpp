// Options that several commands have in common, beside those that load a robot and bound it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "chip/timing.hpp"
#include "options/command.hpp"

namespace lockstep::host {

void add_scalar_option(Command& command, std::string& scalar);
void add_json_option(Command& command, bool& json);
Option add_hold_option(Command& command, std::vector<double>& gains);  // kp, kd
// `usual` tells where a robot starts without it.
Option add_drop_option(Command& command, std::optional<double>& drop, const std::string& usual);
void add_record_options(Command& command, std::string& csv, std::string& plot);
void add_clock_options(Command& command, TimingOptions& timing);  // of the chip of --target

}  // namespace lockstep::host
