// Instructions, flash, RAM and stack of a call on emulated Cortex-M, by robot; the same on every
// machine.
#pragma once

#include "section.hpp"

namespace lockstep::bench {

Section measure_chips(const Options& options);

}  // namespace lockstep::bench
