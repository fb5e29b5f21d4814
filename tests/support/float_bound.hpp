// How far float may be from exact, derived:
//   - every quantity enters rounded, and is computed with a few dozen roundings per joint: the
//     answer is exact for data that differ by a small multiple of u = 2^-24 (backward stability);
//   - a relative change of the data by u changes vdot = M^-1 f by cond(M) u times the sum of what
//     efforts, gravity, external wrenches and velocities cause each, which may cancel in the whole;
//   - direct elimination also inverts each body's own 6x6 block, with that block's condition.
#pragma once

#include "eval/engine.hpp"

namespace lockstep::test {

// The small multiple, with some room.
inline constexpr double kFloatFactor = 8;
inline constexpr double kFloatRoundoff = 0x1p-24;

// Bound on the relative error where nothing cancels.
double float_bound(std::span<const Body> bodies, double condition, host::EvalMethod method);

// Condition of the joint-space mass matrix, which is read off kinetic energies.
double mass_condition(std::span<const Body> bodies, const host::DenseInput& state);

// Sum of the parts over the whole, at least one up to rounding.
struct Cancellation {
  double vdot, reaction;
};
Cancellation cancellation_of(std::span<const Body> bodies, const host::DenseInput& state,
                             const host::DenseOutput& whole);

}  // namespace lockstep::test
