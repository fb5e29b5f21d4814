#include "options/program.hpp"

#include <CLI/CLI.hpp>
#include <iostream>

#include "commands.hpp"

namespace lockstep::host {

int run_tool(int argc, char** argv, const char* version) {
  CLI::App app("Lockstep: robot dynamics in linear time, from a URDF to a microcontroller.");
  app.name("lockstep");
  app.set_version_flag("--version", version);
  app.require_subcommand(0, 1);
  app.footer(
      "Examples:\n"
      "  lockstep doctor arm.urdf                      what is wrong with this file?\n"
      "  lockstep inspect arm.urdf                     what does the solver make of it?\n"
      "  lockstep compile arm.urdf -o arm_model.hpp    a model for Solver<arm_model>\n"
      "  lockstep eval arm.urdf --states states.json   accelerations and joint wrenches\n"
      "  lockstep sim arm.urdf --duration 5 --csv a.csv a robot moving in time\n"
      "  lockstep sweep arm.urdf sweep.json --csv t.csv  thousands of such runs, in one table\n"
      "  lockstep hil arm.urdf --target qemu:cortex-m7 a chip in lockstep with its host twin\n"
      "  lockstep report a.csv --robot arm.urdf        a page of a run: 3-D, plots, events\n"
      "\n"
      "lockstep COMMAND --help tells the rest.");
  add_doctor_command(app);
  add_inspect_command(app);
  add_compile_command(app);
  add_eval_command(app);
  add_sim_command(app);
  add_sweep_command(app);
  add_hil_command(app);
  add_report_command(app);
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

}  // namespace lockstep::host
