// Mechanism -> the run-time mechanism of the core.
#pragma once

#include <memory>

#include "lockstep/maximal/lagrange_stepper.hpp"
#include "mechanism/mechanism.hpp"
#include "text/error.hpp"
#include "text/finding.hpp"

namespace lockstep::host {

inline constexpr int kHostMechanismBodies = 1024;
inline constexpr int kHostLoopRows = 512;  // a cloth of 21 x 21 particles has 403

template <class T>
using HostMechanism = maximal::TableMechanism<T, kHostMechanismBodies, 2 * kHostMechanismBodies,
                                              maximal::StandardTypes, kHostLoopRows>;

// On the heap: it is too large for a stack. T is float or double.
template <class T>
std::unique_ptr<HostMechanism<T>> to_table(const Mechanism& mechanism);

}  // namespace lockstep::host
