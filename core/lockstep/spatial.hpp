// Three-vectors, rotations and the blocks of a 6x6 inertia, for any scalar: float, double, a
// counting scalar, later SIMD lanes. Written out instead of Eigen's products because those choose
// fused multiply-adds and the order of a sum by the vector width; here every sum has one order.
// A spatial vector is (linear, angular): twists (v, w), wrenches (force, moment).
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace lockstep {

using std::sqrt;  // all of libm that the core calls; other scalars bring their own

// Calls f(integral_constant 0) ... f(integral_constant N-1): a loop whose index is a constant.
template <int kCount, class F>
constexpr void unroll(F&& f) {
  [&]<int... kIndex>(std::integer_sequence<int, kIndex...>) {
    (f(std::integral_constant<int, kIndex>{}), ...);
  }
  (std::make_integer_sequence<int, kCount>{});
}

template <class T>
struct Vec3 {
  T x{}, y{}, z{};

  friend constexpr Vec3 operator+(const Vec3& a, const Vec3& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
  }
  friend constexpr Vec3 operator-(const Vec3& a, const Vec3& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  friend constexpr Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
  friend constexpr Vec3 operator*(const T& s, const Vec3& a) { return {s * a.x, s * a.y, s * a.z}; }
  friend constexpr Vec3 operator*(const Vec3& a, const T& s) { return {a.x * s, a.y * s, a.z * s}; }
};

template <class T>
constexpr Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// A general 3x3 matrix by columns.
template <class T>
struct Mat3 {
  Vec3<T> x, y, z;

  static constexpr Mat3 from_rows(const std::array<T, 9>& m) {
    return {{m[0], m[3], m[6]}, {m[1], m[4], m[7]}, {m[2], m[5], m[8]}};
  }
};

template <class T>
constexpr Vec3<T> operator*(const Mat3<T>& M, const Vec3<T>& a) {  // 9 mul 6 add
  return {M.x.x * a.x + M.y.x * a.y + M.z.x * a.z, M.x.y * a.x + M.y.y * a.y + M.z.y * a.z,
          M.x.z * a.x + M.y.z * a.y + M.z.z * a.z};
}

// M^T a: for a rotation R_PB this takes components from P to B.
template <class T>
constexpr Vec3<T> transpose_times(const Mat3<T>& M, const Vec3<T>& a) {  // 9 mul 6 add
  return {M.x.x * a.x + M.x.y * a.y + M.x.z * a.z, M.y.x * a.x + M.y.y * a.y + M.y.z * a.z,
          M.z.x * a.x + M.z.y * a.y + M.z.z * a.z};
}

template <class T>
constexpr Mat3<T> operator*(const Mat3<T>& A, const Mat3<T>& B) {  // 27 mul 18 add
  return {A * B.x, A * B.y, A * B.z};
}

// A symmetric 3x3 matrix.
template <class T>
struct Sym3 {
  T xx{}, xy{}, xz{}, yy{}, yz{}, zz{};

  constexpr Mat3<T> full() const { return {{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}; }
  friend constexpr Sym3 operator+(const Sym3& a, const Sym3& b) {
    return {a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
  }
};

template <class T>
constexpr Vec3<T> operator*(const Sym3<T>& S, const Vec3<T>& a) {  // 9 mul 6 add
  return {S.xx * a.x + S.xy * a.y + S.xz * a.z, S.xy * a.x + S.yy * a.y + S.yz * a.z,
          S.xz * a.x + S.yz * a.y + S.zz * a.z};
}

template <class T>
constexpr T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

// (R M) R^T for a general M, and for a symmetric one whose result is symmetric again.
template <class T>
constexpr Mat3<T> rotate(const Mat3<T>& R, const Mat3<T>& M) {  // 54 mul 36 add
  const Mat3<T> N = R * M;
  return {N.x * R.x.x + N.y * R.y.x + N.z * R.z.x, N.x * R.x.y + N.y * R.y.y + N.z * R.z.y,
          N.x * R.x.z + N.y * R.y.z + N.z * R.z.z};
}

template <class T>
constexpr Sym3<T> rotate(const Mat3<T>& R, const Sym3<T>& S) {  // 45 mul 30 add
  const Mat3<T> N = R * S.full();
  return {
      N.x.x * R.x.x + N.y.x * R.y.x + N.z.x * R.z.x, N.x.x * R.x.y + N.y.x * R.y.y + N.z.x * R.z.y,
      N.x.x * R.x.z + N.y.x * R.y.z + N.z.x * R.z.z, N.x.y * R.x.y + N.y.y * R.y.y + N.z.y * R.z.y,
      N.x.y * R.x.z + N.y.y * R.y.z + N.z.y * R.z.z, N.x.z * R.x.z + N.y.z * R.y.z + N.z.z * R.z.z};
}

// A twist or a wrench.
template <class T>
struct Spatial {
  Vec3<T> linear, angular;

  template <int kAxis>
  constexpr T& at() {
    Vec3<T>& half = kAxis < 3 ? linear : angular;
    if constexpr (kAxis % 3 == 0)
      return half.x;
    else if constexpr (kAxis % 3 == 1)
      return half.y;
    else
      return half.z;
  }
  template <int kAxis>
  constexpr const T& at() const {
    return const_cast<Spatial*>(this)->template at<kAxis>();
  }
  // f[axis], where the axis is a constant of its type
  template <int kAxis>
  constexpr T& operator[](std::integral_constant<int, kAxis>) {
    return at<kAxis>();
  }
  template <int kAxis>
  constexpr const T& operator[](std::integral_constant<int, kAxis>) const {
    return at<kAxis>();
  }
  friend constexpr Spatial operator+(const Spatial& a, const Spatial& b) {
    return {a.linear + b.linear, a.angular + b.angular};
  }
  friend constexpr Spatial operator-(const Spatial& a, const Spatial& b) {
    return {a.linear - b.linear, a.angular - b.angular};
  }
};

// V x W for twists: the rate at which W, fixed in a frame that moves with V, changes.
template <class T>
constexpr Spatial<T> cross_motion(const Spatial<T>& V, const Spatial<T>& W) {
  return {cross(V.angular, W.linear) + cross(V.linear, W.angular), cross(V.angular, W.angular)};
}

// V x* F for a wrench.
template <class T>
constexpr Spatial<T> cross_force(const Spatial<T>& V, const Spatial<T>& F) {
  return {cross(V.angular, F.linear), cross(V.angular, F.angular) + cross(V.linear, F.linear)};
}

// A symmetric 6x6 inertia [A G; G^T C]: force from linear motion A, from angular motion G.
template <class T>
struct Inertia6 {
  Sym3<T> A;
  Mat3<T> G;
  Sym3<T> C;

  template <int kRow, int kColumn>
  constexpr T& at() {
    if constexpr (kRow > kColumn) {
      return at<kColumn, kRow>();
    } else if constexpr (kColumn < 3) {
      return sym<kRow, kColumn>(A);
    } else if constexpr (kRow >= 3) {
      return sym<kRow - 3, kColumn - 3>(C);
    } else {
      Vec3<T>& column = kColumn == 3 ? G.x : kColumn == 4 ? G.y : G.z;
      return kRow == 0 ? column.x : kRow == 1 ? column.y : column.z;
    }
  }
  template <int kRow, int kColumn>
  constexpr const T& at() const {
    return const_cast<Inertia6*>(this)->template at<kRow, kColumn>();
  }
  // B(axis, n), as Spatial's f[axis]
  template <int kRow, int kColumn>
  constexpr T& operator()(std::integral_constant<int, kRow>, std::integral_constant<int, kColumn>) {
    return at<kRow, kColumn>();
  }
  template <int kRow, int kColumn>
  constexpr const T& operator()(std::integral_constant<int, kRow>,
                                std::integral_constant<int, kColumn>) const {
    return at<kRow, kColumn>();
  }
  friend constexpr Inertia6 operator+(const Inertia6& a, const Inertia6& b) {
    return {a.A + b.A, {a.G.x + b.G.x, a.G.y + b.G.y, a.G.z + b.G.z}, a.C + b.C};
  }

 private:
  template <int kRow, int kColumn>
  static constexpr T& sym(Sym3<T>& S) {
    if constexpr (kRow == 0)
      return kColumn == 0 ? S.xx : kColumn == 1 ? S.xy : S.xz;
    else if constexpr (kRow == 1)
      return kColumn == 1 ? S.yy : S.yz;
    else
      return S.zz;
  }
};

// A rigid body's inertia about the origin of its frame: mass, first moment h, second moment I.
template <class T>
constexpr Inertia6<T> rigid_inertia(const T& mass, const Vec3<T>& h, const Sym3<T>& I_B) {
  const T o(0);
  return {{mass, o, o, mass, o, mass}, {{o, -h.z, h.y}, {h.z, o, -h.x}, {-h.y, h.x, o}}, I_B};
}

template <class T>
constexpr Spatial<T> rigid_momentum(const T& mass, const Vec3<T>& h, const Sym3<T>& I_B,
                                    const Spatial<T>& V) {  // 24 mul 18 add
  return {mass * V.linear + cross(V.angular, h), cross(h, V.linear) + I_B * V.angular};
}

// A rotation about z by an angle whose cosine and sine are c and s.
template <class T>
struct TurnZ {
  T c, s;
};

template <class T>
constexpr Vec3<T> operator*(const TurnZ<T>& R, const Vec3<T>& a) {  // 4 mul 2 add
  return {R.c * a.x - R.s * a.y, R.s * a.x + R.c * a.y, a.z};
}
template <class T>
constexpr Vec3<T> transpose_times(const TurnZ<T>& R, const Vec3<T>& a) {  // 4 mul 2 add
  return {R.c * a.x + R.s * a.y, R.c * a.y - R.s * a.x, a.z};
}

// R M R^T. Of the upper 2x2 block only (xx - yy, xy + yx) turns, by twice the angle:
// with w = s (xx - yy) + c (xy + yx) the four entries become xx - s w, c w - yx, c w - xy, yy + s
// w.
template <class T>
constexpr Sym3<T> rotate(const TurnZ<T>& R, const Sym3<T>& S) {  // 9 mul 7 add
  const T w = R.s * (S.xx - S.yy) + R.c * (S.xy + S.xy);
  const T sw = R.s * w;
  return {S.xx - sw, R.c * w - S.xy,          R.c * S.xz - R.s * S.yz,
          S.yy + sw, R.s * S.xz + R.c * S.yz, S.zz};
}
template <class T>
constexpr Mat3<T> rotate(const TurnZ<T>& R, const Mat3<T>& M) {  // 12 mul 11 add
  const T w = R.s * (M.x.x - M.y.y) + R.c * (M.y.x + M.x.y);
  const T sw = R.s * w, cw = R.c * w;
  return {{M.x.x - sw, cw - M.y.x, R.c * M.x.z - R.s * M.y.z},
          {cw - M.x.y, M.y.y + sw, R.s * M.x.z + R.c * M.y.z},
          {R.c * M.z.x - R.s * M.z.y, R.s * M.z.x + R.c * M.z.y, M.z.z}};
}

// The placement of B in P: R turns B components into P's, p is B's origin in P.
template <class T>
struct Placement {
  Mat3<T> R;
  Vec3<T> p;
};

template <class T>
constexpr Placement<T> identity() {
  const T o(0), one(1);
  return {{{one, o, o}, {o, one, o}, {o, o, one}}, {}};
}

// C in P, from B in P and C in B.
template <class T>
constexpr Placement<T> operator*(const Placement<T>& X_PB, const Placement<T>& X_BC) {
  return {X_PB.R * X_BC.R, X_PB.p + X_PB.R * X_BC.p};
}

// A twist of P seen at B: what B would do if it were welded to P.
template <class T>
constexpr Spatial<T> twist_to_child(const Placement<T>& X, const Spatial<T>& V) {  // 24 mul 18 add
  return {transpose_times(X.R, V.linear + cross(V.angular, X.p)), transpose_times(X.R, V.angular)};
}

// A wrench at B seen at P.
template <class T>
constexpr Spatial<T> wrench_to_parent(const Placement<T>& X, const Spatial<T>& F) {
  const Vec3<T> force = X.R * F.linear;
  return {force, X.R * F.angular + cross(X.p, force)};
}

// A wrench at P seen at B.
template <class T>
constexpr Spatial<T> wrench_to_child(const Placement<T>& X, const Spatial<T>& F) {
  return {transpose_times(X.R, F.linear), transpose_times(X.R, F.angular - cross(X.p, F.linear))};
}

// A point mass tensor A at B, without moments, seen at P: what a ball joint passes on.
template <class T>
constexpr Inertia6<T> point_inertia_to_parent(const Placement<T>& X, const Sym3<T>& at_B) {
  const Vec3<T>& p = X.p;
  const Sym3<T> A = rotate(X.R, at_B);
  const Vec3<T> a0 = cross(p, Vec3<T>{A.xx, A.xy, A.xz});  // rows of -A [p]x
  const Vec3<T> a1 = cross(p, Vec3<T>{A.xy, A.yy, A.yz});
  const Vec3<T> a2 = cross(p, Vec3<T>{A.xz, A.yz, A.zz});
  const Mat3<T> G = {{a0.x, a1.x, a2.x}, {a0.y, a1.y, a2.y}, {a0.z, a1.z, a2.z}};
  const Vec3<T> x = cross(p, G.x), y = cross(p, G.y), z = cross(p, G.z);
  return {A, G, {x.x, y.x, z.x, y.y, z.y, z.z}};
}

// An inertia at B seen at P, its origin moved from B's to P's:
//   G_P = G - A [p]x,   C_P = C + [p]x G_P + ([p]x G)^T.
template <class T>
constexpr Inertia6<T> inertia_to_parent(const Placement<T>& X, const Inertia6<T>& I_B) {
  const Vec3<T>& p = X.p;
  const Sym3<T> A = rotate(X.R, I_B.A);
  const Mat3<T> G = rotate(X.R, I_B.G);
  const Sym3<T> C = rotate(X.R, I_B.C);
  // row i of A [p]x is (row i of A) x p
  const Vec3<T> a0 = cross(Vec3<T>{A.xx, A.xy, A.xz}, p);
  const Vec3<T> a1 = cross(Vec3<T>{A.xy, A.yy, A.yz}, p);
  const Vec3<T> a2 = cross(Vec3<T>{A.xz, A.yz, A.zz}, p);
  const Mat3<T> G_P = {{G.x.x - a0.x, G.x.y - a1.x, G.x.z - a2.x},
                       {G.y.x - a0.y, G.y.y - a1.y, G.y.z - a2.y},
                       {G.z.x - a0.z, G.z.y - a1.z, G.z.z - a2.z}};
  // column j of [p]x M is p x (column j of M)
  const Vec3<T> x = cross(p, G.x), y = cross(p, G.y), z = cross(p, G.z);
  const Vec3<T> X_P = cross(p, G_P.x), Y_P = cross(p, G_P.y), Z_P = cross(p, G_P.z);
  return {A,
          G_P,
          {C.xx + (X_P.x + x.x), C.xy + (Y_P.x + x.y), C.xz + (Z_P.x + x.z), C.yy + (Y_P.y + y.y),
           C.yz + (Z_P.y + y.z), C.zz + (Z_P.z + z.z)}};
}

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
