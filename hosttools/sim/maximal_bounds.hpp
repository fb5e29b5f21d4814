// What bounds the joints of a robot that moves in maximal coordinates.
#pragma once

#include "mechanism/mechanism.hpp"
#include "sim/options.hpp"

namespace lockstep::host::sim {

// Limits and dry friction act; one line on standard error tells what does not.
void bound(const SimOptions& options, const Tree& tree, Mechanism& mechanism);

}  // namespace lockstep::host::sim
