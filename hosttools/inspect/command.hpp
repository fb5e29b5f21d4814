// lockstep inspect: what the compiler makes of a robot, before anyone compiles it.
#pragma once

#include <CLI/CLI.hpp>

namespace lockstep::host {

void add_inspect_command(CLI::App& app);

}  // namespace lockstep::host
