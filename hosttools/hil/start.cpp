#include "hil/start.hpp"

#include "model/tree_rows.hpp"
#include "oracle/world.hpp"
#include "robot/assemble.hpp"
#include "robot/placement.hpp"
#include "text/error.hpp"

namespace lockstep::host::hil {

Eigen::VectorXd find_start(const Tree& tree, const std::string& file, const Bounds& bounds,
                           const std::optional<double>& drop, Scenario& scenario) {
  Eigen::VectorXd q = rest(tree.bodies).q;
  for_single_joints(tree, [&](std::size_t i, const Counts& at) {
    q[at.q] = scenario.start_of(tree.joint_names[i]);
  });
  if (is_closed(tree) && !holds(tree, q, kClosed)) {
    if (!scenario.start.empty()) {
      throw Error(scenario.path +
                  ": 'start': leaves loops or couplings open; leave it out, or give what `lockstep "
                  "doctor --assemble " +
                  file + "` finds");
    }
    const auto assembled = assemble(tree);
    if (!assembled) {
      throw Error(file +
                  ": no pose was found in which loops and couplings hold; see `lockstep "
                  "doctor`, or give a scenario with 'start'");
    }
    q = *assembled;
    for_single_joints(tree, [&](std::size_t i, const Counts& at) {
      scenario.start[tree.joint_names[i]] = q[at.q];
    });
  }
  place_on_ground(file, drop, bounds, tree, q);
  return q;
}

}  // namespace lockstep::host::hil
