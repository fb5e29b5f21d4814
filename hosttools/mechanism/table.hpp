// Mechanism -> the run-time mechanism of the core.
#pragma once

#include <memory>

#include "error.hpp"
#include "lockstep/maximal/lagrange_stepper.hpp"
#include "mechanism/mechanism.hpp"
#include "urdf/finding.hpp"

namespace lockstep::host {

inline constexpr int kHostMechanismBodies = 1024;
inline constexpr int kHostLoopRows = 512;  // a cloth of 21 x 21 particles has 403

template <class T>
using HostMechanism = maximal::TableMechanism<T, kHostMechanismBodies, 2 * kHostMechanismBodies,
                                              maximal::StandardTypes, kHostLoopRows>;

// On the heap: it is too large for a stack.
template <class T>
std::unique_ptr<HostMechanism<T>> to_table(const Mechanism& mechanism) {
  auto table = std::make_unique<HostMechanism<T>>();
  const Status status = table->assign(mechanism.bodies, mechanism.constraints);
  if (status == Status::kOk) return table;
  throw Error("mechanism " + quote(mechanism.name) + ": " + to_string(status) + " (" +
              std::to_string(mechanism.bodies.size()) + " bodies, " +
              std::to_string(mechanism.constraints.size()) + " constraints; room for " +
              std::to_string(kHostMechanismBodies) + " bodies, " + std::to_string(kHostLoopRows) +
              " rows of loops)");
}

}  // namespace lockstep::host
