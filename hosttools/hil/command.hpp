#pragma once

#include <CLI/CLI.hpp>

namespace lockstep::host {

void add_hil_command(CLI::App& app);

}  // namespace lockstep::host
