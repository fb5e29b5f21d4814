// Whether the FPU computes as IEEE 754 says and as the host's twin does: small numbers are kept,
// and results rounded to nearest. Libraries, debuggers and compiler flags have changed that before.
#pragma once

#include <limits>

namespace lockstep::firmware {

inline bool floats_are_exact() {
  using Limits = std::numeric_limits<float>;
  volatile float least = Limits::min(), one = 1, half_step = Limits::epsilon() / 2;
  const float small = least / 2;  // 0 where results are flushed
  volatile float denormal = Limits::denorm_min();
  const float scaled = denormal * 16777216.0f;  // 0 where inputs are
  const float above = one + half_step, below = -one - half_step;
  return small > 0 && scaled > 0 && above == one && below == -one && one + 1.5f * half_step > one;
}

}  // namespace lockstep::firmware
