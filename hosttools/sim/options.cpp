#include "sim/options.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>

#include "record/plots.hpp"
#include "robot/devices.hpp"
#include "robot/placement.hpp"
#include "system/write_file.hpp"
#include "text/error.hpp"
#include "text/finding.hpp"
#include "text/number.hpp"

namespace lockstep::host::sim {

namespace {

constexpr double kMostSteps = 1e9;

}  // namespace

void settle_for_joints(SimOptions& options, bool has_devices) {
  if (has_devices && options.integrator.empty()) options.integrator = "euler";
  if (has_devices && options.integrator != "euler") {
    refuse_devices(options.load, "--integrator " + options.integrator);
  }
  // the smallest error for its cost: joints hold by themselves
  if (options.integrator.empty()) options.integrator = "midpoint";
  if (options.stabilization.empty()) options.stabilization = "baumgarte";
}

std::uint64_t step_count(const SimOptions& options, double dt) {
  const double steps = std::round(options.duration / dt);
  if (!(steps >= 1 && steps <= kMostSteps)) {
    throw Error("--duration " + write_number(options.duration) + ": " + write_number(steps) +
                " steps of " + write_number(dt) + " s; give a time of 1 to 1e9 steps");
  }
  return static_cast<std::uint64_t>(steps);
}

bool is_file(const std::string& start) { return !start.empty() && start != kZero; }

SimState start_state(const SimOptions& options, const Tree& tree) {
  SimState state = rest_state(tree);
  if (options.start == kZero || !options.restore.empty()) return state;
  const UsualStart usual = usual_start(options.load.file, tree);
  if (!usual.note.empty() && !options.load.quiet) std::cerr << usual.note << '\n';
  state.q = state.held = usual.q;
  return state;
}

double restored_dt(const SimOptions& options, double saved) {
  if (options.dt && *options.dt != saved) {
    throw Error(options.restore + ": 'dt' is " + write_number(saved) + ", and --dt " +
                write_number(*options.dt) + "; leave out --dt");
  }
  return saved;
}

Integrator integrator_of(const SimOptions& options) { return integrator_named(options.integrator); }

Stabilization stabilization_of(const SimOptions& options) {
  if (options.stabilization == "none") return Stabilization::kOff;
  return options.stabilization == "projection" ? Stabilization::kProjection
                                               : Stabilization::kBaumgarte;
}

std::string stabilization_text(const SimOptions& options) {
  return options.stabilization == "none" ? "no stabilization" : options.stabilization;
}

SimSettings make_settings(const SimOptions& options, std::span<const RecordColumn> columns,
                          double dt) {
  SimSettings settings = {.dt = dt,
                          .limits = wants_limit(options.bounds, "effort"),
                          .bounds = {},
                          .hold = {},
                          .torques = {}};
  settings.integrator = integrator_of(options);
  settings.stabilization = stabilization_of(options);
  std::ranges::copy(options.gravity, settings.gravity.begin());
  if (!options.hold.empty()) settings.hold = Hold{options.hold[0], options.hold[1]};
  if (!options.torques.empty()) settings.torques = read_torques(options.torques, columns, dt);
  return settings;
}

Manner chosen_manner(const SimOptions& options) {
  Manner manner = manner_of(integrator_of(options));
  if (options.stepper != "lagrange" && options.stepper != "impulse") return manner;
  manner.if_not = "";
  manner.if_stiff = " or --stepper joint";
  if (options.method == "parts" || options.method == "iterative") {
    manner.damping = 2;  // forces that last a step
    manner.stiffness = 4;
  } else if (options.stepper == "impulse") {
    manner.damping = manner.stiffness = std::numeric_limits<double>::infinity();
  } else {
    manner.if_stiff = " or --integrator euler";
  }
  return manner;
}

std::string remedy(const SimOptions& options, const Tree* tree, const Eigen::VectorXd& q,
                   double dt) {
  const Manner manner = chosen_manner(options);
  const auto stiff = tree == nullptr ? std::nullopt : stiff_joint(*tree, q, dt, manner);
  if (stiff) return *stiff;
  return "give a smaller --dt" + manner.if_not +
         (options.hold.empty() ? "" : ", or smaller gains to --hold") +
         (options.torques.empty() ? "" : ", or smaller --torques") +
         (options.controller.command.empty() ? "" : ", or smaller gains in the --controller");
}

double error_of(const SimOptions& options, std::uint64_t steps) {
  const double epsilon = options.scalar == "float"
                             ? static_cast<double>(std::numeric_limits<float>::epsilon())
                             : std::numeric_limits<double>::epsilon();
  return position_error(steps, epsilon,
                        options.stepper == "impulse" ? options.tolerance : kUsualTolerance);
}

std::vector<std::size_t> shown_columns(const SimOptions& options,
                                       std::span<const RecordColumn> columns) {
  std::vector<std::size_t> shown;
  for (const std::string& name : options.columns) {
    const auto column = find_column(columns, name);
    if (!column) {
      throw Error("--columns: " + quote(options.load.file) + " has no " + quote(name) +
                  "; give names from the header of --csv, with or without units");
    }
    shown.push_back(*column);
  }
  return shown;
}

void write_record(const SimOptions& options, const Record& record, const std::string& name,
                  std::span<const std::size_t> shown) {
  if (!options.csv.empty()) write_file(options.csv, record.csv());
  if (options.plot.empty()) return;
  if (shown.empty()) {
    write_plots(record, name, options.plot);
  } else {
    write_file(options.plot, to_svg(name, record.panels("", shown)));
  }
}

}  // namespace lockstep::host::sim
