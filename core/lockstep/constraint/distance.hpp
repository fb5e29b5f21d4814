// A massless rod with a ball at each end: (|d|^2 - length^2) / (2 length) = 0, which is the error
// of the length to first order and needs no root; and a strut, |d| - length, whose springs and
// dampers need the length itself.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/constraint/constraint.hpp"

namespace lockstep::constraint {

template <class T>
struct Distance {
  using Scalar = T;
  static constexpr int kDimension = 1;

  T length;

  constexpr Status check() const { return detail::check_sizes({length}); }
  constexpr Rows<T, 1> rows(const FrameMotion<T>& A, const FrameMotion<T>& B, const T&) const {
    const Vec3<T> d = B.p - A.p, rate = B.v - A.v;
    const T scale = T(1) / length;
    Rows<T, 1> row;
    row.value[0] = T(0.5) * (dot(d, d) * scale - length);
    row.b[0].linear = scale * d;
    row.a[0].linear = -row.b[0].linear;
    row.bias[0] = scale * dot(rate, rate);
    return row;
  }
};

// Origins in one place have no direction: a row of NaN tells.
template <class T>
struct Strut {
  using Scalar = T;
  static constexpr int kDimension = 1;

  T length;

  constexpr Status check() const { return detail::check_sizes({length}); }
  Rows<T, 1> rows(const FrameMotion<T>& A, const FrameMotion<T>& B, const T&) const {
    const Vec3<T> d = B.p - A.p, rate = B.v - A.v;
    const T distance = sqrt(dot(d, d)), scale = T(1) / distance;
    const Vec3<T> along = scale * d;
    const T growing = dot(along, rate);
    Rows<T, 1> row;
    row.value[0] = distance - length;
    row.b[0].linear = along;
    row.a[0].linear = -along;
    row.bias[0] = scale * (dot(rate, rate) - growing * growing);
    return row;
  }
};

}  // namespace lockstep::constraint

#include "lockstep/restore_macros.hpp"
