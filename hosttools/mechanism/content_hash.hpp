// What identifies a mechanism: equal ones, and only those in practice, have equal hashes.
#pragma once

#include <cstdint>

#include "mechanism/mechanism.hpp"

namespace lockstep::host {

// 64-bit FNV-1a over, in this order: the name; the number of bodies, then each body's name, type
// and numbers; the number of constraints, then each one's name, type, a, b and numbers; x0, v0,
// forces and gravity; of each collider the body, radius, friction and restitution; of a ground the
// normal, offset, friction and restitution.
std::uint64_t content_hash(const Mechanism& mechanism);

}  // namespace lockstep::host
