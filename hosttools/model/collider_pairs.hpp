// Which shapes may meet each other. Spheres, capsules and boxes can; those of one body and of
// neighbours in the tree do not. Within a mechanism only round shapes meet, unless they overlap
// where all coordinates are zero: they were drawn that way. Two lists in the file have the last
// word.
#pragma once

#include <vector>

#include "model/tree.hpp"
#include "urdf/description.hpp"

namespace lockstep::host {

struct ChosenPairs {
  std::vector<contact::ColliderPair> pairs;        // ascending
  std::vector<contact::ColliderPair> overlapping;  // left out for that
  bool more = false;      // beyond `most`: the farthest apart at zero are left out
  bool gave_up = false;   // too many overlap: what comes after is left out
  std::size_t looks = 0;  // at pairs of shapes, or of groups of them: the work
};

// The tree has its colliders. `most` bounds what the file does not ask for. Throws Error where the
// file asks for a meeting on one body.
ChosenPairs choose_pairs(const Description& robot, const Tree& tree, int most);

}  // namespace lockstep::host
