#include "sim/options.hpp"

#include <algorithm>
#include <cmath>

#include "record/plots.hpp"
#include "system/write_file.hpp"
#include "text/error.hpp"
#include "text/finding.hpp"
#include "text/number.hpp"

namespace lockstep::host::sim {

namespace {

constexpr double kMostSteps = 1e9;

}  // namespace

std::uint64_t step_count(const SimOptions& options, double dt) {
  const double steps = std::round(options.duration / dt);
  if (!(steps >= 1 && steps <= kMostSteps)) {
    throw Error("--duration " + write_number(options.duration) + ": " + write_number(steps) +
                " steps of " + write_number(dt) + " s; give a time of 1 to 1e9 steps");
  }
  return static_cast<std::uint64_t>(steps);
}

double restored_dt(const SimOptions& options, double saved) {
  if (options.dt && *options.dt != saved) {
    throw Error(options.restore + ": 'dt' is " + write_number(saved) + ", and --dt " +
                write_number(*options.dt) + "; leave out --dt");
  }
  return saved;
}

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
  if (options.integrator == "rk4") settings.integrator = Integrator::kRungeKutta4;
  if (options.integrator == "midpoint") settings.integrator = Integrator::kMidpoint;
  settings.stabilization = stabilization_of(options);
  std::ranges::copy(options.gravity, settings.gravity.begin());
  if (!options.hold.empty()) settings.hold = Hold{options.hold[0], options.hold[1]};
  if (!options.torques.empty()) settings.torques = read_torques(options.torques, columns, dt);
  return settings;
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
