// Bodies that turn with a joint of one coordinate, eliminated together with it: H qdd is what they
// leave to the parent P beside a rigid part's share, A qdd what they need of the joint's effort.
// A rotor with ratio r about its own axis of symmetry a, fixed in P, with the moment I, is no body:
// with A = sum r^2 I (armature) and h = sum r I a (spin), the kinetic energy is that of the lumped
// tree and qd h . w_P + A qd^2 / 2, so H = (0, h), and P gets the moment w_P x h qd too. Any other
// body that is tied to the joint adds r B S, moved here, to H, and r^2 S^T B S to A. On the axes of
// the joint's own body,
//     D = B_FF + A,   U_N = B_FN + H_N,   e = A - H_F,   W = U_N / D,
//     x = y - W a_N + (e/D) p_F,   p the parent's acceleration carried along, x = p_F + qdd,
// and the parent receives B - U U^T / D on all axes, where U_F = D - e.
// After Jain, Rodriguez 1990 (geared manipulators), for any direction of the rotor's axis.
// What an implicit step puts onto the joint's pivot (implicit.hpp) is a part of A without a spin.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <type_traits>

#include "lockstep/body_data.hpp"
#include "lockstep/body_state.hpp"
#include "lockstep/joint.hpp"

namespace lockstep {

template <JointType kJoint>
inline constexpr bool kMayBeGeared = dof_count(kJoint) == 1;

// The spin in B.
template <JointType kJoint, class T>
constexpr Vec3<T> turned_spin(const BodyData<T>& body, const JointPose<T>& pose) {
  if constexpr (kTurns<kJoint>)
    return transpose_times(pose.turn, body.spin);
  else
    return body.spin;
}

// Before the joint's own motion is added to V.
template <JointType kJoint, class T>
constexpr void set_rotor(const BodyData<T>& body, const T* v, BodyState<T>& state) {
  const Vec3<T> spin = turned_spin<kJoint>(body, state.pose);
  state.set_tied({{}, spin});
  state.spin_moment() = cross(state.V.angular, spin) * v[0];
}

// e = A - H_F
template <JointType kJoint, class T>
constexpr T rotor_excess(const T& A, const BodyState<T>& state) {
  return A - state.tied().template at<JointAxes<kJoint>::kFree[0]>();
}

// D for B_FF and U for B_FN; the parent's acceleration is a - c, so H c comes to the joint's
// effort.
template <JointType kJoint, class T>
constexpr void add_rotor(const T& A, BodyState<T>& state) {
  const Spatial<T> H = state.tied();
  for_free_axes<kJoint>([&](auto, auto axis) {
    T& diagonal = state.B(axis, axis);
    diagonal = diagonal + A;
    for_constrained_axes<kJoint>([&](auto, auto n) {
      T& entry = state.B(axis, n);
      entry = entry + H[n];
      T& bias = state.f[axis];
      bias = bias - H[n] * state.c[n];
    });
  });
}

// What the parent receives on F, and of the spin. The constrained axes are there already.
template <JointType kJoint, class T>
constexpr void hand_on_rotor(const T& A, BodyState<T>& state, Inertia6<T>& reduced,
                             Spatial<T>& wrench) {
  const Spatial<T> H = state.tied();
  const T e = rotor_excess<kJoint>(A, state);
  for_free_axes<kJoint>([&](auto, auto axis) {
    const Inertia6<T>& B = state.B;
    T lag = state.f[axis];  // y - W c_N
    for_constrained_axes<kJoint>([&](auto, auto n) {
      const T& W = B(axis, n);
      lag = lag - W * state.c[n];
      reduced(axis, n) = W * e - H[n];
    });
    wrench[axis] = wrench[axis] - e * lag;
    reduced(axis, axis) = (e - H[axis]) - e * e * B(axis, axis);
  });
  wrench.angular = wrench.angular + state.spin_moment();
}

// (e/D) x
template <JointType kJoint, class T>
constexpr T rotor_lead(const T& A, const BodyState<T>& state, const T& x) {
  constexpr int kF = JointAxes<kJoint>::kFree[0];
  return state.B.template at<kF, kF>() * (rotor_excess<kJoint>(A, state) * x);
}

// f becomes the wrench on the body alone, without what turns with it.
template <JointType kJoint, class T>
constexpr void take_rotor_out(const T& A, const Spatial<T>& p, const T& x, const T& qdd,
                              BodyState<T>& state) {
  constexpr int kF = JointAxes<kJoint>::kFree[0];
  const Spatial<T> H = state.tied();
  const T lead = rotor_excess<kJoint>(A, state) * p.template at<kF>();
  for_constrained_axes<kJoint>([&](auto, auto n) {
    T& sum = state.f[n];
    sum = sum + state.B.template at<kF, n()>() * lead - H[n] * x;
  });
  T& effort = state.f.template at<kF>();
  effort = effort - (A * qdd + (dot(H.linear, p.linear) + dot(H.angular, p.angular)));
}

// A follower: a body without children whose joint goes with that of its leader on the same parent.
// Second pass, before the leader's: it is a rigid part of the parent, and what its own motion needs
// is the leader's affair. `tau` is the effort of its joint, `effort` the leader's.
template <JointType kJoint, JointType kLeader, class T>
constexpr void eliminate_follower(const BodyData<T>& body, const T* tau, const BodyData<T>& leader,
                                  BodyState<T>* parent, const BodyState<T>& state,
                                  BodyState<T>& leader_state, T* effort) {
  constexpr int kF = JointAxes<kJoint>::kFree[0];
  const Spatial<T> wrench = state.f + rigid_momentum(body.mass, body.h, body.inertia, state.c);
  effort[0] = effort[0] + body.ratio * (tau[0] - wrench.template at<kF>());
  Spatial<T> U;
  unroll<6>([&](auto n) { U[n] = body.ratio * state.B.template at<kF, n()>(); });
  const Spatial<T> U_P = to_parent<kJoint>(body.X_PJ, state.pose, U);
  leader_state.set_tied(leader_state.tied() +
                        wrench_to_child<kLeader>(leader.X_PJ, leader_state.pose, U_P));
  if (parent == nullptr) return;
  parent->B = parent->B + to_parent<kJoint>(body.X_PJ, state.pose, state.B);
  parent->f = parent->f + to_parent<kJoint>(body.X_PJ, state.pose, wrench);
}

// Third pass, after the leader's, whose acceleration is `vdot`. `joint` becomes its own.
template <JointType kJoint, class T>
constexpr void resolve_follower(const BodyData<T>& body, const Vec3<T>& gravity, const T& vdot,
                                const BodyState<T>* parent, BodyState<T>& state, T* joint) {
  joint[0] = body.ratio * vdot;
  const Spatial<T> above = parent != nullptr ? parent->V : Spatial<T>{-gravity, {}};
  Spatial<T> a = to_child<kJoint>(body.X_PJ, state.pose, above) + state.c;
  add_joint_motion<kJoint>(a, joint);
  state.f = state.f + rigid_momentum(body.mass, body.h, body.inertia, a);
  state.V = a;
}

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
