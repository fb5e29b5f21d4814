// lockstep sim: a robot moving in time, on the host.
#pragma once

namespace CLI {
class App;
}

namespace lockstep::host {

void add_sim_command(CLI::App& app);

}  // namespace lockstep::host
