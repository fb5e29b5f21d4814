// Null-space elimination of a body and the constraint above it, in three passes over the tree.
// With B the body's block of H, S the joint's free motions and Phi its constraint forces,
//     Phi (Phi^T B^-1 Phi)^-1 Phi^T = B - B S (S^T B S)^-1 S^T B,
// so the pair (Baraff, appendix A) is eliminated by factoring the small block S^T B S alone.
// In body frames S and Phi are coordinate axes: subscripts F (free) and N (the others) below.
#pragma once

#include "lockstep/body_data.hpp"
#include "lockstep/joint.hpp"

namespace lockstep {

// The workspace of one body. Later passes reuse what earlier ones no longer need.
template <class T>
struct BodyState {
  JointPose<T> pose;
  Spatial<T> V;   // twist; after `resolve` the acceleration, gravity subtracted
  Spatial<T> c;   // V x S v
  Spatial<T> f;   // bias wrench; f_F after `eliminate`: tau - f_F; after `resolve` the wrench
                  // that the joint passes to the body
  Inertia6<T> B;  // the body's block of H; B_FF after `eliminate`: its LDL^T factor
};

// First pass, parents first: placement, twist, and the body's own part of H and of the right side.
template <JointType kJoint, class T>
constexpr void advance(const BodyData<T>& body, const T* q, const T* v, const BodyState<T>* parent,
                       BodyState<T>& state) {
  set_pose<kJoint>(body.X_PJ, q, state.pose);
  state.V = parent != nullptr ? to_child<kJoint>(body.X_PJ, state.pose, parent->V) : Spatial<T>{};
  add_joint_motion<kJoint>(state.V, v);
  state.c = joint_bias<kJoint>(state.V, v);
  state.B = rigid_inertia(body.mass, body.h, body.I);
  state.f = cross_force(state.V, rigid_momentum(body.mass, body.h, body.I, state.V));
}

// L D L^T of B_FF in place: L below the diagonal, 1/D on it. False if a pivot is not positive.
template <JointType kJoint, class T>
constexpr bool factor_free_block(Inertia6<T>& B) {
  constexpr int kSize = dof_count(kJoint);
  constexpr auto& kF = JointAxes<kJoint>::kFree;
  std::array<T, kSize> pivot;
  bool positive = true;
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

// Second pass, children first: factors the joint's free block, then hands the parent
//     B - B S (S^T B S)^-1 S^T B   and   f_N + B_NF B_FF^-1 (tau - f_F) + B_NN' c_N,  tau on F.
template <JointType kJoint, class T>
constexpr bool eliminate(const BodyData<T>& body, const T* tau, BodyState<T>* parent,
                         BodyState<T>& state) {
  constexpr int kSize = dof_count(kJoint);
  Inertia6<T>& B = state.B;
  const bool positive = factor_free_block<kJoint>(B);
  for_free_axes<kJoint>([&](auto k, auto axis) {
    state.f.template at<axis()>() = tau[k()] - state.f.template at<axis()>();
  });
  if (parent == nullptr) return positive;
  if constexpr (kSize == 6) {  // nothing is held: the parent feels the effort alone
    const Spatial<T> effort = {{tau[0], tau[1], tau[2]}, {tau[3], tau[4], tau[5]}};
    parent->f = parent->f + to_parent<kJoint>(body.X_PJ, state.pose, effort);
    return positive;
  }

  // u = L^-1 (tau - f_F); Z = L^-1 B_FN, a column for each constrained axis; W = D^-1 Z
  std::array<T, kSize> u;
  for_free_axes<kJoint>([&](auto k, auto axis) { u[k()] = state.f.template at<axis()>(); });
  solve_lower<kJoint>(B, u);
  std::array<std::array<T, kSize>, 6> Z, W;
  for_constrained_axes<kJoint>([&](auto, auto n) {
    auto& column = Z[n()];
    for_free_axes<kJoint>([&](auto k, auto axis) { column[k()] = B.template at<axis(), n()>(); });
    solve_lower<kJoint>(B, column);
    for_free_axes<kJoint>(
        [&](auto k, auto axis) { W[n()][k()] = column[k()] * B.template at<axis(), axis()>(); });
  });

  Inertia6<T> reduced{};
  Spatial<T> wrench{};
  for_free_axes<kJoint>([&](auto k, auto axis) { wrench.template at<axis()>() = tau[k()]; });
  for_constrained_axes<kJoint>([&](auto, auto i) {
    for_constrained_axes<kJoint>([&](auto, auto j) {
      if constexpr (i() <= j()) {
        T sum = B.template at<i(), j()>();
        unroll<kSize>([&](auto k) { sum = sum - Z[i()][k()] * W[j()][k()]; });
        reduced.template at<i(), j()>() = sum;
      }
    });
  });
  for_constrained_axes<kJoint>([&](auto, auto i) {
    T sum = state.f.template at<i()>();
    unroll<kSize>([&](auto k) { sum = sum + W[i()][k()] * u[k()]; });
    for_constrained_axes<kJoint>([&](auto, auto j) {
      sum = sum + reduced.template at<i(), j()>() * state.c.template at<j()>();
    });
    wrench.template at<i()>() = sum;
  });
  parent->B = parent->B + to_parent<kJoint>(body.X_PJ, state.pose, reduced);
  parent->f = parent->f + to_parent<kJoint>(body.X_PJ, state.pose, wrench);
  return positive;
}

// Third pass, parents first: the joint's acceleration, the body's, and the wrench through the
// joint, whose constrained components are the multipliers lambda. The world accelerates with -g.
// `joint` holds tau and becomes vdot.
template <JointType kJoint, class T>
constexpr void resolve(const BodyData<T>& body, const Vec3<T>& gravity, const BodyState<T>* parent,
                       BodyState<T>& state, T* joint) {
  constexpr int kSize = dof_count(kJoint);
  constexpr auto& kF = JointAxes<kJoint>::kFree;
  const Inertia6<T>& B = state.B;
  const Spatial<T> above = parent != nullptr ? parent->V : Spatial<T>{-gravity, {}};
  Spatial<T> a = to_child<kJoint>(body.X_PJ, state.pose, above) + state.c;

  // a_F = B_FF^-1 (tau - f_F - B_FN a_N)
  std::array<T, kSize> x;
  for_free_axes<kJoint>([&](auto k, auto axis) {
    x[k()] = state.f.template at<axis()>();
    for_constrained_axes<kJoint>([&](auto, auto n) {
      x[k()] = x[k()] - B.template at<axis(), n()>() * a.template at<n()>();
    });
  });
  solve_lower<kJoint>(B, x);
  for_free_axes<kJoint>(
      [&](auto k, auto axis) { x[k()] = x[k()] * B.template at<axis(), axis()>(); });
  unroll<kSize>([&](auto reversed) {
    constexpr int kI = kSize - 1 - reversed();
    unroll<reversed()>([&](auto offset) {
      constexpr int kP = kI + 1 + offset();
      x[kI] = x[kI] - B.template at<kF[kP], kF[kI]>() * x[kP];
    });
  });
  for_free_axes<kJoint>([&](auto k, auto axis) {
    state.f.template at<axis()>() = joint[k()];
    joint[k()] = x[k()] - a.template at<axis()>();
    a.template at<axis()>() = x[k()];
  });

  for_constrained_axes<kJoint>([&](auto, auto n) {
    T sum = state.f.template at<n()>();
    unroll<6>([&](auto j) { sum = sum + B.template at<n(), j()>() * a.template at<j()>(); });
    state.f.template at<n()>() = sum;
  });
  state.V = a;
}

}  // namespace lockstep
