// A joint's coordinate as a row: how far B's frame is turned from A's about A's z, or moved along
// it, times a factor. The terms of couplings, which are sums of several such rows
// (ConstraintRecord::joins): a finger that follows another, a rotor behind its gears.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <limits>
#include <numbers>

#include "lockstep/constraint/joints.hpp"
#include "lockstep/constraint/prescribed.hpp"

namespace lockstep::constraint {

namespace detail {

// The angle of (c, s), from -pi to pi. A first guess is off by less than 0.004; what is left comes
// from the sine of the difference by its power series.
template <class T>
T angle_of(const T& s, const T& c) {
  constexpr T kPi = std::numbers::pi_v<T>;
  const T y = s < T(0) ? -s : s, x = c < T(0) ? -c : c;
  const T length = sqrt(s * s + c * c);
  if (!(length > T(0))) return T(0);
  const bool steep = y > x;
  const T t = steep ? x / y : y / x;
  T guess = t * (kPi / T(4) + T(0.273) * (T(1) - t));
  if (steep) guess = kPi / T(2) - guess;
  if (c < T(0)) guess = kPi - guess;
  if (s < T(0)) guess = -guess;
  T sine, cosine;
  sincos(guess, sine, cosine);
  const T d = (s * cosine - c * sine) / length, d2 = d * d;
  return guess + (d + d * d2 * (T(1) / T(6) + d2 * (T(3) / T(40) + d2 * (T(5) / T(112)))));
}

}  // namespace detail

// factor * angle = offset
template <class T>
struct AngleTerm {
  using Scalar = T;
  static constexpr int kDimension = 1;

  T factor, offset{};

  constexpr Status check() const {
    return is_finite(factor) && is_finite(offset) ? Status::kOk : Status::kBadConstraint;
  }
  // From the angle that FollowAngle's row would hold: its rates are those of the row over the
  // cosine between B's x and where it should be, which is one as long as z is one axis of both.
  Rows<T, 1> rows(const FrameMotion<T>& A, const FrameMotion<T>& B, const T&) const {
    const T s = dot(A.R.y, B.R.x), c = dot(A.R.x, B.R.x);
    // B's x along A's z, or within a thousandth of it, has no angle: a row of NaN tells
    const T across = sqrt(s * s + c * c);
    const T length = across > T(1e-3) ? across : std::numeric_limits<T>::quiet_NaN();
    const T angle = detail::angle_of(s, c), scale = factor / length;
    const auto held = [&](const T& rate) {
      return FollowAngle<T, Ramp<T>>{{angle, rate}}.rows(A, B, T(0));
    };
    const Rows<T, 1> still = held(T(0));
    const T turning = dot(still.a[0].angular, A.w) + dot(still.b[0].angular, B.w);
    Rows<T, 1> row;
    row.value[0] = factor * angle - offset;
    row.a[0].angular = scale * still.a[0].angular;
    row.b[0].angular = scale * still.b[0].angular;
    row.bias[0] = scale * held(turning / length).bias[0];
    return row;
  }
};

// factor * way = offset
template <class T>
struct WayTerm {
  using Scalar = T;
  static constexpr int kDimension = 1;

  T factor, offset{};

  constexpr Status check() const { return AngleTerm<T>{factor, offset}.check(); }
  constexpr Rows<T, 1> rows(const FrameMotion<T>& A, const FrameMotion<T>& B, const T& time) const {
    Rows<T, 1> row = PointOnPlane<T>{}.rows(A, B, time);
    row.value[0] = factor * row.value[0] - offset;
    for (Spatial<T>* wrench : {&row.a[0], &row.b[0]}) {
      *wrench = {factor * wrench->linear, factor * wrench->angular};
    }
    row.bias[0] = factor * row.bias[0];
    return row;
  }
};

}  // namespace lockstep::constraint

#include "lockstep/restore_macros.hpp"
