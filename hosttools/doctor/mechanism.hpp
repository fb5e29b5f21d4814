// What loops and couplings do to a robot: whether they close, what of them is redundant, and what
// is left to move.
#pragma once

#include "model/tree.hpp"
#include "text/finding.hpp"
#include "urdf/description.hpp"

namespace lockstep::host {

void check_mechanism(const Description& robot, const Tree& tree, Findings& findings);

}  // namespace lockstep::host
