// lockstep inspect: what the compiler makes of a robot, before anyone compiles it.
#pragma once

namespace CLI {
class App;
}

namespace lockstep::host {

void add_inspect_command(CLI::App& app);

}  // namespace lockstep::host
