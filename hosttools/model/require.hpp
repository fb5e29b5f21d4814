// What a reduced robot must be before anyone solves it. Each throws an Error that names the file,
// the link or joint, and the remedy.
#pragma once

#include <string>

#include "model/tree.hpp"

namespace lockstep::host {

// Every number but the limits is finite: sums of huge masses and lengths may have overflowed.
void require_finite(const Tree& tree, const std::string& file);

// No moment of a body is negative, and the mass matrix is not singular: at one of a few generic
// poses, every pivot of the null-space elimination is positive. A pivot counts as zero below
// kNoInertia times what its coordinate would move if the joints behind it were locked: less is the
// rounding of the elimination itself.
inline constexpr double kNoInertia = 1e-12;
void require_inertia(const Tree& tree, const std::string& file);

}  // namespace lockstep::host
