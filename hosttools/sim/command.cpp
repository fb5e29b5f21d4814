#include <memory>

#include "commands.hpp"
#include "mechanism/load.hpp"
#include "options/shared.hpp"
#include "robot/devices.hpp"
#include "sim/options.hpp"
#include "sim/run_options.hpp"
#include "text/error.hpp"

namespace lockstep::host {

namespace {

using namespace sim;

void sim_command(SimOptions options) {
  const bool mechanism = is_mechanism(options.load);
  const bool by_joints = !mechanism && (options.stepper.empty() || options.stepper == "joint");
  const bool equipped = !mechanism && has_devices(options.load);
  if (equipped && !by_joints) refuse_devices(options.load, "--stepper " + options.stepper);
  if (by_joints) settle_for_joints(options, equipped);
  if (options.integrator.empty()) options.integrator = "rk4";  // bodies have to be held
  if (!by_joints && options.integrator != "rk4" && options.integrator != "euler") {
    throw Error(options.load.file + ": moves in maximal coordinates; --integrator " +
                options.integrator + " is for joint space");
  }
  if (options.stabilization.empty()) options.stabilization = "projection";
  if (!by_joints && (!options.bounds.ground.empty() || options.drop)) {
    throw Error(options.load.file +
                ": moves in maximal coordinates; --ground and --drop are for joint space");
  }
  if (!by_joints && !(options.controller.command.empty() && options.changes.empty())) {
    throw Error(options.load.file + ": moves in maximal coordinates; " +
                (options.changes.empty() ? "--controller" : "--set") + " is for joint space");
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

void add_motion_options(Command& command, SimOptions& options) {
  command
      .add("--stepper", options.stepper,
           "joint: coordinates of joints, where only loops can have errors; lagrange: of bodies, "
           "held by multipliers; impulse: of bodies, put right by impulses to a tolerance "
           "(default: joint for robots, lagrange for mechanisms)")
      .one_of({"joint", "lagrange", "impulse"})
      .shown_as("joint|lagrange|impulse");
  command
      .add("--method", options.method,
           "How --stepper lagrange and impulse solve their rows: linear, along the tree; "
           "dense, in one matrix; of impulses also iterative, one constraint at a time, and "
           "parts, loops as acyclic parts in turn")
      .one_of({"linear", "dense", "iterative", "parts"})
      .shows_default();
  command
      .add("--tolerance", options.tolerance,
           "How far any row may be off with --stepper impulse, in m or rad")
      .positive()
      .shows_default();
  command
      .add("--max-solves", options.max_solves,
           "With --stepper impulse, how often the rows of a step are put right before it is "
           "taken in parts (default: 20; iterative 10000, parts 20000 sweeps)")
      .within(1, 1'000'000);
  command
      .add("--threads", options.threads, "Of --method parts; the result is the same for any number")
      .within(1, 256)
      .shows_default();
  command.add("--restore", options.restore, "Continue from a state that --save wrote")
      .excludes("--start")
      .excludes("--drop");
  command.add("--save", options.save, "Write the last state, every bit of it");
  const auto set = [&options](const std::vector<std::string>& texts) {
    options.changes.clear();
    for (const std::string& text : texts) options.changes.push_back(read_change(text));
  };
  command
      .take_all("--set", set,
                "Another number in this run: q.JOINT, v.JOINT, mass.LINK, friction.JOINT, kp, "
                "ground_friction, push.JOINT, dead.JOINT, ...; may be repeated (docs/sweep.md)")
      .excludes("--restore")
      .shown_as("NAME=NUMBER");
  add_controller_options(command, options.controller).excludes("--hold").excludes("--torques");
}

void add_output_options(Command& command, SimOptions& options) {
  add_record_options(command, options.csv, options.plot, options.every);
  add_report_option(command, options.report);
  command.add("--picture", options.picture, "Draw the last state of a mechanism into this SVG file")
      .svg();
  command
      .add("--columns", options.columns,
           "Plot these columns of the record instead, into the file itself")
      .list()
      .needs("--plot")
      .shown_as("q.JOINT,v.JOINT,...");
}

}  // namespace

void add_sim_command(CLI::App& app) {
  const auto options = std::make_shared<SimOptions>();
  Command command(app, "sim", "Move a robot or a mechanism in time, on the host");
  add_run_options(command, *options, true);
  add_motion_options(command, *options);
  add_output_options(command, *options);
  command.footer(
      "Files are described in docs/simulation.md.\n"
      "Examples:\n"
      "  lockstep sim arm.urdf --start pose.json --integrator rk4 --duration 5 --plot fall.svg\n"
      "  lockstep sim arm.urdf --start pose.json --hold 100,1 --csv hold.csv --every 10\n"
      "  lockstep sim arm.urdf --torques torques.csv --duration 60 --save state.json\n"
      "  lockstep sim arm.urdf --torques torques.csv --duration 60 --restore state.json\n"
      "  lockstep sim quadruped.urdf --base floating --drop 0.1 --hold 60,0.2 --csv stand.csv\n"
      "  lockstep sim quadruped.urdf --base floating --drop 0.1 --hold 60,0.2 --report stand.html\n"
      "  lockstep sim arm.urdf --set q.elbow=0.5 --set mass.forearm=1.2 --csv heavier.csv\n"
      "  lockstep sim arm.urdf --controller 'python3 hold.py 100 2' --duration 5 --csv own.csv\n"
      "  lockstep sim gyroscope.xml --integrator rk4 --duration 5 --csv gyroscope.csv\n"
      "  lockstep sim arm.urdf --stepper lagrange --stabilization projection --csv bodies.csv");
  command.runs([options] { sim_command(*options); });
}

}  // namespace lockstep::host
