// The joint types. In the body frame every joint's free motions S are coordinate axes of the
// spatial vector (linear x y z, angular x y z), because the host tool turns the frame onto the
// joint axis; the constraint forces Phi are the remaining axes (Phi^T S = 0). A joint is therefore
// a set of axes plus the placement it makes from q. To add a type: JointType, its counts, free_mask, place.
#pragma once

#include <array>
#include <bit>
#include <type_traits>

#include "lockstep/model.hpp"
#include "lockstep/spatial.hpp"
#include "lockstep/trig.hpp"

namespace lockstep {

// Bit i set: axis i of the spatial vector is free.
constexpr unsigned free_mask(JointType joint) {
  constexpr std::array<unsigned, kJointTypes> kMask = {0b100000, 0b000100, 0b111000, 0b100011,
                                                       0b111111};
  return kMask[static_cast<std::size_t>(joint)];
}

template <unsigned kMask>
constexpr auto axes_of() {
  std::array<int, static_cast<std::size_t>(std::popcount(kMask))> axes{};
  std::size_t count = 0;
  for (int axis = 0; axis < 6; ++axis) {
    if ((kMask >> axis & 1u) != 0) axes[count++] = axis;
  }
  return axes;
}

template <JointType kJoint>
struct JointAxes {
  static constexpr auto kFree = axes_of<free_mask(kJoint)>();
  static constexpr auto kConstrained = axes_of<0b111111u & ~free_mask(kJoint)>();
};

// Calls f(k, axis) for k = 0, 1, ... over a joint's free or constrained axes, all constants.
template <JointType kJoint, class F>
constexpr void for_free_axes(F&& f) {
  using Axes = JointAxes<kJoint>;
  unroll<static_cast<int>(Axes::kFree.size())>([&](auto k) {
    f(k, std::integral_constant<int, Axes::kFree[static_cast<std::size_t>(k())]>{});
  });
}
template <JointType kJoint, class F>
constexpr void for_constrained_axes(F&& f) {
  using Axes = JointAxes<kJoint>;
  unroll<static_cast<int>(Axes::kConstrained.size())>([&](auto k) {
    f(k, std::integral_constant<int, Axes::kConstrained[static_cast<std::size_t>(k())]>{});
  });
}

// R turned by an angle about its own z axis.
template <class T>
constexpr Mat3<T> turn_about_z(const Mat3<T>& R, const T& angle) {  // 12 mul 6 add
  T s, c;
  sincos(angle, s, c);
  return {R.x * c + R.y * s, R.y * c - R.x * s, R.z};
}

// The rotation of a quaternion x y z w, which need not have length one exactly.
template <class T>
constexpr Mat3<T> quaternion_rotation(const T* q) {
  const T x = q[0], y = q[1], z = q[2], w = q[3];
  const T two_over_norm = T(2) / (x * x + y * y + z * z + w * w);
  const T sx = two_over_norm * x, sy = two_over_norm * y, sz = two_over_norm * z;
  const T xx = sx * x, xy = sx * y, xz = sx * z, xw = sx * w;
  const T yy = sy * y, yz = sy * z, yw = sy * w, zz = sz * z, zw = sz * w;
  const T one(1);
  return {{one - (yy + zz), xy + zw, xz - yw},
          {xy - zw, one - (xx + zz), yz + xw},
          {xz + yw, yz - xw, one - (xx + yy)}};
}

// The placement of the body frame B in its parent's, from the joint's own at q = 0.
template <JointType kJoint, class T>
constexpr Placement<T> place(const Placement<T>& X_PJ, const T* q) {
  if constexpr (kJoint == JointType::kRevolute) {
    return {turn_about_z(X_PJ.R, q[0]), X_PJ.p};
  } else if constexpr (kJoint == JointType::kPrismatic) {
    return {X_PJ.R, X_PJ.p + X_PJ.R.z * q[0]};
  } else if constexpr (kJoint == JointType::kBall) {
    return {X_PJ.R * quaternion_rotation(q), X_PJ.p};
  } else if constexpr (kJoint == JointType::kPlanar) {
    return {turn_about_z(X_PJ.R, q[2]), X_PJ.p + (X_PJ.R.x * q[0] + X_PJ.R.y * q[1])};
  } else {
    return {X_PJ.R * quaternion_rotation(q + 3), X_PJ.p + X_PJ.R * Vec3<T>{q[0], q[1], q[2]}};
  }
}

// V + S v
template <JointType kJoint, class T>
constexpr void add_joint_motion(Spatial<T>& V, const T* v) {
  for_free_axes<kJoint>([&](auto k, auto axis) {
    V.template at<axis()>() = V.template at<axis()>() + v[k()];
  });
}

// V x S v: what the joint's motion adds to the acceleration of a body that moves with V.
template <JointType kJoint, class T>
constexpr Spatial<T> joint_bias(const Spatial<T>& V, const T* v) {
  const T o(0);
  const Vec3<T>&l = V.linear, &w = V.angular;
  if constexpr (kJoint == JointType::kRevolute) {
    return {{l.y * v[0], -l.x * v[0], o}, {w.y * v[0], -w.x * v[0], o}};
  } else if constexpr (kJoint == JointType::kPrismatic) {
    return {{w.y * v[0], -w.x * v[0], o}, {o, o, o}};
  } else if constexpr (kJoint == JointType::kBall) {
    const Vec3<T> rate = {v[0], v[1], v[2]};
    return {cross(l, rate), cross(w, rate)};
  } else if constexpr (kJoint == JointType::kPlanar) {
    return {{l.y * v[2] - w.z * v[1], w.z * v[0] - l.x * v[2], w.x * v[1] - w.y * v[0]},
            {w.y * v[2], -w.x * v[2], o}};
  } else {
    return cross_motion(V, Spatial<T>{{v[0], v[1], v[2]}, {v[3], v[4], v[5]}});
  }
}

// Calls f.operator()<kJoint>() for a joint type known at run time.
template <class F>
constexpr void dispatch(JointType joint, F&& f) {
  switch (joint) {
    case JointType::kRevolute: return f.template operator()<JointType::kRevolute>();
    case JointType::kPrismatic: return f.template operator()<JointType::kPrismatic>();
    case JointType::kBall: return f.template operator()<JointType::kBall>();
    case JointType::kPlanar: return f.template operator()<JointType::kPlanar>();
    case JointType::kFloating: return f.template operator()<JointType::kFloating>();
  }
}

}  // namespace lockstep
