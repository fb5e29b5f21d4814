// A robot's own forward dynamics as C++: the passes of the core, recorded for this robot and
// written out operation by operation, with everything left out that its zeros and ones make
// superfluous.
#pragma once

#include <string>

#include "model/tree.hpp"

namespace lockstep::host {

struct StraightLine {
  std::string text;   // the static member function `straight_line` of an emitted model
  int additions = 0;  // subtractions and negations too
  int multiplications = 0;
  int divisions = 0;
};

StraightLine straight_line(const Tree& tree);

}  // namespace lockstep::host
