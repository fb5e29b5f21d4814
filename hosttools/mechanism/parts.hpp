// How a mechanism with loops is split into acyclic parts (Bender 2007, section 5), for
// methods/parts.hpp. The world counts as a body here: a chain that the world holds at both
// ends is a loop too. Properties of a split:
//   a part has no loop, and is connected: it is solved at once, in linear time;
//   parts of one colour share no body: they may be solved at the same time;
//   no other split that was tried has fewer colours, or as few and parts of more similar size.
#pragma once

#include <cstddef>
#include <vector>

#include "mechanism/mechanism.hpp"

namespace lockstep::host {

struct Split {
  std::vector<int> part_of;           // of each constraint
  std::vector<int> colour_of;         // of each part, never falling
  std::vector<std::size_t> unknowns;  // of each part: velocities of its bodies, and rows
  std::size_t loops = 0;              // independent ones in the mechanism

  int colours() const { return colour_of.empty() ? 0 : colour_of.back() + 1; }
};

// The same mechanism gives the same split. O(tried sizes * constraints * colours).
Split split(const Mechanism& mechanism);

}  // namespace lockstep::host
