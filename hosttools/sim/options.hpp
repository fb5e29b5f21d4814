// What the user asked `lockstep sim` for, and what all steppers make of it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/load.hpp"
#include "options/bounds.hpp"
#include "record/record.hpp"
#include "robot/balance.hpp"
#include "robot/user_controller.hpp"
#include "sim/change.hpp"
#include "sim/simulation.hpp"

namespace lockstep::host::sim {

struct SimOptions {
  LoadOptions load;
  std::string stepper;                        // empty: joint for robots, lagrange for mechanisms
  std::string method = "linear";              // of maximal coordinates
  std::string scalar = "double", integrator;  // empty: as the coordinates want it
  BoundWords bounds;
  std::optional<double> drop;  // m, above the ground
  std::string stabilization;   // the same
  double tolerance = 1e-6;
  int max_solves = 0;  // of impulses; 0: as the method wants it
  int threads = 1;     // of --method parts
  std::optional<double> dt;
  double duration = 1;
  std::vector<double> gravity;  // empty: the earth's, or the mechanism's own
  std::string start, restore, save;
  std::string torques;
  std::vector<double> hold;  // kp, kd
  Changes changes;
  ControllerWords controller;
  std::uint64_t every = 1;
  std::string csv, plot, picture, report;
  std::vector<std::string> columns;

  bool recorded() const { return !csv.empty() || !plot.empty() || !report.empty(); }
};

// What a user leaves out is as joint space wants it. Throws Error for what does not go with a file
// that has drivetrains or sensors.
void settle_for_joints(SimOptions& options, bool has_devices);

// How many steps the duration has. Throws Error.
std::uint64_t step_count(const SimOptions& options, double dt);

// Whether --start names a file: not left out, and not the zero pose.
bool is_file(const std::string& start);
// At rest in the zero pose, or in the usual one, which standard error tells of once.
SimState start_state(const SimOptions& options, const Tree& tree);

// The time step of a saved state. Throws Error if --dt gives another.
double restored_dt(const SimOptions& options, double saved);

Integrator integrator_of(const SimOptions& options);
Stabilization stabilization_of(const SimOptions& options);
std::string stabilization_text(const SimOptions& options);

// What drives a robot. `columns` are those of its joints.
SimSettings make_settings(const SimOptions& options, std::span<const RecordColumn> columns,
                          double dt);

// How the chosen way to step takes dampers and springs.
Manner chosen_manner(const SimOptions& options);
// Why a run may have gained energy and what to type: "give a smaller --dt". `tree` is the robot's,
// if it is one, and q a pose of it that was good.
std::string remedy(const SimOptions& options, const Tree* tree, const Eigen::VectorXd& q,
                   double dt);
// How far positions may be off, relative to the robot's size.
double error_of(const SimOptions& options, std::uint64_t steps);

// Columns to plot. Throws Error for a name that is not there.
std::vector<std::size_t> shown_columns(const SimOptions& options,
                                       std::span<const RecordColumn> columns);

// The record as CSV and as plots, as far as the options ask for them.
void write_record(const SimOptions& options, const Record& record, const std::string& name,
                  std::span<const std::size_t> shown);

// The ways to move what is given. Both throw Error.
void run_joint(const SimOptions& options);    // --stepper joint: a robot in joint space
void run_maximal(const SimOptions& options);  // a robot or a mechanism in maximal coordinates

}  // namespace lockstep::host::sim
