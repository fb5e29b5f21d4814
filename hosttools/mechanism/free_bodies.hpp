// Rigid bodies that nothing ties together, stacks, piles, what is thrown, are a robot of floating
// bodies too: joint space steps what touches in linear time, where maximal coordinates form k x k.
#pragma once

#include "mechanism/mechanism.hpp"
#include "model/tree.hpp"

namespace lockstep::host {

bool are_free(const Mechanism& mechanism);

// Of such a mechanism: its bodies in their order, their origins at their centres of mass, so that q
// is x. The ground is not in it.
Tree floating_tree(const Mechanism& mechanism);

}  // namespace lockstep::host
