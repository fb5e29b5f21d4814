// lockstep doctor FILE...: every finding about a robot's file, with line, rule and remedy.
#pragma once

namespace CLI {
class App;
}

namespace lockstep::host {

void add_doctor_command(CLI::App& app);

}  // namespace lockstep::host
