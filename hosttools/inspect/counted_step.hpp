// The host's stepper with numbers that count, on a plane: compiled once, in counted_step_float.cpp
// and counted_step_double.cpp.
#pragma once

#include "inspect/counted.hpp"
#include "robot/bounded_tables.hpp"

namespace lockstep::host {

template <class N>
using CountedStepper = HostBoundedStepper<N, kHostBodies, contact::Plane<N>>;

extern template class HostBoundedStepper<CountedNumber<float>, kHostBodies,
                                         contact::Plane<CountedNumber<float>>>;
extern template class HostBoundedStepper<CountedNumber<double>, kHostBodies,
                                         contact::Plane<CountedNumber<double>>>;

}  // namespace lockstep::host
