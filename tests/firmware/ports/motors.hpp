// Two drives on an interface that no machine has.
#pragma once

#include <array>

#include "drives/moteus_port.hpp"

inline constexpr const char* kInterface = "lockstep_none";
inline constexpr std::array kMotors = {
    lockstep::drives::MoteusMotor{.id = 1, .most = 9},
    lockstep::drives::MoteusMotor{.id = 2, .sign = -1, .zero = 0.5f, .most = 9}};
