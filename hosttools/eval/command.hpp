// lockstep eval: accelerations and joint wrenches for a file of states.
#pragma once

namespace CLI {
class App;
}

namespace lockstep::host {

void add_eval_command(CLI::App& app);

}  // namespace lockstep::host
