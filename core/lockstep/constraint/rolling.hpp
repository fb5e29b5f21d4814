// Rolling without slipping on the xy plane of A, z up; A may move. Where B touches, r from B's
// origin, both bodies have the same velocity:
//   slip = v_B + w_B x r - v_A - w_A x (d + r) = 0,
// along z of A (there it is the rate of the height, a value), then along x and y of A.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/constraint/constraint.hpp"

namespace lockstep::constraint {

template <class T>
struct TouchPoint {
  Vec3<T> r, rate;  // from B's origin to where it touches
};

// A shape gives contact(A, B), the lowest point of B.
template <class T, class Shape>
struct Rolling {
  using Scalar = T;
  static constexpr int kDimension = 3;
  static constexpr unsigned kVelocityRows = 0b110;

  Shape shape;

  constexpr Status check() const { return detail::check_sizes({shape.radius}); }
  constexpr Rows<T, 3> rows(const FrameMotion<T>& A, const FrameMotion<T>& B, const T&) const {
    const TouchPoint<T> contact = shape.contact(A, B);
    const Vec3<T>& r = contact.r;
    const Vec3<T> v = B.v - A.v, arm_A = B.p - A.p + r;
    const Vec3<T> slip = v + cross(B.w, r) - cross(A.w, arm_A);
    const Vec3<T> change = cross(B.w, contact.rate) - cross(A.w, v + contact.rate);
    Rows<T, 3> all;
    all.value[0] = dot(A.R.z, arm_A);
    const Vec3<T>* axes[] = {&A.R.z, &A.R.x, &A.R.y};
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3<T>& e = *axes[i];
      all.a[i] = {-e, cross(e, arm_A)};
      all.b[i] = {e, cross(r, e)};
      all.bias[i] = dot(cross(A.w, e), slip) + dot(e, change);
    }
    return all;
  }
};

// A ball about B's origin.
template <class T>
struct BallShape {
  T radius;

  constexpr TouchPoint<T> contact(const FrameMotion<T>& A, const FrameMotion<T>&) const {
    return {-radius * A.R.z, -radius * cross(A.w, A.R.z)};
  }
};

// A thin disc in B's xy plane, about B's origin. It must not lie flat: then all of its rim touches.
template <class T>
struct DiscShape {
  T radius;

  TouchPoint<T> contact(const FrameMotion<T>& A, const FrameMotion<T>& B) const {
    const Vec3<T>&up = A.R.z, &axle = B.R.z;
    const Vec3<T> up_rate = cross(A.w, up), axle_rate = cross(B.w, axle);
    const T lean = dot(up, axle);
    const T lean_rate = dot(up_rate, axle) + dot(up, axle_rate);
    const Vec3<T> e = up - lean * axle;  // up, in the plane of the disc
    const Vec3<T> e_rate = up_rate - lean_rate * axle - lean * axle_rate;
    const T shorten = T(1) / sqrt(dot(e, e));
    const Vec3<T> unit = shorten * e;
    const Vec3<T> unit_rate = shorten * (e_rate - dot(unit, e_rate) * unit);
    return {-radius * unit, -radius * unit_rate};
  }
};

template <class T>
using RollingBall = Rolling<T, BallShape<T>>;
template <class T>
using RollingDisc = Rolling<T, DiscShape<T>>;

}  // namespace lockstep::constraint

#include "lockstep/restore_macros.hpp"
