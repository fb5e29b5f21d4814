// Which rotors need not be bodies of their own: a body that turns about its axis of symmetry, tied
// by a coupling to one joint beside it, becomes a rigid part of the parent and two constants of
// that joint (lockstep/rotor.hpp). Exact: nothing is neglected.
#pragma once

#include <string>

#include "model/tree.hpp"

namespace lockstep::host {

// What becomes of a coupling: the body that can be merged as a rotor behind the other's joint, or
// why there is none.
struct CouplingVerdict {
  int body = kNone;  // the rotor's
  Rotor rotor;
  std::string why;
};
CouplingVerdict judge_coupling(const Tree& tree, std::size_t coupling);

// The tree without the bodies of such rotors and their couplings. Their names are kept in `rotors`;
// their links have no frame any more.
Tree merge_rotors(const Tree& tree);

}  // namespace lockstep::host
