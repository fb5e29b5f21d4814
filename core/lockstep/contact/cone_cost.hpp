// What a row costs a step that minimizes (Todorov 2014; Castro, Permenter, Han 2022): with a the
// row's acceleration, a* the one it asks for and R > 0 its compliance,
//   l(a) = 1/2 |f|_R^2,   f = P(y),   y = h + R^-1 (a* - a),   dl/da = -f,   df/da = -G.
// P leads to the nearest allowed force in the norm of R, so l is convex, f continuous and G
// symmetric and positive semidefinite. A force h that was there before takes the compliance out:
// with f = h a row that bears is at a* exactly (the method of multipliers).
// A contact's forces (n, t, u) are in the circular cone |(t, u)| <= m n, and R = (Rn, Rt, Rt). With
// r = |(y_t, y_u)|, e the direction of it and s = m Rt / Rn,
//   sticks  r <= m y_n         f = y
//   apart   y_n <= -s r        f = 0
//   slides  between            f_n = (y_n + s r) / (1 + m s),   f_t = m f_n e,
//           G = g g^T / (Rn (1 + m s)) + m f_n / (r Rt) p p^T,   g = (1, m e),  p across e.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <cstdint>

#include "lockstep/spatial.hpp"

namespace lockstep::contact {

enum class Place : std::uint8_t {
  kApart,   // no force; of a bounded row: at its lower bound
  kSticks,  // between the bounds
  kSlides,  // on the cone; of a bounded row: at its upper bound
};

// One row whose force is between two bounds, either of which may be infinite.
template <class T>
struct BoundCost {
  using Value = T;
  using Slope = T;
  struct Point {
    Place place;
    T force, slope;
  };

  T stiffness;     // 1 / R
  T lower, upper;  // of the force
  T target;        // a*

  constexpr T trial(const T& held, const T& a) const { return held + stiffness * (target - a); }
  constexpr T where(const T& held, const T& y) const { return target + (held - y) / stiffness; }
  constexpr Point at(const T& y) const {
    if (y <= lower) return {Place::kApart, lower, T(0)};
    if (y >= upper) return {Place::kSlides, upper, T(0)};
    return {Place::kSticks, y, stiffness};
  }
  // The acceleration that a force's compliance makes.
  constexpr T yielding(const T& force) const { return force / stiffness; }
  constexpr bool bears(const T& force) const { return force > lower && force < upper; }
  // Where the row is likely to be: with the force that it had, if it bore it, or else with the
  // acceleration a.
  constexpr T guess(const T& force, const T& a) const {
    return bears(force) ? force : trial(force, a);
  }
};

// A contact: normal and two tangents.
template <class T>
struct ConeCost {
  using Value = Vec3<T>;
  using Slope = Sym3<T>;
  struct Point {
    Place place;
    Vec3<T> force;
    Sym3<T> slope;
  };

  T normal, tangent;  // 1 / Rn, 1 / Rt
  T friction;         // m
  Vec3<T> target;     // a*

  constexpr Vec3<T> trial(const Vec3<T>& held, const Vec3<T>& a) const {
    const Vec3<T> d = target - a;
    return {held.x + normal * d.x, held.y + tangent * d.y, held.z + tangent * d.z};
  }
  constexpr Vec3<T> where(const Vec3<T>& held, const Vec3<T>& y) const {
    return target + yielding(held - y);
  }
  constexpr Vec3<T> yielding(const Vec3<T>& force) const {
    return {force.x / normal, force.y / tangent, force.z / tangent};
  }
  Point at(const Vec3<T>& y) const {
    const T o(0), r = sqrt(y.y * y.y + y.z * y.z);
    if (friction > o && r <= friction * y.x) {
      return {Place::kSticks, y, {normal, o, o, tangent, o, tangent}};
    }
    const T s = friction * normal / tangent;
    if (y.x <= -s * r) return {Place::kApart, {}, {}};
    const T share = T(1) / (T(1) + friction * s), n = share * (y.x + s * r);
    const T ey = r > o ? y.y / r : o, ez = r > o ? y.z / r : o;
    const T gy = friction * ey, gz = friction * ez;
    const T along = share * normal, across = r > o ? friction * n / r * tangent : o;
    return {Place::kSlides,
            {n, n * gy, n * gz},
            {along, along * gy, along * gz, along * gy * gy + across * ez * ez,
             along * gy * gz - across * ey * ez, along * gz * gz + across * ey * ey}};
  }
  // As above; what slid has its slip from a, and its normal force.
  Vec3<T> guess(const Vec3<T>& force, const Vec3<T>& a) const {
    if (bears(force)) return force;
    Vec3<T> y = trial(force, a);
    if (force.x > T(0)) {
      const T s = friction * normal / tangent;
      y.x = (T(1) + friction * s) * force.x - s * sqrt(y.y * y.y + y.z * y.z);
    }
    return y;
  }
  // Whether it sticks with room to spare.
  constexpr bool bears(const Vec3<T>& force) const {
    const T most = friction * force.x;
    return force.x > T(0) && force.y * force.y + force.z * force.z < T(0.999) * most * most;
  }
};

template <class T>
constexpr T product(const T& a, const T& b) {
  return a * b;
}
template <class T>
constexpr T product(const Vec3<T>& a, const Vec3<T>& b) {
  return dot(a, b);
}

}  // namespace lockstep::contact

#include "lockstep/restore_macros.hpp"
