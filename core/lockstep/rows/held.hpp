// What tells a row that joints hold by themselves, whose response is rounding, from one that moves.
#pragma once

#include "lockstep/hide_macros.hpp"

namespace lockstep::rows {

// Shares of a row's response: the squares of what is left of its force. In joint space nothing but
// rounding is left. In maximal coordinates joints that are off by 1e-4 leave 1e-8, and a float's
// rounding more than that.
template <class T>
inline constexpr T kHeldByTree = sizeof(T) == sizeof(float) ? T(1e-8) : T(1e-10);
template <class T>
inline constexpr T kHeldByMechanism = sizeof(T) == sizeof(float) ? T(3e-5) : T(1e-8);

// `scale` is what the row's response to itself, `own`, would be if no direction were held. NaN is
// not held.
template <class T>
constexpr bool is_held(const T& own, const T& scale, const T& share) {
  return own <= share * scale;
}

}  // namespace lockstep::rows

#include "lockstep/restore_macros.hpp"
