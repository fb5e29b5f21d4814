// The ways to answer a state: the core's null-space or direct elimination over the table model, or
// maximal coordinates, in float or double; or the dense oracle.
#pragma once

#include <functional>

#include "model/tree.hpp"
#include "oracle/dense.hpp"

namespace lockstep::host {

enum class EvalScalar { kFloat, kDouble };
enum class EvalMethod { kNullSpace, kDirect, kMaximal, kDense };

// Throws Error with the reason alone when a state has no answer: the caller knows which it was.
using Engine = std::function<DenseOutput(const DenseInput&)>;

Engine make_engine(const Tree& tree, EvalScalar scalar, EvalMethod method);

}  // namespace lockstep::host
