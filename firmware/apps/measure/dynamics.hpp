// The call that is measured: forward dynamics of a robot or a bounded step, in the form and the
// scalar of the build.
#pragma once

#include <span>

#include "lockstep/model.hpp"
#include "lockstep/status.hpp"

namespace lockstep::measure {

using Scalar = LOCKSTEP_MEASURE_SCALAR;

struct Input {
  std::span<Scalar> q, v, tau, gravity;
};
struct Output {
  std::span<const Scalar> vdot, reaction, lambda;
  std::span<const Scalar> forces = {};     // of rows
  std::span<const Scalar> q = {}, v = {};  // after a step
};

extern "C" void prepare();    // the model, if it is a table; the input at rest
extern "C" void step(void*);  // from input to output

std::span<const Body> bodies();
Input input();
Output output();
Status status();  // of the last step

}  // namespace lockstep::measure
