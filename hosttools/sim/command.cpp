#include "sim/command.hpp"

#include <CLI/CLI.hpp>
#include <memory>

#include "mechanism/load.hpp"
#include "sim/joint_run.hpp"
#include "sim/maximal_run.hpp"
#include "text/error.hpp"

namespace lockstep::host {

namespace {

using namespace sim;

void sim_command(const SimOptions& options) {
  const bool mechanism = is_mechanism(options.load);
  const bool by_joints = !mechanism && (options.stepper.empty() || options.stepper == "joint");
  if (!by_joints && (!options.bounds.ground.empty() || options.drop)) {
    throw Error(options.load.file +
                ": moves in maximal coordinates; --ground and --drop are for joint space");
  }
  if (mechanism && options.stepper == "joint") {
    throw Error(options.load.file +
                ": is a mechanism in maximal coordinates; leave out --stepper joint");
  }
  if (mechanism || options.stepper == "lagrange" || options.stepper == "impulse") {
    run_maximal(options);
  } else if (options.method != "linear" || !options.picture.empty()) {
    throw Error(options.load.file +
                ": moves in joint space; --method and --picture are for mechanisms, or --stepper "
                "lagrange or impulse");
  } else {
    run_joint(options);
  }
}

void add_motion_options(CLI::App& command, SimOptions& options) {
  command
      .add_option(
          "--stepper", options.stepper,
          "joint: coordinates of joints, where only loops can drift; lagrange: of bodies, held by "
          "multipliers; impulse: of bodies, put right by impulses to a tolerance (default: "
          "joint for robots, lagrange for mechanisms)")
      ->check(CLI::IsMember({"joint", "lagrange", "impulse"}))
      ->option_text("joint|lagrange|impulse");
  command
      .add_option("--method", options.method,
                  "How --stepper lagrange and impulse solve their rows: linear, along the tree; "
                  "dense, in one matrix; of impulses also iterative, one constraint at a time, and "
                  "parts, loops as acyclic parts in turn")
      ->check(CLI::IsMember({"linear", "dense", "iterative", "parts"}))
      ->capture_default_str();
  command
      .add_option("--tolerance", options.tolerance,
                  "How far any row may be off with --stepper impulse, in m or rad")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command
      .add_option("--threads", options.threads,
                  "Of --method parts; the result is the same for any number")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command
      .add_option("--stabilization", options.stabilization,
                  "What takes drift out of loops and couplings, and of --stepper lagrange")
      ->check(CLI::IsMember({"baumgarte", "projection", "none"}))
      ->capture_default_str();
  command.add_option("--integrator", options.integrator, "semi-implicit Euler or Runge-Kutta")
      ->check(CLI::IsMember({"euler", "rk4"}))
      ->capture_default_str();
  command.add_option("--dt", options.dt, "A step, in seconds (default: 0.001)")
      ->check(CLI::PositiveNumber);
  command.add_option("--duration", options.duration, "Seconds to simulate")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command.add_option("--scalar", options.scalar, "What to compute with")
      ->check(CLI::IsMember({"float", "double"}))
      ->capture_default_str();
  command
      .add_option("--gravity", options.gravity,
                  "In the world, m/s^2 (default: 0,0,-9.81, or the mechanism's)")
      ->delimiter(',')
      ->expected(3)
      ->option_text("X,Y,Z");
  CLI::Option* start = command.add_option("--start", options.start,
                                          "JSON file with q and v by joint, or x and v by body; "
                                          "default: at rest in zero, or as the mechanism says");
  command.add_option("--restore", options.restore, "Continue from a state that --save wrote")
      ->excludes(start);
  command.add_option("--save", options.save, "Write the last state, every bit of it");
  CLI::Option* torques = command.add_option(
      "--torques", options.torques,
      "CSV file with columns time, tau.JOINT; a row acts until the next; default: no torques");
  command.add_option("--hold", options.hold, "Hold the start pose: PD gains, gravity compensated")
      ->delimiter(',')
      ->expected(2)
      ->check(CLI::NonNegativeNumber)
      ->excludes(torques)
      ->option_text("KP,KD");
}

void add_output_options(CLI::App& command, SimOptions& options) {
  command.add_option("--csv", options.csv,
                     "Write the record to this file: a column a named quantity with unit");
  command.add_option("--every", options.every, "Record and check the energy each Nth step")
      ->check(CLI::Range(1, 1'000'000'000))
      ->capture_default_str();
  command.add_option("--picture", options.picture,
                     "Draw the last state of a mechanism into this SVG file");
  CLI::Option* plot = command.add_option("--plot", options.plot,
                                         "Write plots: NAME.svg becomes NAME_q.svg and "
                                         "NAME_tau.svg, or NAME_x.svg and NAME_lambda.svg");
  command
      .add_option("--columns", options.columns,
                  "Plot these columns of the record instead, into the file itself")
      ->delimiter(',')
      ->needs(plot)
      ->option_text("q.JOINT,v.JOINT,...");
}

}  // namespace

void add_sim_command(CLI::App& app) {
  const auto options = std::make_shared<SimOptions>();
  CLI::App* command = app.add_subcommand("sim", "Move a robot or a mechanism in time, on the host");
  add_load_options(*command, options->load);
  add_motion_options(*command, *options);
  add_bound_options(*command, options->bounds);
  command
      ->add_option("--drop", options->drop,
                   "Start with the lowest point this far above the ground, in m (default: 0, "
                   "unless --start or --restore says where)")
      ->check(CLI::NonNegativeNumber)
      ->excludes("--restore");
  add_output_options(*command, *options);
  command->footer(
      "Files are described in docs/simulation.md.\n"
      "Examples:\n"
      "  lockstep sim arm.urdf --start pose.json --integrator rk4 --duration 5 --plot fall.svg\n"
      "  lockstep sim arm.urdf --start pose.json --hold 100,1 --csv hold.csv --every 10\n"
      "  lockstep sim arm.urdf --torques torques.csv --duration 60 --save state.json\n"
      "  lockstep sim arm.urdf --torques torques.csv --duration 60 --restore state.json\n"
      "  lockstep sim quadruped.urdf --base floating --drop 0.1 --hold 60,0.2 --csv stand.csv\n"
      "  lockstep sim gyroscope.xml --integrator rk4 --duration 5 --csv gyroscope.csv\n"
      "  lockstep sim arm.urdf --stepper lagrange --stabilization projection --csv bodies.csv");
  command->callback([options] { sim_command(*options); });
}

}  // namespace lockstep::host
