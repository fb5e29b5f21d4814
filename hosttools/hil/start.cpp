#include "hil/start.hpp"

#include "model/tree_rows.hpp"
#include "oracle/world.hpp"
#include "robot/assemble.hpp"
#include "robot/placement.hpp"
#include "text/error.hpp"

namespace lockstep::host::hil {

namespace {

// Calls visit(joint, q) for joints of one degree of freedom.
template <class Visit>
void for_joints(const Tree& tree, Eigen::VectorXd& q, Visit&& visit) {
  Counts at;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    if (dof_count(tree.bodies[i].joint) == 1) visit(tree.joint_names[i], q[at.q]);
    at.add(tree.bodies[i].joint);
  }
}

}  // namespace

Eigen::VectorXd find_start(const Tree& tree, const std::string& file, const Bounds& bounds,
                           const std::optional<double>& drop, Scenario& scenario) {
  Eigen::VectorXd q = rest(tree.bodies).q;
  for_joints(tree, q, [&](const auto& joint, double& own) { own = scenario.start_of(joint); });
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
    for_joints(tree, q, [&](const auto& joint, double& own) { scenario.start[joint] = own; });
  }
  place_on_ground(file, drop, bounds, tree, q);
  return q;
}

}  // namespace lockstep::host::hil
