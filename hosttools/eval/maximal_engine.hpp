// A robot's answers by way of maximal coordinates: every link a body, every joint a constraint, one
// direct elimination of H (Baraff 1996, equation 8), loops and couplings by anticipation (section
// 8), then back to joints.
#pragma once

#include "eval/engine.hpp"

namespace lockstep::host {

struct MaximalAnswer {
  DenseOutput out;
  Eigen::VectorXd mu;  // a force a row of loops and couplings
  int redundant = 0;   // of them, those that others settle
};
using MaximalEngine = std::function<MaximalAnswer(const DenseInput&)>;

// Throws Error where a link cannot be a body.
MaximalEngine maximal_engine(const Tree& tree, EvalScalar scalar);

}  // namespace lockstep::host
