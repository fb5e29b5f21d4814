// What identifies a robot: equal trees, and only those in practice, have equal hashes, on any host.
#pragma once

#include <cstdint>
#include <string>

#include "model/tree.hpp"

namespace lockstep::host {

// 64-bit FNV-1a over, in this order: the robot's name; the number of bodies, then each body's link
// name, joint name, parent, joint type, R_PJ, p_PJ, R_LB, mass, h, inertia, damping, friction,
// limits (lower, upper, velocity, effort) and mimic (body, multiplier, offset); the number of
// frames, then each frame's name, body, R_BF and p_BF. Where there are any, the number of loops,
// then each loop's name, type, a, b and numbers; the number of couplings, then each coupling's
// name, offset, number of terms, and body and coefficient of each term; of those that yield, number
// (couplings after loops), stiffness and damping. Where there are any, the number of colliders, then each collider's name, body, type, half, radius, R_BS, p_BS, friction,
// restitution, number of points and the points; the number of pairs, then a and b of each. Where
// there are any, rotors and each body's armature and spin; else, where there are any, the
// armatures. Where there are any, each body's stiffness and rest; each body's tie.
std::uint64_t content_hash(const Tree& tree);

// 0x and sixteen digits.
std::string hash_text(std::uint64_t hash);

}  // namespace lockstep::host
