// A mechanism's size in words and numbers.
#pragma once

#include <string>

#include "mechanism/mechanism.hpp"

namespace lockstep::host {

struct MechanismCounts {
  std::size_t coordinates = 0;  // of all poses
  std::size_t velocities = 0;
  std::size_t multipliers = 0;
  std::size_t yielding = 0;            // of them, of rows that yield
  std::size_t degrees_of_freedom = 0;  // velocities less independent rows, at the initial poses
  std::size_t components = 0;          // that no constraint ties together; the world ties nothing
};
MechanismCounts count(const Mechanism& mechanism);

// "2 bodies, 2 constraints, 4 degrees of freedom, 2 multipliers"
std::string summary(const Mechanism& mechanism);

// As files call them.
std::string body_type_name(int type);
std::string constraint_type_name(int type);

}  // namespace lockstep::host
