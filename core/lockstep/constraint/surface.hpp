// B's origin on a surface fixed to A: with r the origin in A's axes,
//   size/2 (r . Q r - 1) = 0,   Q = diag(inverse squares of the semi-axes),
// which near the surface is about the distance from it.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/constraint/constraint.hpp"

namespace lockstep::constraint {

template <class T>
struct PointOnSurface {
  using Scalar = T;
  static constexpr int kDimension = 1;

  Vec3<T> Q;
  T size;

  constexpr Status check() const {
    const bool good = is_finite3(Q) && Q.x > T(0) && Q.y > T(0) && Q.z >= T(0);
    return good ? detail::check_sizes({size}) : Status::kBadConstraint;
  }
  static constexpr PointOnSurface ellipsoid(const Vec3<T>& semi_axes) {
    const Vec3<T>& s = semi_axes;
    const T smaller = s.x < s.y ? s.x : s.y;
    return {{T(1) / (s.x * s.x), T(1) / (s.y * s.y), T(1) / (s.z * s.z)},
            smaller < s.z ? smaller : s.z};
  }
  static constexpr PointOnSurface sphere(const T& radius) {
    return ellipsoid({radius, radius, radius});
  }
  // about z
  static constexpr PointOnSurface cylinder(const T& radius) {
    const T q = T(1) / (radius * radius);
    return {{q, q, T(0)}, radius};
  }

  // In A's axes B moves with u = R^T (v - w x d) and, where neither frame accelerates, with
  // u' = R^T (w x (w x d) - 2 w x v), v the velocity of B's origin less that of A's.
  constexpr Rows<T, 1> rows(const FrameMotion<T>& A, const FrameMotion<T>& B, const T&) const {
    const Vec3<T> d = B.p - A.p, v = B.v - A.v, swing = cross(A.w, d);
    const Vec3<T> r = transpose_times(A.R, d), u = transpose_times(A.R, v - swing);
    const Vec3<T> normal = A.R * weighted(size * r);
    Rows<T, 1> row;
    row.value[0] = T(0.5) * size * (dot(r, weighted(r)) - T(1));
    row.a[0] = {-normal, cross(normal, d)};
    row.b[0].linear = normal;
    row.bias[0] = size * dot(u, weighted(u)) + dot(normal, cross(A.w, swing - T(2) * v));
    return row;
  }

 private:
  constexpr Vec3<T> weighted(const Vec3<T>& r) const { return {Q.x * r.x, Q.y * r.y, Q.z * r.z}; }
};

}  // namespace lockstep::constraint

#include "lockstep/restore_macros.hpp"
