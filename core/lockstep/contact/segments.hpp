// The nearest points of two segments; a point is a segment without length.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>

#include "lockstep/contact/shape.hpp"

namespace lockstep::contact {

template <class T>
struct Segment {
  Vec3<T> centre, axis;  // axis: unit
  T half;                // m

  constexpr T clamp(const T& s) const { return s < -half ? -half : s > half ? half : s; }
  constexpr Vec3<T> at(const T& s) const { return centre + s * axis; }
};

template <class T>
struct NearPoints {
  struct Pair {
    Vec3<T> on_A, on_B;
  };
  int count;
  std::array<Pair, 2> pairs;
};

// Below this square of the sine between them, axes are parallel: one point would jump from end to
// end with every rounding, so the ends of what they share touch.
inline constexpr double kParallel = 1e-4;

// m: axes closer than this cross each other, and their difference is no direction.
inline constexpr double kCoincident = 1e-6;

template <class T>
NearPoints<T> near_points(const Segment<T>& A, const Segment<T>& B) {
  const Vec3<T> d = A.centre - B.centre;
  const T cosine = dot(A.axis, B.axis), a = dot(A.axis, d), b = dot(B.axis, d);
  const T sine2 = T(1) - cosine * cosine;
  if (sine2 <= T(kParallel) || !(A.half > T(0) && B.half > T(0))) {
    // what B spans along A
    const T middle = -a, reach = B.half * (cosine < T(0) ? -cosine : cosine);
    const T low = A.clamp(middle - reach), high = A.clamp(middle + reach);
    const auto opposite = [&](const T& s) { return B.at(B.clamp(b + s * cosine)); };
    return {high > low ? 2 : 1, {{{A.at(low), opposite(low)}, {A.at(high), opposite(high)}}}};
  }
  // the squared distance is least where s = t cosine - a and t = s cosine + b
  T s = A.clamp((cosine * b - a) / sine2);
  const T t = B.clamp(s * cosine + b);
  s = A.clamp(t * cosine - a);
  return {1, {{{A.at(s), B.at(t)}, {}}}};
}

// A way out where the axes cross each other.
template <class T>
Vec3<T> across_both(const Segment<T>& A, const Segment<T>& B) {
  const Vec3<T> n = cross(A.axis, B.axis);
  const T square = dot(n, n);
  return square > T(kParallel) ? (T(1) / sqrt(square)) * n : across(A.axis);
}

}  // namespace lockstep::contact

#include "lockstep/restore_macros.hpp"
