// Inverse dynamics: (q, v, vdot) -> the efforts tau that cause it, by Newton and Euler's equations
// body after body (Luh, Walker, Paul 1980), in body frames. Damping and springs are part of it, so
// that forward dynamics undoes it: vdot -> tau -> vdot. Without motion it gives what holds the
// robot up.
// Joints that are tied move as one, and only the sum of ratio * tau over them counts: all of it is
// asked of the leader, nothing of its followers, and of the vdot handed in the leader's counts.
// Loops and couplings that are rows are not looked at: of the many efforts that cause a motion
// which obeys them, tau is the one that leaves them without force.
// Cost: two passes over the bodies, the same instructions for every input.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
#include <cstddef>

#include "lockstep/border.hpp"
#include "lockstep/passes.hpp"
#include "lockstep/problem.hpp"

namespace lockstep {

// Model: a struct that `lockstep compile` emitted, or a TableModel<T, capacity>. T: a plain number.
template <class Model, class T = double>
class InverseDynamics : private Problem<typename ViewOf<Model, T>::Type, T> {
 public:
  using View = typename ViewOf<Model, T>::Type;
  using typename Problem<View, T>::Configs;
  using typename Problem<View, T>::Dofs;
  using typename Problem<View, T>::Gravity;
  using typename Problem<View, T>::Wrenches;
  using Problem<View, T>::Problem;
  using Problem<View, T>::make_wrenches;

  struct Input {
    Configs q;
    Dofs v, vdot;
    Gravity gravity;  // m/s^2, in the world
  };

  // At rest in the zero pose, the earth's gravity.
  Input make_input() const {
    const auto rest = Problem<View, T>::make_input();
    return {rest.q, rest.v, rest.v, rest.gravity};
  }
  Dofs make_output() const { return Dofs::Zero(this->model().counts().v); }

  // Returns a status; on any but kOk tau is as it was.
  [[nodiscard]] Status inverse_dynamics(const Input& in, Dofs& tau) {
    return run<true>(in.q, &in.v, &in.vdot, in.gravity, nullptr, tau);
  }

  // The same with a wrench on every body: force and moment at its link's origin, in link axes.
  [[nodiscard]] Status inverse_dynamics(const Input& in, const Wrenches& external, Dofs& tau) {
    return run<true>(in.q, &in.v, &in.vdot, in.gravity, &external, tau);
  }

  // The efforts that hold the robot still.
  [[nodiscard]] Status gravity_torque(const Configs& q, const Gravity& gravity, Dofs& tau) {
    return run<false>(q, nullptr, nullptr, gravity, nullptr, tau);
  }

 private:
  struct State {
    JointPose<T> pose;
    Spatial<T> V, a;  // twist; acceleration, gravity subtracted
    Spatial<T> f;     // the wrench that the joint passes to the body
  };

  template <bool kMoving>
  Status run(const Configs& q, const Dofs* v, const Dofs* vdot, const Gravity& gravity,
             const Wrenches* external, Dofs& tau) {
    const View& model = this->model();
    const Counts counts = model.counts();
    bool fits = q.size() == counts.q && tau.size() == counts.v;
    if constexpr (kMoving) fits = fits && v->size() == counts.v && vdot->size() == counts.v;
    if (external != nullptr) fits = fits && external->cols() == model.body_count();
    if (!fits) return Status::kWrongSize;

    Border<T> border = check_configuration<T>(model, q.data());
    const auto look = [&](const auto& values) {
      border.finite &= all_finite(values.data(), static_cast<int>(values.size()));
    };
    look(gravity);
    if constexpr (kMoving) look(*v), look(*vdot);
    if (external != nullptr) look(*external);
    if (!border.passed()) return border.status(0);

    // motions, parents first; the world accelerates with -g
    const Spatial<T> world = {{-gravity[0], -gravity[1], -gravity[2]}, {}};
    model.backward([&]<JointType kJoint>(int i, const BodyData<T>& body) {
      State& state = at(i);
      const bool grounded = body.parent == kWorld;
      set_pose<kJoint>(body.X_PJ, q.data() + body.q, state.pose);
      const Spatial<T>& above = grounded ? world : at(body.parent).a;
      state.a = to_child<kJoint>(body.X_PJ, state.pose, above);
      if constexpr (kMoving) {
        const T* rate = v->data() + body.v;
        state.V =
            grounded ? Spatial<T>{} : to_child<kJoint>(body.X_PJ, state.pose, at(body.parent).V);
        add_joint_motion<kJoint>(state.V, rate);
        state.a = state.a + joint_bias<kJoint>(state.V, rate);
        T led;
        const T* change = vdot->data() + body.v;
        if constexpr (View::kHasRotors && kMayBeGeared<kJoint>) {
          if (body.leader != kNone) {
            led = body.ratio * (*vdot)[leader_of(body).v];
            change = &led;
          }
        }
        add_joint_motion<kJoint>(state.a, change);
      }
      state.f = rigid_momentum(body.mass, body.h, body.inertia, state.a);
      if constexpr (kMoving) {
        state.f = state.f +
                  cross_force(state.V, rigid_momentum(body.mass, body.h, body.inertia, state.V));
      }
      if (external != nullptr) state.f = state.f - link_to_body(body, external->data() + 6 * i);
    });

    // wrenches, children first
    model.forward([&]<JointType kJoint>(int i, const BodyData<T>& body) {
      const State& state = at(i);
      for_free_axes<kJoint>([&](auto k, auto axis) {
        T& effort = tau_[static_cast<std::size_t>(body.v + k())];
        effort = state.f[axis];
        if constexpr (kMoving) effort = effort + body.damping * (*v)[body.v + k()];
        if constexpr (View::kHasSprings && dof_count(kJoint) == 1) {
          if (body.stiffness != T(0)) effort = effort + body.stiffness * (q[body.q] - body.rest);
        }
      });
      if constexpr (kMoving && View::kHasRotors && kMayBeGeared<kJoint>) {
        if (body.geared) add_rotor(body, (*v)[body.v], (*vdot)[body.v]);
      }
      if (body.parent == kWorld) return;
      State& parent = at(body.parent);
      parent.f = parent.f + to_parent<kJoint>(body.X_PJ, state.pose, state.f);
    });
    if constexpr (View::kHasRotors) hand_to_leaders();
    if (!all_finite(tau_.data(), counts.v)) return Status::kOverflow;
    for (int i = 0; i < counts.v; ++i) tau[i] = tau_[static_cast<std::size_t>(i)];
    return Status::kOk;
  }

  // What rotors need of the joint's effort, and what they leave to the parent (lockstep/rotor.hpp).
  void add_rotor(const BodyData<T>& body, const T& v, const T& vdot) {
    T& effort = tau_[static_cast<std::size_t>(body.v)];
    effort = effort + body.armature * vdot;
    if (body.parent == kWorld) return;  // which does not turn
    State& parent = at(body.parent);
    const Vec3<T> spin = body.X_PJ.R * body.spin;
    effort = effort + dot(spin, parent.a.angular);
    parent.f.angular = parent.f.angular + (spin * vdot + cross(parent.V.angular, spin) * v);
  }

  // Of joints that are tied, the leader's effort does what all of them would.
  void hand_to_leaders() {
    this->model().backward([&]<JointType kJoint>(int, const BodyData<T>& body) {
      if (body.leader == kNone) return;
      T &effort = tau_[static_cast<std::size_t>(body.v)],
        &lead = tau_[static_cast<std::size_t>(leader_of(body).v)];
      lead = lead + body.ratio * effort;
      effort = T(0);
    });
  }

  const BodyData<T>& leader_of(const BodyData<T>& body) const {
    return this->model().bodies()[static_cast<std::size_t>(body.leader)];
  }
  State& at(int i) { return states_[static_cast<std::size_t>(i)]; }

  std::array<State, static_cast<std::size_t>(View::kMaxBodies)> states_;
  std::array<T, static_cast<std::size_t>(View::kMaxDofs)> tau_;
};

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
