// How a step integrates what the dynamics answer. The numbers travel on the link.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <cstdint>

namespace lockstep {

enum class Integrator : std::uint8_t {
  kSemiImplicitEuler = 0,
  kRungeKutta4 = 1,
  kMidpoint = 2,     // implicit
  kEulerMiddle = 3,  // Euler's with the velocity terms of the step's middle
};

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
