// Joints that have nothing to move, which make the mass matrix singular, and what can be done about
// them: hold them, or give their bodies a little inertia.
#pragma once

#include <string>
#include <vector>

#include "model/tree.hpp"
#include "text/finding.hpp"
#include "urdf/description.hpp"

namespace lockstep::host {

// Each such joint becomes a fixed one, at the position within its limits that is nearest to zero;
// what mimics it is held where that puts it. Throws Error where all are floating bases.
Description hold_joints(const Description& robot, const Tree& tree, const std::vector<int>& bodies,
                        Findings& findings);

// Adds `floor` in kg m^2 to the moments of these bodies and, where a joint slides, in kg to the
// mass.
void add_inertia(double floor, const std::vector<int>& bodies, Tree& tree);

// One warning for all of them.
void tell_added(double floor, const std::vector<int>& bodies, const Tree& tree, Findings& findings);

}  // namespace lockstep::host
