// A robot's own forward dynamics as C++: the passes of the core, recorded for this robot and
// written out operation by operation, with everything left out that its zeros and ones make
// superfluous.
#pragma once

#include <string>
#include <vector>

#include "model/tree.hpp"

namespace lockstep::host {

struct StraightLine {
  std::string text;   // a static member function of an emitted model
  int additions = 0;  // subtractions and negations too
  int multiplications = 0;
  int divisions = 0;
  int moves = 0;  // between the lanes and single numbers
  int total() const { return additions + multiplications + divisions + moves; }
};

// The member function `straight_line`; with limbs, `straight_limbs`, which computes them side by
// side. For the implicit step of a robot with soft joints `straight_step` and
// `straight_limbs_step`.
enum class LineFor { kDynamics, kStep };
StraightLine straight_line(const Tree& tree, const std::vector<Limbs>& limbs = {},
                           LineFor use = LineFor::kDynamics);

// Larger robots with loops cost more in compile time and cache than a line saves.
inline constexpr int kStraightLineLoopBodies = 64, kStraightLineLoopRows = 32;
bool has_straight_line_loops(const Tree& tree);

// The same of a closed robot, by FactoredTree: the member function `straight_loops`
// (lockstep/auxiliary/closed_solver.hpp), or with the rows of a loop side by side,
// `straight_loops_in_lanes`. The line pauses where the k x k system is solved.
StraightLine straight_line_loops(const Tree& tree, bool in_lanes = false);

// A step by Newton's method of a robot with colliders (lockstep/newton_line.hpp): the member
// functions `straight_place` and `straight_solve`, and how many numbers go from one to the other;
// with limbs, `straight_limbs_place` and `straight_limbs_solve`.
struct NewtonLine {
  StraightLine place, solve;
  std::string text;
};
bool has_newton_line(const Tree& tree);
NewtonLine newton_line(const Tree& tree, const std::vector<Limbs>& limbs = {});

}  // namespace lockstep::host
