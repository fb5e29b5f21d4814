// Springs and dampers of a mechanism that are too stiff for a step that takes them as they are.
#pragma once

#include "mechanism/mechanism.hpp"
#include "robot/balance.hpp"

namespace lockstep::host {

// As stiff_joint says it, of a row at the initial state: "constraint 'strut' has ...".
std::optional<std::string> stiff_row(const Mechanism& mechanism, double dt, const Manner& manner);

}  // namespace lockstep::host
