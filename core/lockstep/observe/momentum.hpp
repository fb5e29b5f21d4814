// The generalized momentum p = M v and what changes it beside the motors: C^T v - g, damping and
// springs. With H the momentum of a body and all that it carries, in its own axes, and W the weight
// of the same, d/dt H + V x* H is the wrench through its joint and W, so that on the free motions S
//     p = S^T H,   d/dt p = tau + S^T (W - V x* H) - damping - springs,
// exactly, for joints of any kind; no matrix C is formed. Rotors by lockstep/rotor.hpp.
// Cost: two passes over the bodies, the same instructions for every input.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>

#include "lockstep/border.hpp"
#include "lockstep/problem.hpp"

namespace lockstep {

// Model: as for Solver. T: a plain number. Of joints that are tied, the leader has all of it.
template <class Model, class T = double>
class GeneralizedMomentum : private Problem<typename ViewOf<Model, T>::Type, T> {
 public:
  using View = typename ViewOf<Model, T>::Type;
  using typename Problem<View, T>::Configs;
  using typename Problem<View, T>::Dofs;
  using typename Problem<View, T>::Gravity;
  using Problem<View, T>::Problem;

  struct Output {
    Dofs p;      // kg m^2/s or kg m/s
    Dofs force;  // N m or N: d/dt p less tau and what comes from outside
  };
  Output make_output() const {
    return {Dofs::Zero(this->model().counts().v), Dofs::Zero(this->model().counts().v)};
  }

  // On any status but kOk the output is as it was.
  [[nodiscard]] Status momentum(const Configs& q, const Dofs& v, const Gravity& gravity,
                                Output& out) {
    const View& model = this->model();
    const Counts counts = model.counts();
    if (q.size() != counts.q || v.size() != counts.v || out.p.size() != counts.v ||
        out.force.size() != counts.v) {
      return Status::kWrongSize;
    }
    Border<T> border = check_configuration<T>(model, q.data());
    border.finite &= all_finite(v.data(), counts.v) && all_finite(gravity.data(), 3);
    if (!border.passed()) return border.status(0);

    // motions, parents first
    const Vec3<T> world = {gravity[0], gravity[1], gravity[2]};
    model.backward([&]<JointType kJoint>(int i, const BodyData<T>& body) {
      State& own = states_[at(i)];
      const bool grounded = body.parent == kWorld;
      set_pose<kJoint>(body.X_PJ, q.data() + body.q, own.pose);
      const Spatial<T> above = grounded ? Spatial<T>{} : states_[at(body.parent)].V;
      const Vec3<T>& pull = grounded ? world : states_[at(body.parent)].gravity;
      own.V = to_child<kJoint>(body.X_PJ, own.pose, above);
      own.gravity = to_child<kJoint>(body.X_PJ, own.pose, Spatial<T>{pull, {}}).linear;
      add_joint_motion<kJoint>(own.V, v.data() + body.v);
      own.H = rigid_momentum(body.mass, body.h, body.inertia, own.V);
      own.W = rigid_momentum(body.mass, body.h, body.inertia, Spatial<T>{own.gravity, {}});
    });

    // what bodies carry, children first
    model.forward([&]<JointType kJoint>(int i, const BodyData<T>& body) {
      const State& own = states_[at(i)];
      const Spatial<T> turning = cross_force(own.V, own.H);
      for_free_axes<kJoint>([&](auto k, auto axis) {
        const int dof = body.v + k();
        p_[at(dof)] = own.H[axis];
        T force = own.W[axis] - turning[axis];
        force = force - body.damping * v[dof];
        if constexpr (View::kHasSprings && dof_count(kJoint) == 1) {
          if (body.stiffness != T(0)) force = force - body.stiffness * (q[body.q] - body.rest);
        }
        force_[at(dof)] = force;
      });
      if (body.parent == kWorld) {
        if constexpr (View::kHasRotors && dof_count(kJoint) == 1) {
          if (body.geared) add_to(p_[at(body.v)], body.armature * v[body.v]);
        }
        return;
      }
      State& parent = states_[at(body.parent)];
      if constexpr (View::kHasRotors && dof_count(kJoint) == 1) {
        if (body.geared) {
          const Vec3<T> spin = body.X_PJ.R * body.spin;
          add_to(p_[at(body.v)], body.armature * v[body.v] + dot(spin, parent.V.angular));
          parent.H.angular = parent.H.angular + spin * v[body.v];
        }
      }
      parent.H = parent.H + to_parent<kJoint>(body.X_PJ, own.pose, own.H);
      parent.W = parent.W + to_parent<kJoint>(body.X_PJ, own.pose, own.W);
    });
    if constexpr (View::kHasRotors) hand_to_leaders();
    if (!all_finite(p_.data(), counts.v) || !all_finite(force_.data(), counts.v)) {
      return Status::kOverflow;
    }
    for (int i = 0; i < counts.v; ++i) out.p[i] = p_[at(i)], out.force[i] = force_[at(i)];
    return Status::kOk;
  }

 private:
  struct State {
    JointPose<T> pose;
    Vec3<T> gravity;  // in B
    Spatial<T> V;
    Spatial<T> H, W;  // of the body, then of all that it carries
  };
  static void add_to(T& sum, const T& x) { sum = sum + x; }

  void hand_to_leaders() {
    const View& model = this->model();
    model.backward([&]<JointType kJoint>(int, const BodyData<T>& body) {
      if (body.leader == kNone) return;
      const int leader = model.bodies()[at(body.leader)].v;
      for (auto* values : {&p_, &force_}) {
        T& own = (*values)[at(body.v)];
        add_to((*values)[at(leader)], body.ratio * own);
        own = T(0);
      }
    });
  }

  std::array<State, static_cast<std::size_t>(View::kMaxBodies)> states_ = {};
  std::array<T, static_cast<std::size_t>(View::kMaxDofs)> p_ = {}, force_ = {};
};

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
