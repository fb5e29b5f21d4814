#include "sim/joint_start.hpp"

#include "robot/joint_record.hpp"
#include "robot/placement.hpp"
#include "robot/state_file.hpp"
#include "sim/changes.hpp"

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

}  // namespace

JointStart prepare_joint(const SimOptions& options) {
  const Description description = read_description(options.load);
  if (!options.changes.empty()) {
    SimOptions as_written = options;
    as_written.load.quiet = true;
    as_written.changes.clear();
    require_known(options.changes, description, robot_of(as_written.load, description));
  }
  return prepare_joint(options, description);
}

JointStart prepare_joint(SimOptions options, const Description& description) {
  const std::string& file = options.load.file;
  change_options(options.changes, options);
  JointStart start = {.robot = robot_of(options.load, changed(options.changes, description)),
                      .bounds = {},
                      .state = {},
                      .settings = {}};
  const Tree& tree = start.robot.whole;
  start.bounds = make_bounds(options.bounds, file, start.robot.computed);
  require_motion(file, tree);
  double dt = options.dt.value_or(SimSettings().dt);
  start.state = make_start(options, tree, dt);
  SimState& state = start.state;
  // a user who says where the robot is means it, unless it is to drop
  bool placed = options.drop || (!is_file(options.start) && options.restore.empty());
  if (placed) {
    place_on_ground(file, options.drop, start.bounds, tree, state.q);
    state.held = state.q;
  }
  if (change_state(options.changes, tree, state)) {
    placed = options.drop || (placed && !moves_base(options.changes, tree));
    if (placed) place_on_ground(file, options.drop, start.bounds, tree, state.q);
  }
  if (options.restore.empty()) require_closed(file, options.start, tree, state.q);
  // a record of a run that was held is a file of torques too
  start.settings =
      make_settings(options, JointRecord(start.robot, start.bounds, true, true).columns(), dt);
  start.settings.bounds = start.bounds;
  change_settings(options.changes, tree, start.settings);
  return start;
}

Devices devices_of(const SimOptions& options, const Tree& tree, double dt) {
  Devices devices = load_devices(options.load, tree, dt);
  change_devices(options.changes, devices);
  return devices;
}

}  // namespace lockstep::host::sim
