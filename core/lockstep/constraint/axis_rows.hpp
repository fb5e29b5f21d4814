// The two rows that all lower pairs are made of, d leading from A's origin to B's:
//   along(i)             e_A,i . d = 0           B's origin has no coordinate i in A
//   perpendicular(i, j)  e_A,i . e_B,j = 0       B's axis j stays square to A's axis i
// Axes are 0 1 2 for x y z; e_A turns with A, so de_A/dt = w_A x e_A.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/constraint/constraint.hpp"

namespace lockstep::constraint {

struct AxisRow {
  int axis_A;
  int axis_B;  // none: along
  static constexpr int kNone = -1;
};
constexpr AxisRow along(int axis) { return {axis, AxisRow::kNone}; }
constexpr AxisRow perpendicular(int axis_A, int axis_B) { return {axis_A, axis_B}; }

template <class T, AxisRow... kRows>
struct AxisJoint {
  using Scalar = T;
  static constexpr int kDimension = sizeof...(kRows);

  constexpr Rows<T, kDimension> rows(const FrameMotion<T>& A, const FrameMotion<T>& B,
                                     const T&) const {
    Rows<T, kDimension> all;
    std::size_t i = 0;
    ((put<kRows>(A, B, all, i), ++i), ...);
    return all;
  }

  // What `rows` and the frames' velocities say as well, with fewer products.
  constexpr RowErrors<T, kDimension> errors(const FrameMotion<T>& A, const FrameMotion<T>& B,
                                            const T&) const {
    const Vec3<T> d = B.p - A.p, d_rate = (B.v - A.v) - cross(A.w, d), turning = A.w - B.w;
    RowErrors<T, kDimension> all;
    std::size_t i = 0;
    ((put_errors<kRows>(A, B, d, d_rate, turning, all, i), ++i), ...);
    return all;
  }

 private:
  template <int kAxis>
  static constexpr const Vec3<T>& axis(const FrameMotion<T>& F) {
    static_assert(kAxis >= 0 && kAxis < 3);
    return kAxis == 0 ? F.R.x : kAxis == 1 ? F.R.y : F.R.z;
  }

  template <AxisRow kRow>
  static constexpr void put(const FrameMotion<T>& A, const FrameMotion<T>& B,
                            Rows<T, kDimension>& all, std::size_t i) {
    const Vec3<T>& e = axis<kRow.axis_A>(A);
    const Vec3<T> e_rate = cross(A.w, e), e_second = cross(A.w, e_rate);
    if constexpr (kRow.axis_B == AxisRow::kNone) {
      const Vec3<T> d = B.p - A.p;
      all.value[i] = dot(e, d);
      all.a[i] = {-e, cross(e, d)};
      all.b[i] = {e, {}};
      all.bias[i] = T(2) * dot(e_rate, B.v - A.v) + dot(e_second, d);
    } else {
      const Vec3<T>& f = axis<kRow.axis_B>(B);
      const Vec3<T> f_rate = cross(B.w, f), n = cross(e, f);
      all.value[i] = dot(e, f);
      all.a[i].angular = n;
      all.b[i].angular = -n;
      all.bias[i] = dot(e_second, f) + T(2) * dot(e_rate, f_rate) + dot(e, cross(B.w, f_rate));
    }
  }

  template <AxisRow kRow>
  static constexpr void put_errors(const FrameMotion<T>& A, const FrameMotion<T>& B,
                                   const Vec3<T>& d, const Vec3<T>& d_rate, const Vec3<T>& turning,
                                   RowErrors<T, kDimension>& all, std::size_t i) {
    const Vec3<T>& e = axis<kRow.axis_A>(A);
    if constexpr (kRow.axis_B == AxisRow::kNone) {
      all.value[i] = dot(e, d);
      all.velocity_error[i] = dot(e, d_rate);
    } else {
      const Vec3<T>& f = axis<kRow.axis_B>(B);
      all.value[i] = dot(e, f);
      all.velocity_error[i] = dot(cross(e, f), turning);
    }
  }
};

}  // namespace lockstep::constraint

#include "lockstep/restore_macros.hpp"
