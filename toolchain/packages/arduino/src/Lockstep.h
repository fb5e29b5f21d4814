// Arduino's builder finds this library by the name of this header: a sketch includes it first. The
// robot's own header comes from `lockstep compile`.
#pragma once

#if __cplusplus < 202002L
#error "Lockstep needs C++20: the README of this library tells where to say so"
#endif

#include "lockstep/inverse_dynamics.hpp"
#include "lockstep/kinematics.hpp"
#include "lockstep/solver.hpp"
