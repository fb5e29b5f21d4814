// A closed robot's own forward dynamics as C++: anticipation of its loops and couplings by
// FactoredTree, recorded and written out as straight_line.hpp does it for the tree. The line pauses
// where the k x k system is solved.
#pragma once

#include "emit/straight_line.hpp"

namespace lockstep::host {

// Larger robots cost more in compile time and cache than a line saves.
inline constexpr int kStraightLineLoopBodies = 64, kStraightLineLoopRows = 32;
bool has_straight_line_loops(const Tree& tree);

// The member function `straight_loops` (lockstep/auxiliary/closed_solver.hpp); or with the rows of
// a loop side by side, `straight_loops_in_lanes`.
StraightLine straight_line_loops(const Tree& tree, bool in_lanes = false);

}  // namespace lockstep::host
