#pragma once

#include "lockstep/constraint/constraint.hpp"

// A skate: B's origin does not move along B's y axis. Of velocities only, so it has no value.
template <class T>
struct Skate {
  using Scalar = T;
  static constexpr int kDimension = 1;

  lockstep::maximal::Rows<T, 1> rows(const lockstep::maximal::FrameMotion<T>&,
                                     const lockstep::maximal::FrameMotion<T>& B, const T&) const {
    lockstep::maximal::Rows<T, 1> row;
    row.b[0].linear = B.R.y;                    // y . v
    row.bias[0] = dot(cross(B.w, B.R.y), B.v);  // dy/dt . v
    return row;
  }
};
