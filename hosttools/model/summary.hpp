// A robot's size in words and numbers.
#pragma once

#include <string>

#include "lockstep/body_data.hpp"
#include "model/tree.hpp"

namespace lockstep::host {

// Coordinates, degrees of freedom and multipliers of the whole robot.
Counts count(const Tree& tree);

// "6 bodies, 6 degrees of freedom, 30 multipliers"
std::string summary(const Tree& tree);

}  // namespace lockstep::host
