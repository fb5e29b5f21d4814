// Computed torque: inverse dynamics of the acceleration that leads back to the reference,
//   tau = M(q) (a_ref + kd (v_ref - v) + kp (q_ref - q)) + bias(q, v),
// so that with an exact model the error obeys e'' + kd e' + kp e = 0 in every joint. The reference
// stays within the joints' limits, the torque within the actuators'.
#pragma once

#include <algorithm>
#include <cstdint>

#include "lockstep/inverse_dynamics.hpp"
#include "lockstep/joint_space.hpp"
#include "loop/robot.hpp"
#include "loop/settings.hpp"

namespace lockstep::firmware {

template <class Model, class T>
class ComputedTorque {
 public:
  using View = typename Robot<Model, T>::View;
  using Configs = typename Problem<View, T>::Configs;
  using Dofs = typename Problem<View, T>::Dofs;

  struct Reference {
    Configs q;
    Dofs v, a;
  };

  explicit ComputedTorque(const Robot<Model, T>& robot)
      : robot_(robot),
        inverse_(robot.template make<InverseDynamics<Model, T>>()),
        in_(inverse_.make_input()),
        error_(in_.v),
        tau_(in_.v) {}

  Reference make_reference() const { return {in_.q, in_.v, in_.v}; }  // of the sizes of the model

  // tau: the torques of the tick before, and on return the new ones. On failure they stay.
  Status control(const Settings<View, T>& settings, const Configs& q, const Dofs& v,
                 Reference& reference, Dofs& tau) {
    bound(settings.limits, reference);
    Status status = difference(robot_.view(), q, reference.q, error_);
    if (status != Status::kOk) return status;
    in_.q = q;
    in_.v = v;
    for (Eigen::Index i = 0; i < v.size(); ++i) {
      in_.vdot[i] =
          reference.a[i] + settings.kd * (reference.v[i] - v[i]) + settings.kp * error_[i];
    }
    in_.gravity = settings.gravity;
    status = inverse_.inverse_dynamics(in_, tau_);
    if (status != Status::kOk) return status;
    limit(settings, tau, tau_);
    tau = tau_;
    return Status::kOk;
  }

  // Springs and dampers at every joint but a floating base, beside what holds the robot up:
  //   tau = g(q) + kp (q_ref - q) + kd (v_ref - v),   kp in N m/rad, kd in N m s/rad,
  // whatever the actuators' limits.
  Status hold(const Settings<View, T>& settings, const Configs& q, const Dofs& v,
              Reference& reference, Dofs& tau) {
    bound(settings.limits, reference);
    Status status = difference(robot_.view(), q, reference.q, error_);
    if (status == Status::kOk) status = inverse_.gravity_torque(q, settings.gravity, tau_);
    if (status != Status::kOk) return status;
    robot_.view().backward([&]<JointType kJoint>(int, const BodyData<T>& body) {
      for (int i = body.v; i < body.v + dof_count(kJoint); ++i) {
        const T pull = settings.kp * error_[i] + settings.kd * (reference.v[i] - v[i]);
        tau_[i] = kJoint == JointType::kFloating ? T(0) : tau_[i] + pull;
      }
    });
    tau = tau_;
    return Status::kOk;
  }

  // Cuts torques to the actuators' limits, given those of the tick before; returns how many.
  int limit(const Settings<View, T>& settings, const Dofs& before, Dofs& tau) {
    const int cut = firmware::limit(settings.limits, settings.dt, before, tau);
    limited_ += static_cast<std::uint32_t>(cut);
    return cut;
  }

  // Torques that were cut to the actuators' limits so far.
  std::uint32_t limited() const { return limited_; }

 private:
  // A joint of one degree of freedom stops at its limits; every rate stays within its own.
  void bound(const Limits<Dofs>& limits, Reference& reference) const {
    robot_.view().backward([&]<JointType kJoint>(int, const BodyData<T>& body) {
      if constexpr (kJoint == JointType::kRevolute || kJoint == JointType::kPrismatic) {
        T& q = reference.q[body.q];
        const T within = std::clamp(q, limits.lower[body.v], limits.upper[body.v]);
        if (within != q) reference.v[body.v] = reference.a[body.v] = T(0);
        q = within;
      }
    });
    for (Eigen::Index i = 0; i < reference.v.size(); ++i) {
      reference.v[i] = std::clamp(reference.v[i], -limits.velocity[i], limits.velocity[i]);
    }
  }

  const Robot<Model, T>& robot_;
  InverseDynamics<Model, T> inverse_;
  typename InverseDynamics<Model, T>::Input in_;
  Dofs error_, tau_;
  std::uint32_t limited_ = 0;
};

}  // namespace lockstep::firmware
