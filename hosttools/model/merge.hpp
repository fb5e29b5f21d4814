// Couplings between two joints on one parent that need no rows (lockstep/rotor.hpp). A body that
// turns about its axis of symmetry becomes a rigid part of the parent and two constants of the
// other joint: a rotor. Any other body that carries nothing stays, and its joint is tied to the
// other. Exact: nothing is neglected.
#pragma once

#include <string>

#include "model/tree.hpp"

namespace lockstep::host {

// What becomes of a coupling.
struct CouplingVerdict {
  enum Kind { kRow, kRotor, kTie } kind = kRow;
  int body = kNone;      // the rotor, or the body whose joint is tied
  Rotor follows = {};    // and the joint that it follows
  std::string why = {};  // it is a row
};
CouplingVerdict judge_coupling(const Tree& tree, std::size_t coupling);

// The tree without the bodies of rotors, and without couplings that need no rows. Rotors' names are
// kept in `rotors`; their links have no frame any more.
Tree merge_rotors(const Tree& tree);

}  // namespace lockstep::host
