#include "hil/start.hpp"

#include "model/rotor_map.hpp"
#include "model/tree_rows.hpp"
#include "oracle/world.hpp"
#include "robot/assemble.hpp"
#include "robot/placement.hpp"
#include "robot/state_file.hpp"
#include "text/error.hpp"

namespace lockstep::host::hil {

Start find_start(const RobotTrees& robot, const std::string& file, const Bounds& bounds,
                 const std::optional<double>& drop, Scenario& scenario, const std::string& asked) {
  const Tree& tree = robot.computed;
  const RotorMap map(robot.whole, tree);
  Start start = {rest(tree.bodies).q, rest(tree.bodies).v, ""};
  if (!scenario.start.empty()) {
    if (!asked.empty()) throw Error(scenario.path + ": 'start' is given; leave out --start");
    for_single_joints(tree, [&](std::size_t i, const Counts& at) {
      start.q[at.q] = scenario.start_of(tree.joint_names[i]);
    });
    if (is_closed(tree) && !holds(tree, start.q, kClosed)) {
      throw Error(scenario.path +
                  ": 'start': leaves loops or couplings open; leave it out, or give what `lockstep "
                  "doctor --assemble " +
                  file + "` finds");
    }
  } else if (asked != kZero) {
    const Eigen::VectorXd before = start.q;
    if (asked.empty()) {
      const UsualStart usual = usual_start(file, robot.whole);
      start.q = map.merged_q(usual.q);
      start.note = usual.note;
    } else {
      const SimState told = read_start(asked, robot.whole);
      start.q = map.merged_q(told.q);
      start.v = map.merged_v(told.v);
    }
    if (start.q != before) {
      for_single_joints(tree, [&](std::size_t i, const Counts& at) {
        scenario.start[tree.joint_names[i]] = start.q[at.q];
      });
    }
  }
  if (scenario.start.empty() || !asked.empty()) require_closed(file, asked, tree, start.q);
  place_on_ground(file, drop, bounds, tree, start.q);
  return start;
}

}  // namespace lockstep::host::hil
