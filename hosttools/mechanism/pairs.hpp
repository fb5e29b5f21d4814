// Which of a mechanism's colliders may meet.
#pragma once

#include <vector>

#include "mechanism/mechanism.hpp"

namespace lockstep::host {

// All that are on different bodies, but for two particles, and two bodies that a constraint ties.
std::vector<contact::ColliderPair> collider_pairs(const Mechanism& mechanism);

}  // namespace lockstep::host
