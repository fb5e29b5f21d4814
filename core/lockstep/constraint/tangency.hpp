// Two ellipsoids about the origins of A and B, along their axes, touch from outside. After Perram
// and Wertheim 1985: with P, Q the matrices R diag(semi-axes^2) R^T of A and B, G = (1-l) P + l Q
// and n = G^-1 d,
//   f = max over 0 < l < 1 of l (1-l) d . n
// is one where they touch, less where they overlap, and n is normal to both. At the maximum f does
// not depend on l to first order, so J is that of a constant l; c needs the rate of l. The centres
// must be apart.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/constraint/constraint.hpp"

namespace lockstep::constraint {

// Solves S x = y by cofactors, for a positive definite S.
template <class T>
constexpr Vec3<T> solve(const Sym3<T>& S, const Vec3<T>& y) {
  const Vec3<T> r0 = {S.xx, S.xy, S.xz}, r1 = {S.xy, S.yy, S.yz}, r2 = {S.xz, S.yz, S.zz};
  const Vec3<T> c0 = cross(r1, r2), c1 = cross(r2, r0), c2 = cross(r0, r1);
  const T scale = T(1) / dot(r0, c0);
  return scale * (y.x * c0 + y.y * c1 + y.z * c2);
}

template <class T>
struct EllipsoidTangency {
  using Scalar = T;
  static constexpr int kDimension = 1;

  Vec3<T> semi_axes_A, semi_axes_B;

  constexpr Status check() const {
    const Vec3<T>&a = semi_axes_A, &b = semi_axes_B;
    return detail::check_sizes({a.x, a.y, a.z, b.x, b.y, b.z});
  }
  constexpr Rows<T, 1> rows(const FrameMotion<T>& A, const FrameMotion<T>& B, const T&) const {
    const Pair pair = {squares(A, semi_axes_A), squares(B, semi_axes_B), B.p - A.p};
    const T l = best(pair), m = T(1) - l;
    const Slope at_l = slope(pair, l);
    const Vec3<T>&n = at_l.n, &En = at_l.En;
    const Vec3<T> Pn = pair.P * n, Qn = pair.Q * n;
    const T k = size() * l * m;
    Rows<T, 1> row;
    row.value[0] = T(0.5) * size() * (l * m * dot(pair.d, n) - T(1));
    row.a[0] = {-k * n, (k * m) * cross(n, Pn)};
    row.b[0] = {k * n, (k * l) * cross(n, Qn)};

    // rates while l stands still: dP/dt = w x P - P w x
    const Vec3<T> v = B.v - A.v;
    const Vec3<T> P_rate_n = cross(A.w, Pn) - pair.P * cross(A.w, n);
    const Vec3<T> Q_rate_n = cross(B.w, Qn) - pair.Q * cross(B.w, n);
    const Sym3<T> G = between(pair, l);
    const Vec3<T> n_still = solve(G, v - m * P_rate_n - l * Q_rate_n);
    const T h_still = dot(v, n) + dot(pair.d, n_still);
    const T s_still = -(T(2) * dot(En, n_still) + dot(n, Q_rate_n - P_rate_n));
    // l follows so that the slope of f stays zero
    const T l_rate = -((m - l) * h_still + l * m * s_still) / at_l.curvature;
    const Vec3<T> n_rate = n_still - l_rate * at_l.GEn;
    const T k_rate = size() * (m - l) * l_rate;
    const T alpha = dot(A.w, cross(n, Pn)), beta = dot(B.w, cross(n, Qn));
    const T alpha_rate = dot(A.w, cross(n_rate, Pn) + cross(n, P_rate_n + pair.P * n_rate));
    const T beta_rate = dot(B.w, cross(n_rate, Qn) + cross(n, Q_rate_n + pair.Q * n_rate));
    row.bias[0] = k_rate * (dot(n, v) + m * alpha + l * beta) +
                  k * (dot(n_rate, v) + l_rate * (beta - alpha) + m * alpha_rate + l * beta_rate);
    return row;
  }

 private:
  struct Pair {
    Sym3<T> P, Q;
    Vec3<T> d;
  };
  struct Slope {
    Vec3<T> n, En, GEn;  // E = Q - P, GEn = G^-1 E n
    T value, curvature;  // of f in l
  };
  // Halvings alone bring l to a float's last place; Newton's steps get there, and beyond, in few.
  static constexpr int kMaxSteps = 60;

  // A length, so that the value is about the gap.
  constexpr T size() const {
    const Vec3<T> sum = semi_axes_A + semi_axes_B;
    return (sum.x + sum.y + sum.z) * (T(1) / T(3));
  }
  static constexpr Sym3<T> squares(const FrameMotion<T>& F, const Vec3<T>& s) {
    return rotate(F.R, Sym3<T>{s.x * s.x, T(0), T(0), s.y * s.y, T(0), s.z * s.z});
  }
  static constexpr Sym3<T> between(const Pair& pair, const T& l) {
    const Sym3<T>&P = pair.P, &Q = pair.Q;
    const T m = T(1) - l;
    return {m * P.xx + l * Q.xx, m * P.xy + l * Q.xy, m * P.xz + l * Q.xz,
            m * P.yy + l * Q.yy, m * P.yz + l * Q.yz, m * P.zz + l * Q.zz};
  }
  static constexpr Slope slope(const Pair& pair, const T& l) {
    const Sym3<T> G = between(pair, l);
    Slope result;
    result.n = solve(G, pair.d);
    result.En = pair.Q * result.n - pair.P * result.n;
    result.GEn = solve(G, result.En);
    const T m = T(1) - l, h = dot(pair.d, result.n);
    const T h1 = -dot(result.n, result.En);
    const T h2 = T(2) * dot(result.En, result.GEn);
    result.value = (m - l) * h + l * m * h1;
    result.curvature = T(2) * ((m - l) * h1 - h) + l * m * h2;
    return result;
  }
  // f is concave: its slope falls from positive to negative. Newton, kept in a shrinking bracket.
  static constexpr T best(const Pair& pair) {
    T low(0), high(1), l(0.5);
    for (int i = 0; i < kMaxSteps; ++i) {
      const Slope at_l = slope(pair, l);
      (at_l.value > T(0) ? low : high) = l;
      const T newton = l - at_l.value / at_l.curvature;
      const T next = newton > low && newton < high ? newton : T(0.5) * (low + high);
      if (next == l) break;
      l = next;
    }
    return l;
  }
};

}  // namespace lockstep::constraint

#include "lockstep/restore_macros.hpp"
