// The step that is measured, the same on the chip and on the host.
#pragma once

#include "lockstep/auxiliary/bounded_settings.hpp"

namespace lockstep::measure {

template <class T>
inline constexpr contact::Plane<T> kFloor = {.material = {.friction = T(0.8)}};

template <class T>
constexpr BoundedSettings<T> step_settings(RowSolver solver, int contacts) {
  return {.dt = T(1e-3), .most_contacts = contacts, .solver = solver};
}

}  // namespace lockstep::measure
