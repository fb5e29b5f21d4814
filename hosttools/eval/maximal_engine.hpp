// A robot's answers by way of maximal coordinates: every link a body, every joint a constraint, one
// direct elimination of H (Baraff 1996, equation 8), then back to joints.
#pragma once

#include "eval/engine.hpp"

namespace lockstep::host {

// `file` is for messages. Throws Error where a link cannot be a body.
Engine maximal_engine(const Tree& tree, EvalScalar scalar);

}  // namespace lockstep::host
