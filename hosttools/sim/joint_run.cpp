#include <algorithm>
#include <iostream>
#include <memory>

#include "model/loop_rows.hpp"
#include "model/tree_rows.hpp"
#include "options/command.hpp"
#include "page/card.hpp"
#include "robot/equipped_plant.hpp"
#include "robot/joint_record.hpp"
#include "robot/placement.hpp"
#include "robot/state_file.hpp"
#include "sim/joint_start.hpp"
#include "sim/joint_watch.hpp"
#include "sim/report.hpp"
#include "system/status_line.hpp"
#include "system/write_file.hpp"
#include "text/error.hpp"

namespace lockstep::host::sim {

namespace {

bool is_damped(const Body& body) { return body.damping != 0; }

bool is_held_to_world(const Body& body) {
  return body.parent == kWorld && body.joint != JointType::kFloating;
}

}  // namespace

void run_joint(const SimOptions& options) {
  const std::string page = options.report.empty() ? "" : built_page();
  const JointStart start = prepare_joint(options);
  const RobotTrees& robot = start.robot;
  const Tree& tree = robot.whole;
  const Bounds& bounds = start.bounds;
  SimSettings settings = start.settings;
  const double dt = settings.dt;
  SimState state = start.state;
  const Bounded bounded(robot.computed, bounds);
  const JointRecord rows(robot, bounds, !options.hold.empty(), !page.empty());
  const Devices devices = devices_of(options, robot.computed, dt);
  if (devices.any() && !(options.save.empty() && options.restore.empty())) {
    throw Error(options.load.file + ": --save and --restore keep no state of drivetrains and " +
                "sensors; leave them out");
  }
  if (devices.any()) settings.devices = &devices;
  std::vector<RecordColumn> columns = rows.columns();
  std::ranges::copy(DeviceRow(devices).columns(), std::back_inserter(columns));
  Record record(columns);
  std::unique_ptr<UserController> controller;
  if (!options.controller.command.empty()) {
    controller = start_controller(options.controller, tree, dt);
    settings.law = [&controller](std::uint64_t step, const auto& q, const auto& v) {
      return controller->torques(step, q, v);
    };
  }
  const std::vector<std::size_t> shown = shown_columns(options, record.columns());
  const std::uint64_t first = state.step, steps = step_count(options, dt);
  // drives are implicit, but for Runge-Kutta
  const bool shakes =
      settings.hold && (settings.integrator == Integrator::kRungeKutta4 || settings.devices);
  if (shakes && !options.load.quiet) {
    const auto warning = shaking(robot, state.q, *settings.hold, dt);
    if (warning) std::cerr << options.load.file << ": warning: " << *warning << '\n';
  }

  const std::string how = options.scalar + ", " + options.integrator +
                          (is_closed(robot.computed) ? ", " + stabilization_text(options) : "");
  const auto show_run = [&](RunFacts facts) {
    facts.options = option_lines(options, how, settings.gravity);
    std::ranges::copy(bound_lines(robot.computed, bounds), std::back_inserter(facts.options));
    write_page(facts, options.load, robot, bounds, record);
  };
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
  JointWatch balanced(tree, bounds);
  const Balance& balance = balanced.balance();
  const auto where = [&] { return busiest_joint(tree, balance.q(), balance.v()); };
  SimOutcome outcome;
  {
    StatusLine status;
    const auto watch = [&](std::uint64_t step, const JointMoment& now) {
      const Mechanics own = balanced.add(now);
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
        show_run(broken_facts(options.report, page, record, told.what()));
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
                      .how = how,
                      .dt = dt,
                      .first = first,
                      .last = state.step,
                      .balance = balance,
                      .verdict = balance_line(balance, off, where, cure),
                      .conserved = !settings.is_driven() && outcome.bounded.steps == 0 &&
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
  if (!page.empty()) show_run(facts_of(options.report, page, report));
  write_file("-", lines_of(report).text());
  if (balance.is_broken(off)) fail();
}

}  // namespace lockstep::host::sim
