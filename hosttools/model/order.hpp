// The order of elimination (Baraff 1996, section 7.1): a body, then the constraint that carries it,
// children before parents. Each node's parent is the one node after it that it shares a block of H
// with, so elimination creates no fill-in. Backward is the exact reverse.
#pragma once

#include <vector>

#include "model/tree.hpp"

namespace lockstep::host {

std::vector<Node> forward_order(const Tree& tree);

}  // namespace lockstep::host
