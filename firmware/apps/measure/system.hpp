// The part of a closed robot's dynamics that depends on the data: the k x k system of its rows.
#pragma once

#include "count.hpp"

namespace lockstep::measure {

inline constexpr int kSystems = 1000;

// Instructions of its solver, the most over random systems of full size and rank: every pivot, in
// any order.
std::uint32_t instructions_of_system();

}  // namespace lockstep::measure
