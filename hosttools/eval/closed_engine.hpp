// Answers states of a robot with loops and couplings: the core's constraint anticipation over the
// table model, or in maximal coordinates.
#pragma once

#include "eval/engine.hpp"
#include "robot/closed_robot.hpp"

namespace lockstep::host {

// Throws Error with the reason alone when a state has no answer.
using ClosedEngine = std::function<ClosedAnswer(const DenseInput&)>;

// `merged` is the tree itself, or with its rotors merged; states and answers are of all joints.
// The method is kNullSpace, or kMaximal, which merges nothing.
ClosedEngine make_closed_engine(const Tree& tree, const Tree& merged, EvalScalar scalar,
                                EvalMethod method);

// Of any robot, by way of maximal coordinates: every link a body, every joint a constraint, one
// direct elimination of H (Baraff 1996, equation 8), loops and couplings by anticipation (section
// 8), then back to joints. Leaves `generalized` empty. Throws Error where a link cannot be a body.
ClosedEngine maximal_engine(const Tree& tree, EvalScalar scalar);

}  // namespace lockstep::host
