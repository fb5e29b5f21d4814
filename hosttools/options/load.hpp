// The options that every command on a robot shares.
#pragma once

#include "model/load.hpp"
#include "options/command.hpp"

namespace lockstep::host {

void add_load_options(Command& command, LoadOptions& options);

// Where meshes are and what is made of them, how large a file may be: parts of the above.
void add_mesh_options(Command& command, MeshOptions& options);
void add_scan_options(Command& command, ScanLimits& limits);

}  // namespace lockstep::host
