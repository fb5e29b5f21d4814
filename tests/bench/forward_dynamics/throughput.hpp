// How many states a second a simulation gets out of a machine: one number at a time, in SIMD lanes,
// and in lanes over all cores. Robots whose bits differ in any of these are named and not timed.
#pragma once

#include "section.hpp"

namespace lockstep::bench {

// With no sweeps only the bits are seen to.
Section measure_throughput(const Options& options);

}  // namespace lockstep::bench
