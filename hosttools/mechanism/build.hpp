// DraftMechanism -> Mechanism: poses as quaternions, frames in their bodies, records. Plain double
// arithmetic in one order: every host computes the same bits.
#pragma once

#include "mechanism/draft.hpp"
#include "mechanism/mechanism.hpp"

namespace lockstep::host {

// x y z w, w not negative where it is the largest.
std::array<double, 4> to_quaternion(const Mat3<double>& R);

// The draft has passed the rules of mechanism/rules.hpp that come before.
Mechanism build(const DraftMechanism& draft);

}  // namespace lockstep::host
