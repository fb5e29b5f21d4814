// What the tree cannot hold: loops between bodies, and joints that move together. Each throws an
// Error that names the file, the element and the remedy.
#pragma once

#include "model/tree.hpp"
#include "urdf/description.hpp"

namespace lockstep::host {

// Loops in the file's order: a the predecessor, b the successor, their frames in the bodies' frames
// B, or in the world's, and turned so that the loop's axis is z.
void add_loops(const Description& robot, Tree& tree);

// Couplings in the file's order, terms in the bodies': 1 for the joints from the nearest common
// ancestor to the successor, -ratio for those to the predecessor.
void add_couplings(const Description& robot, Tree& tree);

// Bodies' mimics, and for each a coupling in the name of the joint that follows:
// q - multiplier * q of the leader = offset.
void add_mimics(const Description& robot, Tree& tree);

}  // namespace lockstep::host
