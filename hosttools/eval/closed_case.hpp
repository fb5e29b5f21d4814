// A mechanism with loops in one file, as the conformance data has them: a table of joints, the
// constraints between their frames, and states. Type 3 lets two frames' origins coincide, type 6
// the frames.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "eval/engine.hpp"
#include "lockstep/maximal/records.hpp"
#include "model/tree.hpp"

namespace lockstep::host {

struct ClosedCase {
  Tree tree;
  std::vector<maximal::ConstraintRecord> loops;  // a carries frame 1, b frame 2
};

// Throws Error when the file cannot be read or describes no mechanism.
ClosedCase read_closed_case(const std::string& path);

struct ClosedAnswer {
  DenseOutput out;
  Eigen::VectorXd force;        // on joint 1's body at frame 1, in its axes: force, then moment
  Eigen::VectorXd generalized;  // the same over the joints' velocities
};

// Throws Error with the reason alone when a state has no answer.
using ClosedEngine = std::function<ClosedAnswer(const DenseInput&)>;

ClosedEngine make_closed_engine(const ClosedCase& mechanism, EvalScalar scalar);

}  // namespace lockstep::host
