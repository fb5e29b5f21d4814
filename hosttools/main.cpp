#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <string_view>

#include "commands.hpp"

namespace {

int run(int argc, char** argv) {
  CLI::App app("Lockstep: robot dynamics in linear time, from a URDF to a microcontroller.");
  app.name("lockstep");
  app.set_version_flag("--version", "lockstep " LOCKSTEP_VERSION);
  app.require_subcommand(0, 1);
  app.footer(
      "Examples:\n"
      "  lockstep doctor arm.urdf                      what is wrong with this file?\n"
      "  lockstep inspect arm.urdf                     what does the solver make of it?\n"
      "  lockstep compile arm.urdf -o arm_model.hpp    a model for Solver<arm_model>\n"
      "  lockstep eval arm.urdf --states states.json   accelerations and joint wrenches\n"
      "  lockstep sim arm.urdf --duration 5 --csv a.csv a robot moving in time\n"
      "  lockstep hil arm.urdf --target qemu:cortex-m7 a chip in lockstep with its host twin\n"
      "  lockstep report a.csv --robot arm.urdf        a page of a run: 3-D, plots, events\n"
      "\n"
      "lockstep COMMAND --help tells the rest.");
  lockstep::host::add_doctor_command(app);
  lockstep::host::add_inspect_command(app);
  lockstep::host::add_compile_command(app);
  lockstep::host::add_eval_command(app);
  lockstep::host::add_sim_command(app);
  lockstep::host::add_hil_command(app);
  lockstep::host::add_report_command(app);
  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) {
      std::cerr << app.help();
      return 1;
    }
  } catch (const CLI::Success& help_or_version) {
    return app.exit(help_or_version);
  } catch (const CLI::RuntimeError& verdict) {  // a command that has already said why
    return verdict.get_exit_code();
  } catch (const CLI::ParseError& error) {
    const auto commands = app.get_subcommands();
    std::cerr << "lockstep: " << error.what() << "; see lockstep "
              << (commands.empty() ? "" : commands[0]->get_name() + " ") << "--help\n";
    return 1;
  }
  return 0;
}

// Ends the program at once: as an exception, it could meet a destructor that needs memory too.
[[noreturn]] void out_of_memory() {
  constexpr std::string_view kWhy =
      "lockstep: the memory does not suffice; give a smaller file, or raise its limit (ulimit "
      "-v)\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, kWhy.data(), kWhy.size());
  std::_Exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  std::set_new_handler(out_of_memory);
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
