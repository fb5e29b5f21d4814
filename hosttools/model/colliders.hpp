// The shapes of a description's links, fixed to the bodies that carry the links.
#pragma once

#include "model/tree.hpp"
#include "urdf/description.hpp"

namespace lockstep::host {

// The tree has its frames. Throws Error where a shape's place or size is out of all bounds.
void add_colliders(const Description& robot, Tree& tree);

}  // namespace lockstep::host
