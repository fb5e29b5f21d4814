// The commands of the tool, each defined in the folder of its name.
#pragma once

namespace CLI {
class App;
}

namespace lockstep::host {

void add_doctor_command(CLI::App& app);   // every finding about a file, with line, rule and remedy
void add_inspect_command(CLI::App& app);  // what the compiler makes of a robot
void add_compile_command(CLI::App& app);  // a URDF becomes a header that Solver takes as its model
void add_eval_command(CLI::App& app);     // accelerations and joint wrenches for a file of states
void add_sim_command(CLI::App& app);      // a robot moving in time, on the host
void add_hil_command(CLI::App& app);      // a chip in lockstep with its twin on the host
void add_sweep_command(CLI::App& app);    // many runs of sim that differ in what a file says varies
void add_report_command(CLI::App& app);   // a page to look at, of a record of sim or hil

}  // namespace lockstep::host
