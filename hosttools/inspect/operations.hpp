// What one forward_dynamics call of a robot costs in arithmetic.
#pragma once

#include "inspect/counted.hpp"
#include "model/tree.hpp"

namespace lockstep::host {

OperationCount count_operations(const Tree& tree);

}  // namespace lockstep::host
