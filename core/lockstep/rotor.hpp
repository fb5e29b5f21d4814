// Rotors behind a joint of one coordinate, eliminated with it. A rotor with ratio r that turns
// about its own axis of symmetry a, fixed in the parent P, moves like a rigid part of P but for its
// spin: with I the moment about a, A = sum r^2 I (armature) and h = sum r I a (spin), the kinetic
// energy is that of the lumped tree and qd h . w_P + A qd^2 / 2. So the joint needs A qdd + h .
// wdot_P more, and P is left with the moment h qdd + w_P x h qd more. On the axes of the body, H =
// (0, h):
//     D = B_FF + A,   U_N = B_FN + H_N,   e = A - H_F,   W = U_N / D,
//     x = y - W a_N + (e/D) p_F,   p the parent's acceleration carried along, x = p_F + qdd,
// and the parent receives B - U U^T / D on all axes, where U_F = D - e.
// After Jain, Rodriguez 1990 (geared manipulators), for any direction of the rotor's axis.
#pragma once

#include <type_traits>

#include "lockstep/body_data.hpp"
#include "lockstep/body_state.hpp"
#include "lockstep/joint.hpp"

namespace lockstep {

template <JointType kJoint>
inline constexpr bool kMayBeGeared = dof_count(kJoint) == 1;

// Calls f with whether the joint has rotors, as a constant. kRotors: whether any joint may have
// them.
template <JointType kJoint, bool kRotors, class T, class F>
constexpr void with_rotors(const BodyData<T>& body, F&& f) {
  if constexpr (kRotors && kMayBeGeared<kJoint>) {
    if (body.geared) return f(std::true_type{});
  }
  f(std::false_type{});
}

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
  state.spin() = turned_spin<kJoint>(body, state.pose);
  state.spin_moment() = cross(state.V.angular, state.spin()) * v[0];
}

// e = A - H_F
template <JointType kJoint, class T>
constexpr T rotor_excess(const BodyData<T>& body) {
  if constexpr (kJoint == JointType::kRevolute)
    return body.armature - body.spin.z;
  else
    return body.armature;
}

// D for B_FF and U for B_FN; wdot_P is a - c, so H c comes to the joint's effort.
template <JointType kJoint, class T>
constexpr void add_rotor(const BodyData<T>& body, BodyState<T>& state) {
  const Spatial<T> H = {{}, state.spin()};
  for_free_axes<kJoint>([&](auto, auto axis) {
    T& diagonal = state.B.template at<axis(), axis()>();
    diagonal = diagonal + body.armature;
    for_constrained_axes<kJoint>([&](auto, auto n) {
      if constexpr (n() >= 3) {
        T& entry = state.B.template at<axis(), n()>();
        entry = entry + H.template at<n()>();
        if constexpr (kJoint == JointType::kRevolute) {
          T& bias = state.f.template at<axis()>();
          bias = bias - H.template at<n()>() * state.c.template at<n()>();
        }
      }
    });
  });
}

// What the parent receives on F, and of the spin. The constrained axes are there already.
template <JointType kJoint, class T>
constexpr void hand_on_rotor(const BodyData<T>& body, BodyState<T>& state, Inertia6<T>& reduced,
                             Spatial<T>& wrench) {
  const Spatial<T> H = {{}, state.spin()};
  const T e = rotor_excess<kJoint>(body);
  for_free_axes<kJoint>([&](auto, auto axis) {
    const Inertia6<T>& B = state.B;
    T lag = state.f.template at<axis()>();  // y - W c_N
    for_constrained_axes<kJoint>([&](auto, auto n) {
      const T& W = B.template at<axis(), n()>();
      lag = lag - W * state.c.template at<n()>();
      T& entry = reduced.template at<axis(), n()>();
      entry = W * e;
      if constexpr (n() >= 3) entry = entry - H.template at<n()>();
    });
    wrench.template at<axis()>() = wrench.template at<axis()>() - e * lag;
    reduced.template at<axis(), axis()>() =
        (e - (body.armature - e)) - e * e * B.template at<axis(), axis()>();
  });
  wrench.angular = wrench.angular + state.spin_moment();
}

// (e/D) x
template <JointType kJoint, class T>
constexpr T rotor_lead(const BodyData<T>& body, const BodyState<T>& state, const T& x) {
  constexpr int kF = JointAxes<kJoint>::kFree[0];
  return state.B.template at<kF, kF>() * (rotor_excess<kJoint>(body) * x);
}

// f becomes the wrench on the body alone, without what the rotors take.
template <JointType kJoint, class T>
constexpr void take_rotor_out(const BodyData<T>& body, const Spatial<T>& p, const T& x,
                              const T& qdd, BodyState<T>& state) {
  constexpr int kF = JointAxes<kJoint>::kFree[0];
  const Spatial<T> H = {{}, state.spin()};
  const T lead = rotor_excess<kJoint>(body) * p.template at<kF>();
  for_constrained_axes<kJoint>([&](auto, auto n) {
    T& sum = state.f.template at<n()>();
    sum = sum + state.B.template at<kF, n()>() * lead;
    if constexpr (n() >= 3) sum = sum - H.template at<n()>() * x;
  });
  T& effort = state.f.template at<kF>();
  effort = effort - (body.armature * qdd + dot(state.spin(), p.angular));
}

}  // namespace lockstep
