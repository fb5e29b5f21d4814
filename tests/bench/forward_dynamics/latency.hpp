// How long one call takes, robot by robot: static and table models of every build of Lockstep, and
// the peers. Who does not agree on the accelerations is named and not timed.
#pragma once

#include "section.hpp"

namespace lockstep::bench {

inline constexpr double kAgreement = 1e-6;

// With no sweeps only agreement is seen to.
Section measure_latency(const Options& options);

}  // namespace lockstep::bench
