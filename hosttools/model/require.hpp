// What a reduced robot must be before anyone solves it. Errors name the file, the link or joint,
// and the remedy.
#pragma once

#include <string>
#include <vector>

#include "model/tree.hpp"

namespace lockstep::host {

// Every number but the limits is finite: sums of huge masses and lengths may have overflowed.
void require_finite(const Tree& tree, const std::string& file);

// The bodies, leaves first, whose joints have nothing to move, so that the mass matrix is singular:
// at every one of a few generic poses, a pivot of the null-space elimination is zero while those
// found before are held. A pivot counts as zero below kNoInertia times what its coordinate would
// move if the joints behind it were locked: less is the rounding of the elimination itself.
inline constexpr double kNoInertia = 1e-12;
std::vector<int> find_immovable(const Tree& tree);

[[noreturn]] void refuse_immovable(const Tree& tree, const std::string& file,
                                   const std::vector<int>& bodies);

}  // namespace lockstep::host
