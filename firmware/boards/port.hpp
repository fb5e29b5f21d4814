// The robot's motors and encoders, as the loop sees them: a port is one file that defines these,
// for the drives of a robot (docs/porting.md). None of them waits. q, v and tau have the order of
// the model; a port fills in what its drives measure, joint by joint.
#pragma once

#include <cstdint>
#include <span>

#include "lockstep/status.hpp"

namespace lockstep::port {

#ifdef LOCKSTEP_SCALAR
using Scalar = LOCKSTEP_SCALAR;
#else
using Scalar = float;
#endif

// Coasts, or holds by brakes that need no current.
enum class Rest : std::uint8_t { kOff, kBrake };

void start(std::uint32_t joints);  // motors off; so many of one degree of freedom
// What was measured last, and how old the oldest of it is, in microseconds. kDriveFault: a drive
// says so, or is not enabled though it should be.
Status read(std::span<Scalar> q, std::span<Scalar> v, std::uint32_t& age);
void write(std::span<const Scalar> tau);  // N m or N; acts until the next, or the drives' time-out
void enable(bool on);                     // the enable line; off: no drive can move its motor
void set_rest(Rest rest);                 // what make_safe leads to

// Motors off, enable line off, brakes on where they are the rest. From anywhere, a fault handler
// too: it trusts no memory but registers and constants, and uses no FPU.
void make_safe();

}  // namespace lockstep::port
