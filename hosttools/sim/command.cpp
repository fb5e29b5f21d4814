#include "sim/command.hpp"

#include <cmath>
#include <memory>
#include <optional>

#include "error.hpp"
#include "model/load.hpp"
#include "record/joint_columns.hpp"
#include "record/plots.hpp"
#include "sim/report.hpp"
#include "sim/simulation.hpp"
#include "sim/state_file.hpp"
#include "status_line.hpp"
#include "urdf/finding.hpp"
#include "urdf/number.hpp"
#include "write_file.hpp"

namespace lockstep::host {

namespace {

using namespace sim;

constexpr double kMostSteps = 1e9;

struct SimOptions {
  LoadOptions load;
  std::string scalar = "double", integrator = "euler", limits = "urdf";
  std::optional<double> dt;
  double duration = 1;
  std::vector<double> gravity = {0, 0, -9.81};
  std::string start, restore, save;
  std::string torques;
  std::vector<double> hold;  // kp, kd
  std::uint64_t every = 1;
  std::string csv, plot;
  std::vector<std::string> columns;
};

// The state to begin with, and the time step, which a saved state brings along.
SimState make_start(const SimOptions& options, const Tree& tree, double& dt) {
  if (options.restore.empty()) {
    return options.start.empty() ? rest_state(tree) : read_start(options.start, tree);
  }
  const SavedState saved = read_saved(options.restore, tree, options.scalar);
  if (options.dt && *options.dt != saved.dt) {
    throw Error(options.restore + ": 'dt' is " + write_number(saved.dt) + ", and --dt " +
                write_number(*options.dt) + "; leave out --dt");
  }
  dt = saved.dt;
  return saved.state;
}

std::uint64_t step_count(double duration, double dt) {
  const double steps = std::round(duration / dt);
  if (!(steps >= 1 && steps <= kMostSteps)) {
    throw Error("--duration " + write_number(duration) + ": " + write_number(steps) + " steps of " +
                write_number(dt) + " s; give a time of 1 to 1e9 steps");
  }
  return static_cast<std::uint64_t>(steps);
}

std::vector<std::size_t> shown_columns(const SimOptions& options,
                                       std::span<const RecordColumn> columns) {
  std::vector<std::size_t> shown;
  for (const std::string& name : options.columns) {
    const auto column = find_column(columns, name);
    if (!column) {
      throw Error("--columns: robot " + quote(options.load.file) + " has no " + quote(name) +
                  "; give names from the header of --csv, with or without units");
    }
    shown.push_back(*column);
  }
  return shown;
}

SimSettings make_settings(const SimOptions& options, std::span<const RecordColumn> columns,
                          double dt) {
  SimSettings settings = {.dt = dt, .limits = options.limits == "urdf", .hold = {}, .torques = {}};
  if (options.integrator == "rk4") settings.integrator = Integrator::kRungeKutta4;
  std::ranges::copy(options.gravity, settings.gravity.begin());
  if (!options.hold.empty()) settings.hold = Hold{options.hold[0], options.hold[1]};
  if (!options.torques.empty()) settings.torques = read_torques(options.torques, columns, dt);
  return settings;
}

void sim_command(const SimOptions& options) {
  const Tree tree = load_tree(options.load);
  Record record(joint_columns(tree));
  double dt = options.dt.value_or(SimSettings().dt);
  SimState state = make_start(options, tree, dt);
  const SimSettings settings = make_settings(options, record.columns(), dt);
  const std::vector<std::size_t> shown = shown_columns(options, record.columns());
  const std::uint64_t first = state.step, steps = step_count(options.duration, dt);
  const bool recorded = !options.csv.empty() || !options.plot.empty();

  Balance balance(tree.bodies);
  SimOutcome outcome;
  {
    StatusLine status;
    const auto watch = [&](std::uint64_t step, const DenseInput& now) {
      balance.add(now);
      if (recorded) record.add(time_of(step, dt), joint_row(now.q, now.v, now.tau));
      if (options.load.quiet) return;
      status.show([&] {
        return "sim: step " + std::to_string(step - first) + " of " + std::to_string(steps);
      });
    };
    const auto run = options.scalar == "float" ? simulate<float> : simulate<double>;
    outcome = run(tree, settings, steps, options.every, state, watch);
  }
  if (!options.csv.empty()) write_file(options.csv, record.csv());
  if (!options.columns.empty()) {
    write_file(options.plot, to_svg(record.chart(tree.name, "value", shown)));
  } else if (!options.plot.empty()) {
    write_plots(record, tree.name, options.plot);
  }
  if (!options.save.empty()) {
    write_file(options.save, saved_text({.state = state, .dt = dt}, tree, options.scalar));
  }
  write_file("-", to_text({.tree = tree,
                           .settings = settings,
                           .scalar = options.scalar,
                           .integrator = options.integrator,
                           .first = first,
                           .state = state,
                           .outcome = outcome,
                           .balance = balance}));
}

void add_motion_options(CLI::App& command, SimOptions& options) {
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
  command.add_option("--gravity", options.gravity, "In the world, m/s^2 (default: 0,0,-9.81)")
      ->delimiter(',')
      ->expected(3)
      ->option_text("X,Y,Z");
  CLI::Option* start = command.add_option(
      "--start", options.start, "JSON file with q and v by joint; default: at rest in zero");
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
  command.add_option("--limits", options.limits, "Of torques: the joints' efforts, or none")
      ->check(CLI::IsMember({"urdf", "none"}))
      ->capture_default_str();
}

void add_output_options(CLI::App& command, SimOptions& options) {
  command.add_option("--csv", options.csv, "Write time, q, v and tau to this file");
  command.add_option("--every", options.every, "Record and check the energy each Nth step")
      ->check(CLI::Range(1, 1'000'000'000))
      ->capture_default_str();
  CLI::Option* plot = command.add_option(
      "--plot", options.plot, "Write plots: NAME.svg becomes NAME_q.svg and NAME_tau.svg");
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
  CLI::App* command = app.add_subcommand("sim", "Move a robot in time, on the host");
  add_load_options(*command, options->load);
  add_motion_options(*command, *options);
  add_output_options(*command, *options);
  command->footer(
      "Files are described in docs/simulation.md.\n"
      "Examples:\n"
      "  lockstep sim arm.urdf --start pose.json --integrator rk4 --duration 5 --plot fall.svg\n"
      "  lockstep sim arm.urdf --start pose.json --hold 100,1 --csv hold.csv --every 10\n"
      "  lockstep sim arm.urdf --torques torques.csv --duration 60 --save state.json\n"
      "  lockstep sim arm.urdf --torques torques.csv --duration 60 --restore state.json");
  command->callback([options] { sim_command(*options); });
}

}  // namespace lockstep::host
