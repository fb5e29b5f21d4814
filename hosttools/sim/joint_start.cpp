#include "sim/joint_start.hpp"

#include "robot/joint_record.hpp"
#include "robot/placement.hpp"
#include "robot/state_file.hpp"

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
  JointStart start = {.robot = load_robot(options.load), .bounds = {}, .state = {}, .settings = {}};
  const Tree& tree = start.robot.whole;
  start.bounds = make_bounds(options.bounds, options.load.file, start.robot.computed);
  require_motion(options.load.file, tree);
  double dt = options.dt.value_or(SimSettings().dt);
  start.state = make_start(options, tree, dt);
  SimState& state = start.state;
  // a user who says where the robot is means it, unless it is to drop
  if (options.drop || (!is_file(options.start) && options.restore.empty())) {
    place_on_ground(options.load.file, options.drop, start.bounds, tree, state.q);
    state.held = state.q;
  }
  if (options.restore.empty()) require_closed(options.load.file, options.start, tree, state.q);
  // a record of a run that was held is a file of torques too
  start.settings =
      make_settings(options, JointRecord(start.robot, start.bounds, true, true).columns(), dt);
  start.settings.bounds = start.bounds;
  return start;
}

}  // namespace lockstep::host::sim
