// `lockstep eval` of a mechanism: accelerations of the bodies and multipliers of the constraints at
// the state of its file, or at those of another:
//   {"states": [{"x": {"bob": [0, 0, -1]}, "v": {...}, "force": {...}, "time": 0, "gravity":
//   [...]}]}
// What a state leaves out is as the mechanism says. Answers are by body and by constraint.
#pragma once

#include <string>

#include "eval/engine.hpp"
#include "mechanism/mechanism.hpp"

namespace lockstep::host {

struct MechanismAnswers {
  std::string text;  // the states with their answers, as JSON
  std::size_t states = 0;
};

// `states` may be empty: the mechanism's own state. Throws Error that names file, state and remedy.
MechanismAnswers eval_mechanism(const Mechanism& mechanism, const std::string& states,
                                EvalScalar scalar);

}  // namespace lockstep::host
