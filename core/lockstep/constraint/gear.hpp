// A gear between the turning of two bodies about the z axes of their frames, measured against the
// world: z_B . w_B - ratio z_A . w_A = rate. Of velocities only. With ratio 1 it keeps a constant
// speed. It has no bias: d(z . w)/dt = z . dw/dt, because z turns with w.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/constraint/constraint.hpp"

namespace lockstep::constraint {

template <class T>
struct Gear {
  using Scalar = T;
  static constexpr int kDimension = 1;
  static constexpr unsigned kVelocityRows = 0b1;

  T ratio;
  T rate{};  // rad/s

  constexpr Status check() const {
    return is_finite(ratio) && is_finite(rate) ? Status::kOk : Status::kBadConstraint;
  }
  constexpr Rows<T, 1> rows(const FrameMotion<T>& A, const FrameMotion<T>& B, const T&) const {
    Rows<T, 1> row;
    row.a[0].angular = -(ratio * A.R.z);
    row.b[0].angular = B.R.z;
    row.phi_t[0] = -rate;
    return row;
  }
};

}  // namespace lockstep::constraint

#include "lockstep/restore_macros.hpp"
