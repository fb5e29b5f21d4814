// A robot's own forward dynamics as C++: the passes of the core, recorded for this robot and
// written out operation by operation, with everything left out that its zeros and ones make
// superfluous.
#pragma once

#include <string>
#include <vector>

#include "model/tree.hpp"

namespace lockstep::host {

struct StraightLine {
  std::string text;   // a static member function of an emitted model
  int additions = 0;  // subtractions and negations too
  int multiplications = 0;
  int divisions = 0;
  int moves = 0;  // between the lanes and single numbers
  int total() const { return additions + multiplications + divisions + moves; }
};

// The member function `straight_line`; with limbs, `straight_limbs`, which computes them side by
// side.
StraightLine straight_line(const Tree& tree, const std::vector<Limbs>& limbs = {});

}  // namespace lockstep::host
