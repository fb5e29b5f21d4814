// How a step integrates what the dynamics answer. The numbers travel on the link.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <cstdint>

namespace lockstep {

enum class Integrator : std::uint8_t {
  kSemiImplicitEuler = 0,
  kRungeKutta4 = 1,
  kMidpoint = 2,  // implicit
};

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
