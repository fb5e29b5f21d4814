// Implicit joints. A damper d taken at the end of a step, a spring k after a time h of it,
//     tau - d (v + dt vdot) - k (q + h v + h^2 vdot - rest),
// are efforts known at its start and P = dt d + h^2 k in front of vdot: an inertia P on the joint's
// pivot S^T B S, as a rotor's (rotor.hpp), and the same factorization. With h = dt (Euler) a
// passive joint takes energy at any stiffness, with h = dt/2 (midpoint) a spring keeps it. A drive
// is a spring and a damper too, whose efforts at the start are in tau already. P is added where it
// is not zero, the bits of others stay.
// For joints of several coordinates, on all axes, with B_FF + P = L D L^T and Z_F = -L^-1 P,
//     a_F = L^-T (y - W a_N - W_F a_F),   W_F = D^-1 Z_F,
// and the parent receives the block B_NN + P less Z^T W of all six axes: F are axes like N.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>

#include "lockstep/body_data.hpp"
#include "lockstep/joint.hpp"
#include "lockstep/lanes.hpp"

namespace lockstep {

// Whether it is known to be zero, in all lanes. A scalar that records has its own answer.
template <class T>
constexpr bool is_exact_zero(const T& x) {
  return all(x == T(0));
}

// Of drives, in the places of v, or null where there are none. With tau what they do at the start
// of a step, in it they do what they would at its end, tau - dt kp v' - kd (v' - v), which tau then
// becomes.
template <class T>
struct DriveGains {
  const T *kp = nullptr, *kd = nullptr;
};

// Of a step; all zero: joints as they are.
template <class T>
struct Implicit {
  T dt{}, h{};
  DriveGains<T> drives = {};
};

// P of every joint, in the places of v; a follower's goes to its leader.
template <class View, class T>
constexpr void set_added_inertia(const View& model, const Implicit<T>& step, T* added) {
  const T dt = step.dt, h2 = step.h * step.h;
  const T *kp = step.drives.kp, *kd = step.drives.kd;
  const auto set = [&](const BodyData<T>& body, int dofs) {
    T own = dt * body.damping;
    if constexpr (View::kHasSprings) own = own + h2 * body.stiffness;
    const bool follows = body.leader != kNone;
    for (int i = body.v; i < body.v + dofs; ++i) {
      const T P = kp != nullptr ? own + dt * (kd[i] + dt * kp[i]) : own;
      added[i] = follows ? T(0) : P;
      if (!follows) continue;
      T& leader = added[model.bodies()[at(body.leader)].v];
      leader = leader + body.ratio * body.ratio * P;
    }
  };
  if constexpr (View::kIsStatic) {  // body by body, each a few constants
    model.backward([&]<JointType kJoint>(int, const BodyData<T>& body) {
      set(body, dof_count(kJoint));
    });
  } else {
    for (const BodyData<T>& body : model.bodies()) set(body, dof_count(body.joint));
  }
}

// What springs do after a time h at velocities v, and how efforts of drives change in the step.
template <class View, class T>
constexpr void add_springs(const View& model, const Implicit<T>& step, const T* q, const T* v,
                           T* effort) {
  if constexpr (View::kHasSprings) {
    for (const BodyData<T>& body : model.bodies()) {
      if (is_exact_zero(body.stiffness)) continue;
      T& own = effort[body.v];
      own = own - body.stiffness * ((q[body.q] + step.h * v[body.v]) - body.rest);
    }
  }
  const T* kp = step.drives.kp;
  for (int i = 0; kp != nullptr && i < model.counts().v; ++i) {
    effort[i] = effort[i] - kp[i] * (step.dt * v[i]);
  }
}

// What drives did in a step from velocities v to `next`.
template <class T, class Dofs>
constexpr void follow(const Implicit<T>& step, const Dofs& v, const Dofs& next, Dofs& tau) {
  const auto& [kp, kd] = step.drives;
  for (int i = 0; kp != nullptr && i < static_cast<int>(tau.size()); ++i) {
    tau[i] = tau[i] - (kp[i] * (step.dt * next[i]) + kd[i] * (next[i] - v[i]));
  }
}

// The same of one joint at its place.
template <JointType kJoint, class T>
constexpr void add_spring(const BodyData<T>& body, const T* q, T* effort) {
  if constexpr (dof_count(kJoint) == 1) {
    if (is_exact_zero(body.stiffness)) return;
    effort[0] = effort[0] - body.stiffness * (q[0] - body.rest);
  }
}

// tau with the dampers of velocities v where those of v_m will be taken off: what an implicit step
// does with velocities of its middle.
template <class View, class Dofs>
constexpr void set_efforts_at_start(const View& model, const Dofs& tau, const Dofs& v,
                                    const Dofs& v_m, Dofs& result) {
  for (const auto& body : model.bodies()) {
    for (int i = body.v; i < body.v + dof_count(body.joint); ++i) {
      result[i] = tau[i] + body.damping * (v_m[i] - v[i]);
    }
  }
}

template <JointType kJoint, class T>
using FreeColumns = std::array<std::array<T, dof_count(kJoint)>, dof_count(kJoint)>;

// Z_F, a column for each free axis.
template <JointType kJoint, class T>
constexpr FreeColumns<kJoint, T> soft_columns(const Inertia6<T>& B, const T* P) {
  constexpr int kSize = dof_count(kJoint);
  constexpr auto& kF = JointAxes<kJoint>::kFree;
  FreeColumns<kJoint, T> Z{};
  unroll<kSize>([&](auto f) {
    Z[f()][f()] = -P[f()];
    unroll<kSize - 1 - f()>([&](auto offset) {
      constexpr int kI = f() + 1 + offset();
      unroll<kI - f()>([&](auto p) {
        constexpr int kP = f() + p();
        Z[f()][kI] = Z[f()][kI] - B.template at<kF[kI], kF[kP]>() * Z[f()][kP];
      });
    });
  });
  return Z;
}

// Z_F a_F
template <JointType kJoint, class T>
constexpr std::array<T, dof_count(kJoint)> soft_lead(const Inertia6<T>& B, const T* P,
                                                     const Spatial<T>& a) {
  const FreeColumns<kJoint, T> Z = soft_columns<kJoint>(B, P);
  std::array<T, dof_count(kJoint)> lead{};
  for_free_axes<kJoint>([&](auto f, auto axis) {
    for_free_axes<kJoint>([&](auto k, auto) { lead[k()] = lead[k()] + Z[f()][k()] * a[axis]; });
  });
  return lead;
}

// W_F^T u
template <JointType kJoint, class T>
constexpr std::array<T, dof_count(kJoint)> soft_share(const Inertia6<T>& B, const T* P,
                                                      const std::array<T, dof_count(kJoint)>& u) {
  const FreeColumns<kJoint, T> Z = soft_columns<kJoint>(B, P);
  std::array<T, dof_count(kJoint)> share{};
  for_free_axes<kJoint>([&](auto f, auto) {
    for_free_axes<kJoint>([&](auto k, auto axis) {
      share[f()] = share[f()] + Z[f()][k()] * (u[k()] * B(axis, axis));
    });
  });
  return share;
}

// What the parent receives on F, and of c on F. The block of the constrained axes is there already,
// and so are tau and W_N^T u in the wrench.
template <JointType kJoint, class T>
constexpr void hand_on_soft(const T* P, const Inertia6<T>& B, const Spatial<T>& c,
                            const std::array<T, dof_count(kJoint)>& u, Inertia6<T>& reduced,
                            Spatial<T>& wrench) {
  const FreeColumns<kJoint, T> Z = soft_columns<kJoint>(B, P);
  const auto share = soft_share<kJoint>(B, P, u);
  for_free_axes<kJoint>([&](auto f, auto axis) {
    for_constrained_axes<kJoint>([&](auto, auto n) {
      T sum{};
      for_free_axes<kJoint>([&](auto k, auto other) { sum = sum - Z[f()][k()] * B(other, n); });
      reduced(axis, n) = sum;
    });
    for_free_axes<kJoint>([&](auto g, auto across) {
      if constexpr (f() <= g()) {
        T sum = f() == g() ? P[f()] : T(0);
        for_free_axes<kJoint>(
            [&](auto k, auto other) { sum = sum - Z[f()][k()] * (Z[g()][k()] * B(other, other)); });
        reduced(axis, across) = sum;
      }
    });
  });
  for_free_axes<kJoint>([&](auto f, auto axis) {
    wrench[axis] = wrench[axis] + share[f()];
    unroll<6>([&](auto j) { wrench[axis] = wrench[axis] + reduced(axis, j) * c[j]; });
    for_constrained_axes<kJoint>(
        [&](auto, auto n) { wrench[n] = wrench[n] + reduced(axis, n) * c[axis]; });
  });
}

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
