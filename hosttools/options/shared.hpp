// Options that several commands share, beside those that bound a robot.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "chip/timing.hpp"
#include "model/load.hpp"
#include "options/command.hpp"
#include "robot/user_controller.hpp"

namespace lockstep::host {

// Of every command on a robot.
void add_load_options(Command& command, LoadOptions& options);

// Parts of the above. All but the file.
void add_model_options(Command& command, LoadOptions& options);
// What a root link is.
void add_base_option(Command& command, ReduceOptions& options);
// Where meshes are and what is made of them, how large a file may be.
void add_mesh_options(Command& command, MeshOptions& options);
void add_scan_options(Command& command, ScanLimits& limits);
// What is done about masses, moments and mimics that make no sense.
void add_repair_options(Command& command, ReadOptions& read, ReduceOptions& reduce);

void add_scalar_option(Command& command, std::string& scalar);
void add_json_option(Command& command, bool& json);
Option add_hold_option(Command& command, std::vector<double>& gains);  // kp, kd
Option add_controller_options(Command& command, ControllerWords& words);
// `usual` tells where a robot starts without it.
Option add_drop_option(Command& command, std::optional<double>& drop, const std::string& usual);
void add_record_options(Command& command, std::string& csv, std::string& plot,
                        std::uint64_t& every);
void add_report_option(Command& command, std::string& path);
void add_clock_options(Command& command, TimingOptions& timing);  // of the chip of --target

}  // namespace lockstep::host
