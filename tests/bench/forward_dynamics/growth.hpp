// How the time of a call grows with the number of joints: chains and trees, revolute and ball, by
// the table model, with the exponent of the line of best fit.
#pragma once

#include "section.hpp"

namespace lockstep::bench {

Section measure_growth(const Options& options);

}  // namespace lockstep::bench
