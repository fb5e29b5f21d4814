// Which shapes of a robot will not meet although one might think so.
#pragma once

#include "model/tree.hpp"
#include "text/finding.hpp"
#include "urdf/description.hpp"

namespace lockstep::host {

void check_contact(const Description& robot, const Tree& tree, Findings& findings);

}  // namespace lockstep::host
