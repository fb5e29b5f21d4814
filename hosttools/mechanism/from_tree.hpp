// A robot in maximal coordinates: every body of the tree a rigid body in the axes of its joint,
// every joint a constraint of the same name; then its loops, then its couplings, each a sum of
// terms. Floating joints hold nothing. Damping, friction and limits are forces, not constraints;
// the last two are added where they are wanted.
#pragma once

#include <Eigen/Core>

#include "mechanism/mechanism.hpp"
#include "model/tree.hpp"

namespace lockstep::host {

// What springs, dampers and rotors of joints with one coordinate are: rows that yield, named
// JOINT.passive, after those of the joints and before loops; or forces, which are the caller's.
// Rotors, and loops and couplings that yield, are refused then.
enum class Passive { kRows, kForces };

// At the joint state q, v, under the default gravity. Throws Error where a link has no inertia
// of its own; `file` is the name that messages use.
Mechanism from_tree(const Tree& tree, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                    const std::string& file, Passive passive = Passive::kForces);

// The bodies whose joints have such rows, in their order.
std::vector<int> passive_joints(const Tree& tree);

// Limits and dry friction of the joints with one coordinate, as far as they are wanted. Returns the
// joints whose limits are a whole turn or more apart, which poses cannot tell: they have none.
std::vector<std::string> add_bounds(const Tree& tree, bool limits, bool friction,
                                    Mechanism& mechanism);

}  // namespace lockstep::host
