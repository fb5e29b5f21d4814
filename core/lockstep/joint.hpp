// The joint types. In the body frame every joint's free motions S are coordinate axes of the
// spatial vector (linear x y z, angular x y z), because the host tool turns the frame onto the
// joint axis; the constraint forces Phi are the remaining axes (Phi^T S = 0). A joint is therefore
// a set of axes plus the placement it makes from q. To add a type: JointType, its counts,
// free_mask, its pose.
#pragma once

#include "lockstep/hide_macros.hpp"

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

// What q makes of a joint: a turn about z (revolute, planar), a rotation (ball, floating), a place
// of B's origin in P (prismatic, planar, floating). The rest of the placement is the model's X_PJ.
template <class T>
struct JointPose {
  TurnZ<T> turn;
  Mat3<T> R_PB;
  Vec3<T> p_PB;
};

template <JointType kJoint>
inline constexpr bool kTurns = kJoint == JointType::kRevolute || kJoint == JointType::kPlanar;

template <JointType kJoint, class T>
constexpr void set_pose(const Placement<T>& X_PJ, const T* q, JointPose<T>& pose) {
  if constexpr (kJoint == JointType::kRevolute) {
    sincos(q[0], pose.turn.s, pose.turn.c);
  } else if constexpr (kJoint == JointType::kPrismatic) {
    pose.p_PB = X_PJ.p + X_PJ.R.z * q[0];
  } else if constexpr (kJoint == JointType::kBall) {
    pose.R_PB = X_PJ.R * quaternion_rotation(q);
  } else if constexpr (kJoint == JointType::kPlanar) {
    sincos(q[2], pose.turn.s, pose.turn.c);
    pose.p_PB = X_PJ.p + (X_PJ.R.x * q[0] + X_PJ.R.y * q[1]);
  } else {
    pose.R_PB = X_PJ.R * quaternion_rotation(q + 3);
    pose.p_PB = X_PJ.p + X_PJ.R * Vec3<T>{q[0], q[1], q[2]};
  }
}

// The placement in P of the frame that is B but for the turn about z.
template <JointType kJoint, class T>
constexpr Placement<T> before_turn(const Placement<T>& X_PJ, const JointPose<T>& pose) {
  if constexpr (kJoint == JointType::kRevolute)
    return X_PJ;
  else if constexpr (kJoint == JointType::kBall)
    return {pose.R_PB, X_PJ.p};
  else if constexpr (kJoint == JointType::kFloating)
    return {pose.R_PB, pose.p_PB};
  else
    return {X_PJ.R, pose.p_PB};
}

// The placement of B in P, turn included.
template <JointType kJoint, class T>
constexpr Placement<T> placement_of(const Placement<T>& X_PJ, const JointPose<T>& pose) {
  Placement<T> X = before_turn<kJoint>(X_PJ, pose);
  if constexpr (kTurns<kJoint>) {
    const auto& [c, s] = pose.turn;
    X.R = {X.R.x * c + X.R.y * s, X.R.y * c - X.R.x * s, X.R.z};
  }
  return X;
}
template <JointType kJoint, class T>
constexpr Placement<T> place_body(const Placement<T>& X_PJ, const T* q) {
  JointPose<T> pose{};
  set_pose<kJoint>(X_PJ, q, pose);
  return placement_of<kJoint>(X_PJ, pose);
}

// A twist of P seen at B.
template <JointType kJoint, class T>
constexpr Spatial<T> to_child(const Placement<T>& X_PJ, const JointPose<T>& pose,
                              const Spatial<T>& V) {
  const Spatial<T> W = twist_to_child(before_turn<kJoint>(X_PJ, pose), V);
  if constexpr (!kTurns<kJoint>)
    return W;
  else
    return {transpose_times(pose.turn, W.linear), transpose_times(pose.turn, W.angular)};
}

// A wrench at B seen at P.
template <JointType kJoint, class T>
constexpr Spatial<T> to_parent(const Placement<T>& X_PJ, const JointPose<T>& pose,
                               const Spatial<T>& F) {
  const Placement<T> X = before_turn<kJoint>(X_PJ, pose);
  if constexpr (!kTurns<kJoint>)
    return wrench_to_parent(X, F);
  else
    return wrench_to_parent(X, {pose.turn * F.linear, pose.turn * F.angular});
}

// A wrench at P seen at B.
template <JointType kJoint, class T>
constexpr Spatial<T> wrench_to_child(const Placement<T>& X_PJ, const JointPose<T>& pose,
                                     const Spatial<T>& F) {
  const Spatial<T> G = wrench_to_child(before_turn<kJoint>(X_PJ, pose), F);
  if constexpr (!kTurns<kJoint>)
    return G;
  else
    return {transpose_times(pose.turn, G.linear), transpose_times(pose.turn, G.angular)};
}

// An inertia at B, which the joint lets through, seen at P. kSoft: along its free axes too, where
// others let nothing through.
template <JointType kJoint, bool kSoft = false, class T>
constexpr Inertia6<T> to_parent(const Placement<T>& X_PJ, const JointPose<T>& pose,
                                const Inertia6<T>& I_B) {
  const Placement<T> X = before_turn<kJoint>(X_PJ, pose);
  if constexpr (kJoint == JointType::kBall && !kSoft) {
    return point_inertia_to_parent(X, I_B.A);
  } else if constexpr (kTurns<kJoint>) {
    return inertia_to_parent(
        X, {rotate(pose.turn, I_B.A), rotate(pose.turn, I_B.G), rotate(pose.turn, I_B.C)});
  } else {
    return inertia_to_parent(X, I_B);
  }
}

// V + S v
template <JointType kJoint, class T>
constexpr void add_joint_motion(Spatial<T>& V, const T* v) {
  for_free_axes<kJoint>([&](auto k, auto axis) { V[axis] = V[axis] + v[k()]; });
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

#include "lockstep/restore_macros.hpp"
