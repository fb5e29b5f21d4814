// A mechanism's numbers by body and by constraint, for JSON files.
#pragma once

#include "mechanism/mechanism.hpp"
#include "system/named_numbers.hpp"

namespace lockstep::host {

Named named_poses(const Mechanism& mechanism);
Named named_velocities(const Mechanism& mechanism);  // and forces along them
Named named_rows(const Mechanism& mechanism);        // and multipliers

}  // namespace lockstep::host
