// Which shapes of a robot will not meet although one might think so.
#pragma once

#include "model/description.hpp"
#include "model/tree.hpp"
#include "urdf/finding.hpp"

namespace lockstep::host {

void check_contact(const Description& robot, const Tree& tree, Findings& findings);

}  // namespace lockstep::host
