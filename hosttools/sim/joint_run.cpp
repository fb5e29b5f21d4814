#include <algorithm>
#include <iostream>

#include "model/loop_rows.hpp"
#include "model/tree_rows.hpp"
#include "options/command.hpp"
#include "robot/joint_record.hpp"
#include "robot/placement.hpp"
#include "robot/state_file.hpp"
#include "sim/device_loop.hpp"
#include "sim/options.hpp"
#include "sim/report.hpp"
#include "system/status_line.hpp"
#include "system/write_file.hpp"
#include "text/error.hpp"

namespace lockstep::host::sim {

namespace {

// The state to begin with, and the time step, which a saved state brings along.
SimState make_start(const SimOptions& options, const Tree& tree, double& dt) {
  if (options.restore.empty()) {
    return is_file(options.start) ? read_start(options.start, tree) : start_state(options, tree);
  }
  const SavedState saved = read_saved(options.restore, tree, options.scalar);
  dt = restored_dt(options, saved.dt);
  return saved.state;
}

bool is_damped(const Body& body) { return body.damping != 0; }

bool is_held_to_world(const Body& body) {
  return body.parent == kWorld && body.joint != JointType::kFloating;
}

}  // namespace

void run_joint(const SimOptions& options) {
  const std::string page = options.report.empty() ? "" : built_page();
  const RobotTrees robot = load_robot(options.load);
  const Tree& tree = robot.whole;
  const Bounds bounds = make_bounds(options.bounds, options.load.file, robot.computed);
  require_motion(options.load.file, tree);
  const Bounded bounded(robot.computed, bounds);
  const JointRecord rows(robot, bounds, !options.hold.empty(), !page.empty());
  double dt = options.dt.value_or(SimSettings().dt);
  SimState state = make_start(options, tree, dt);
  const Devices devices = load_devices(options.load, robot.computed, dt);
  if (devices.any() && !(options.save.empty() && options.restore.empty())) {
    throw Error(options.load.file + ": --save and --restore keep no state of drivetrains and " +
                "sensors; leave them out");
  }
  std::vector<RecordColumn> columns = rows.columns();
  std::ranges::copy(device_columns(devices), std::back_inserter(columns));
  Record record(columns);
  // a user who says where the robot is means it, unless it is to drop
  if (options.drop || (!is_file(options.start) && options.restore.empty())) {
    place_on_ground(options.load.file, options.drop, bounds, tree, state.q);
    state.held = state.q;
  }
  if (options.restore.empty()) require_closed(options.load.file, options.start, tree, state.q);
  // a record of a run that was held is a file of torques too
  SimSettings settings =
      make_settings(options, JointRecord(robot, bounds, true, true).columns(), dt);
  settings.bounds = bounds;
  if (devices.any()) settings.devices = &devices;
  const std::vector<std::size_t> shown = shown_columns(options, record.columns());
  const std::uint64_t first = state.step, steps = step_count(options, dt);
  // drives are implicit, but for Runge-Kutta
  const bool shakes =
      settings.hold && (settings.integrator == Integrator::kRungeKutta4 || settings.devices);
  if (shakes && !options.load.quiet) {
    const auto warning = shaking(robot, state.q, *settings.hold, dt);
    if (warning) std::cerr << options.load.file << ": warning: " << *warning << '\n';
  }

  const double off = error_of(options, steps);
  const Eigen::VectorXd begin = state.q;
  if (!options.load.quiet) {
    const Eigen::VectorXd merged = RotorMap(tree, robot.computed).merged_q(begin);
    const auto warning = stiff_joint(robot.computed, merged, dt, manner_of(settings.integrator));
    if (warning) std::cerr << options.load.file << ": warning: " << *warning << '\n';
  }
  const auto cure = [&] {
    const auto shaken = shakes ? shaking(robot, begin, *settings.hold, dt) : std::nullopt;
    if (shaken) return *shaken;
    const RotorMap map(tree, robot.computed);
    return remedy(options, &robot.computed, map.merged_q(begin), dt);
  };
  Balance balance;
  bool pushed = bounds.position;  // back into the limits, from a start beyond them
  const auto where = [&] { return busiest_joint(tree, balance.q(), balance.v()); };
  SimOutcome outcome;
  {
    StatusLine status;
    const auto watch = [&](std::uint64_t step, const JointMoment& now) {
      Mechanics own = mechanics(tree.bodies, now);
      own.potential += soft_row_energy(tree, now.q) + now.stored;
      pushed = pushed && is_outside(tree, now.q);
      if (pushed) balance.forgive();
      balance.add(own, now.work, now.q, now.v, now.damped);
      if (options.recorded()) {
        std::vector<double> row = rows.row(now, own);
        row.insert(row.end(), now.devices.begin(), now.devices.end());
        record.add(time_of(step, dt), row);
      }
      if (options.load.quiet) return;
      status.show([&] {
        return "sim: step " + std::to_string(step - first) + " of " + std::to_string(steps);
      });
    };
    const auto run = options.scalar == "float" ? simulate<float> : simulate<double>;
    try {
      outcome = run(robot, settings, steps, options.every, state, watch);
    } catch (const BrokeOff& error) {
      const Error told = with_gain(error, balance, off, cure);
      if (!page.empty()) {  // of a run that failed a page tells most
        const RunFacts facts = broken_facts(options.report, page, record, told.what());
        write_page(facts, options.load, robot, bounds, record);
      }
      throw told;
    }
  }
  write_record(options, record, tree.name, shown);
  if (!options.save.empty()) {
    write_file(options.save, saved_text({.state = state, .dt = dt}, tree, options.scalar));
  }
  SimReport report = {.kind = "robot",
                      .name = tree.name,
                      .how = options.scalar + ", " + options.integrator +
                             (is_closed(robot.computed) ? ", " + stabilization_text(options) : ""),
                      .dt = dt,
                      .first = first,
                      .last = state.step,
                      .balance = balance,
                      .verdict = balance_line(balance, off, where, cure),
                      .conserved = !settings.hold && !settings.torques && !settings.devices &&
                                   outcome.bounded.steps == 0 &&
                                   std::ranges::none_of(tree.bodies, is_damped) &&
                                   !has_soft_rows(tree),
                      .free = outcome.bounded.most_contacts == 0 &&
                              std::ranges::none_of(tree.bodies, is_held_to_world),
                      .more = {},
                      .seconds = outcome.seconds,
                      .hash = state.hash};
  if (is_closed(robot.computed)) report.more.push_back({"constraints", error_text(outcome.errors)});
  for (const auto& line : bounded_lines(outcome.bounded, bounded, bounds)) {
    report.more.push_back(line);
  }
  if (outcome.without_midpoint != 0) {
    report.more.push_back({"midpoint", "not found in " + std::to_string(outcome.without_midpoint) +
                                           " steps, which went by Euler; give a smaller --dt"});
  }
  if (outcome.limited != 0) report.more.push_back({"limits", limits_text(outcome.limited)});
  if (!page.empty()) {
    write_page(facts_of(options.report, page, report), options.load, robot, bounds, record);
  }
  write_file("-", lines_of(report).text());
  if (balance.is_broken(off)) fail();
}

}  // namespace lockstep::host::sim
