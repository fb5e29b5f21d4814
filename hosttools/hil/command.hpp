#pragma once

namespace CLI {
class App;
}

namespace lockstep::host {

void add_hil_command(CLI::App& app);

}  // namespace lockstep::host
