// What the Arduino IDE looks for by its name. The robot's own header comes from `lockstep compile`.
#pragma once

#if __cplusplus < 202002L
#error "Lockstep needs C++20: put extras/platform.local.txt beside the core's platform.txt"
#endif

#include "lockstep/inverse_dynamics.hpp"
#include "lockstep/kinematics.hpp"
#include "lockstep/solver.hpp"
