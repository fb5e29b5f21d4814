// Null-space elimination of a body and the constraint above it, in three passes over the tree.
// With B the body's block of H, S the joint's free motions and Phi its constraint forces,
//     Phi (Phi^T B^-1 Phi)^-1 Phi^T = B - B S (S^T B S)^-1 S^T B,
// so the pair (Baraff, appendix A) is eliminated by factoring the small block S^T B S alone.
// In body frames S and Phi are coordinate axes: subscripts F (free) and N (the others) below.
// kLoaded: an inertia A of the joint's own is on its pivot: rotors behind a joint of one coordinate
// (rotor.hpp), what an implicit step adds (implicit.hpp).
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/body_data.hpp"
#include "lockstep/body_state.hpp"
#include "lockstep/implicit.hpp"
#include "lockstep/joint.hpp"
#include "lockstep/lanes.hpp"
#include "lockstep/rotor.hpp"

namespace lockstep {

// First pass, parents first: placement, twist, and the body's own part of H and of the right side.
template <JointType kJoint, bool kLoaded = false, class T>
constexpr void advance(const BodyData<T>& body, const T* q, const T* v, const BodyState<T>* parent,
                       BodyState<T>& state) {
  set_pose<kJoint>(body.X_PJ, q, state.pose);
  state.V = parent != nullptr ? to_child<kJoint>(body.X_PJ, state.pose, parent->V) : Spatial<T>{};
  if constexpr (kLoaded && kMayBeGeared<kJoint>) set_rotor<kJoint>(body, v, state);
  add_joint_motion<kJoint>(state.V, v);
  state.c = joint_bias<kJoint>(state.V, v);
  state.B = rigid_inertia(body.mass, body.h, body.inertia);
  state.f = cross_force(state.V, rigid_momentum(body.mass, body.h, body.inertia, state.V));
}

// L D L^T of B_FF in place: L below the diagonal, 1/D on it. False if a pivot is not positive.
template <JointType kJoint, class T>
constexpr Truth<T> factor_free_block(Inertia6<T>& B) {
  constexpr int kSize = dof_count(kJoint);
  constexpr auto& kF = JointAxes<kJoint>::kFree;
  std::array<T, kSize> pivot;
  Truth<T> positive = true;
  unroll<kSize>([&](auto j) {
    constexpr int kJ = kF[j()];
    std::array<T, kSize> scaled;  // L_jp D_p
    T d = B.template at<kJ, kJ>();
    unroll<j()>([&](auto p) {
      const T& L_jp = B.template at<kJ, kF[p()]>();
      scaled[p()] = L_jp * pivot[p()];
      d = d - L_jp * scaled[p()];
    });
    pivot[j()] = d;
    positive = positive & (d > T(0));
    const T reciprocal = T(1) / d;
    unroll<kSize - 1 - j()>([&](auto offset) {
      constexpr int kI = kF[j() + 1 + offset()];
      T& entry = B.template at<kI, kJ>();
      T sum = entry;
      unroll<j()>([&](auto p) { sum = sum - B.template at<kI, kF[p()]>() * scaled[p()]; });
      entry = sum * reciprocal;
    });
    B.template at<kJ, kJ>() = reciprocal;
  });
  return positive;
}

// x := L^-1 x with the factor of B_FF.
template <JointType kJoint, class T, class Vector>
constexpr void solve_lower(const Inertia6<T>& B, Vector& x) {
  constexpr auto& kF = JointAxes<kJoint>::kFree;
  unroll<dof_count(kJoint)>([&](auto i) {
    unroll<i()>([&](auto p) { x[i()] = x[i()] - B.template at<kF[i()], kF[p()]>() * x[p()]; });
  });
}

// Second pass, children first. With B_FF = L D L^T, Z = L^-1 B_FN, u = L^-1 (tau - f_F):
//     W = D^-1 Z,   y = D^-1 u,   B_NN - Z^T W,   f_N + W^T u + (B_NN - Z^T W) c_N,
// the last two for the parent: B - B S (S^T B S)^-1 S^T B, and a wrench with tau on F.
template <JointType kJoint, bool kLoaded = false, class T>
constexpr Truth<T> eliminate(const BodyData<T>& body, const T* tau, BodyState<T>* parent,
                             BodyState<T>& state, const T* A = nullptr) {
  constexpr int kSize = dof_count(kJoint);
  Inertia6<T>& B = state.B;
  Spatial<T>& f = state.f;
  if constexpr (kLoaded && kMayBeGeared<kJoint>) {
    add_rotor<kJoint>(A[0], state);
  } else if constexpr (kLoaded) {
    for_free_axes<kJoint>([&](auto k, auto axis) { B(axis, axis) = B(axis, axis) + A[k()]; });
  }
  const Truth<T> positive = factor_free_block<kJoint>(B);

  std::array<T, kSize> u;
  for_free_axes<kJoint>([&](auto k, auto axis) { u[k()] = tau[k()] - f[axis]; });
  solve_lower<kJoint>(B, u);
  for_free_axes<kJoint>([&](auto k, auto axis) { f[axis] = u[k()] * B(axis, axis); });
  std::array<std::array<T, kSize>, 6> Z;  // a column for each constrained axis
  for_constrained_axes<kJoint>([&](auto, auto n) {
    for_free_axes<kJoint>([&](auto k, auto axis) { Z[n()][k()] = B(axis, n); });
    solve_lower<kJoint>(B, Z[n()]);
    for_free_axes<kJoint>([&](auto k, auto axis) { B(axis, n) = Z[n()][k()] * B(axis, axis); });
  });

  Inertia6<T> reduced{};
  Spatial<T> wrench{};
  for_constrained_axes<kJoint>([&](auto, auto i) {
    for_constrained_axes<kJoint>([&](auto, auto j) {
      if constexpr (i() <= j()) {
        T& sum = B(i, j);
        for_free_axes<kJoint>([&](auto k, auto axis) { sum = sum - Z[i()][k()] * B(axis, j); });
        reduced(i, j) = sum;
      }
    });
  });
  for_constrained_axes<kJoint>([&](auto, auto i) {
    T& sum = f[i];
    for_free_axes<kJoint>([&](auto k, auto axis) { sum = sum + B(axis, i) * u[k()]; });
    for_constrained_axes<kJoint>([&](auto, auto j) { sum = sum + reduced(i, j) * state.c[j]; });
    wrench[i] = sum;
  });
  if (parent == nullptr) return positive;
  for_free_axes<kJoint>([&](auto k, auto axis) { wrench[axis] = tau[k()]; });
  if constexpr (kLoaded && kMayBeGeared<kJoint>) {
    hand_on_rotor<kJoint>(A[0], state, reduced, wrench);
  } else if constexpr (kLoaded) {
    hand_on_soft<kJoint>(A, B, state.c, u, reduced, wrench);
  }
  if constexpr (kSize < 6 || kLoaded) {
    parent->B = parent->B + to_parent<kJoint, kLoaded>(body.X_PJ, state.pose, reduced);
  }
  parent->f = parent->f + to_parent<kJoint>(body.X_PJ, state.pose, wrench);
  return positive;
}

// Third pass, parents first: the joint's acceleration, the body's, and the wrench through the
// joint, whose constrained components are the multipliers lambda. The world accelerates with -g.
// `joint` holds tau and becomes vdot.
template <JointType kJoint, bool kLoaded = false, class T>
constexpr void resolve(const BodyData<T>& body, const Vec3<T>& gravity, const BodyState<T>* parent,
                       BodyState<T>& state, T* joint, const T* A = nullptr) {
  constexpr int kSize = dof_count(kJoint);
  constexpr auto& kF = JointAxes<kJoint>::kFree;
  const Inertia6<T>& B = state.B;
  Spatial<T>& f = state.f;
  const Spatial<T> above = parent != nullptr ? parent->V : Spatial<T>{-gravity, {}};
  const Spatial<T> carried = to_child<kJoint>(body.X_PJ, state.pose, above);
  Spatial<T> a = carried + state.c;

  // a_F = L^-T (y - W a_N)
  std::array<T, kSize> x;
  for_free_axes<kJoint>([&](auto k, auto axis) {
    x[k()] = f[axis];
    for_constrained_axes<kJoint>([&](auto, auto n) { x[k()] = x[k()] - B(axis, n) * a[n]; });
  });
  if constexpr (kLoaded && kMayBeGeared<kJoint>) {
    x[0] = x[0] + rotor_lead<kJoint>(A[0], state, carried.template at<kF[0]>());
  } else if constexpr (kLoaded) {
    const auto lead = soft_lead<kJoint>(B, A, a);
    for_free_axes<kJoint>([&](auto k, auto axis) { x[k()] = x[k()] - lead[k()] * B(axis, axis); });
    for_constrained_axes<kJoint>([&](auto, auto n) {
      for_free_axes<kJoint>([&](auto k, auto axis) { f[n] = f[n] - B(axis, n) * lead[k()]; });
    });
  }
  unroll<kSize>([&](auto reversed) {
    constexpr int kI = kSize - 1 - reversed();
    unroll<reversed()>([&](auto offset) {
      constexpr int kP = kI + 1 + offset();
      x[kI] = x[kI] - B.template at<kF[kP], kF[kI]>() * x[kP];
    });
  });
  for_free_axes<kJoint>([&](auto k, auto axis) {
    f[axis] = joint[k()];
    joint[k()] = x[k()] - a[axis];
    a[axis] = x[k()];
  });

  // B a + f with a_F put in: what was handed on, carried along
  for_constrained_axes<kJoint>([&](auto, auto i) {
    T& sum = f[i];
    for_constrained_axes<kJoint>([&](auto, auto j) { sum = sum + B(i, j) * carried[j]; });
  });
  if constexpr (kLoaded && kMayBeGeared<kJoint>) {
    take_rotor_out<kJoint>(A[0], carried, x[0], joint[0], state);
  } else if constexpr (kLoaded) {
    for_free_axes<kJoint>([&](auto k, auto axis) { f[axis] = f[axis] - A[k()] * joint[k()]; });
  }
  state.V = a;
}

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
