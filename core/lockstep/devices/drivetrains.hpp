// The drivetrains of a robot, one a body; of joints with several coordinates nothing is read.
//   drive(v, command, dt)      before a step: tau, gains and dry frictions of it
//   follow(v, tau, dt)         after it
// Between them any stepper that takes DriveGains moves the robot; a BoundedStepper also takes the
// frictions, as its bounds, and then they hold joints still; add_smooth_friction is for the others.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <span>

#include "lockstep/devices/drivetrain.hpp"
#include "lockstep/implicit.hpp"
#include "lockstep/problem.hpp"

namespace lockstep {

// Model: as for Solver. T: a plain number.
template <class Model, class T = double>
class Drivetrains : private Problem<typename ViewOf<Model, T>::Type, T> {
 public:
  using View = typename ViewOf<Model, T>::Type;
  using typename Problem<View, T>::Dofs;
  using Problem<View, T>::Problem;

  // One a body, kept by the caller; their states start at rest. On any but kOk nothing changes.
  Status set(std::span<const Drivetrain<T>> trains) {
    const View& model = this->model();
    if (static_cast<int>(trains.size()) != model.body_count()) return Status::kWrongSize;
    for (const Drivetrain<T>& train : trains) {
      if (const Status status = train.check(); status != Status::kOk) return status;
    }
    trains_ = trains;
    for (DrivetrainState<T>& state : states_) state = {};
    const int dofs = model.counts().v;
    tau_ = kp_ = kd_ = friction_ = Dofs::Zero(dofs);
    passes_ = true;
    return Status::kOk;
  }
  // Where the motors' sides are at rest, springs without stretch.
  void reset() {
    for (DrivetrainState<T>& state : states_) state = {};
  }
  // Of a robot that moves already.
  void start(const Dofs& v) {
    reset();
    each([&](int i, int dof) { states_[at(i)].rate = v[dof]; });
  }

  // Efforts and gains of a step of dt from velocities v, under commands that arrive at its start.
  Status drive(const Dofs& v, const Dofs& command, const T& dt) {
    const int dofs = this->model().counts().v;
    if (v.size() != dofs || command.size() != dofs || tau_.size() != dofs)
      return Status::kWrongSize;
    if (!is_finite(dt) || !(dt > T(0))) return Status::kBadTimeStep;
    if (!all_finite(v.data(), dofs) || !all_finite(command.data(), dofs)) return Status::kNotFinite;
    tau_ = command;
    passes_ = true;
    each([&](int i, int dof) {
      const JointEffort<T> own =
          lockstep::drive(trains_[at(i)], states_[at(i)], T(command[dof]), T(v[dof]), dt);
      // with nothing to be implicit in, the effort has its bits
      tau_[dof] = own.gain == T(0) ? own.effort : own.effort - own.gain * v[dof];
      kd_[dof] = own.gain;
      friction_[dof] = own.friction;
      passes_ = passes_ && own.gain == T(0);
    });
    return Status::kOk;
  }
  void add_smooth_friction(const Dofs& v, const T& knee) {
    each([&](int, int dof) {
      if (friction_[dof] > T(0)) {
        tau_[dof] = tau_[dof] + smooth_friction(T(friction_[dof]), T(v[dof]), knee);
      }
    });
  }

  // Moves the motors' sides on by a step: velocities at its end, and what acted in it, which
  // steppers with gains leave in state.tau.
  void follow(const Dofs& v, const Dofs& tau, const T& dt) {
    each([&](int i, int dof) {
      lockstep::follow(trains_[at(i)], states_[at(i)], T(tau[dof]), T(v[dof]), dt);
    });
  }

  // Of the step to come, in the places of v: for a stepper's state.tau, and as its drives.
  const Dofs& tau() const { return tau_; }
  const Dofs& friction() const { return friction_; }
  T friction_of(int body) const { return friction_[this->model().bodies()[at(body)].v]; }
  DriveGains<T> gains() const {
    return passes_ ? DriveGains<T>{} : DriveGains<T>{kp_.data(), kd_.data()};
  }
  const DrivetrainState<T>& state(int body) const { return states_[at(body)]; }
  // Position of the motor's side, as the joint has it where it is rigid.
  T motor_position(int body, const T& q) const {
    return trains_[at(body)].is_elastic() ? q + states_[at(body)].stretch : q;
  }

 private:
  template <class F>
  void each(F&& f) {
    const auto bodies = this->model().bodies();
    for (int i = 0; i < static_cast<int>(trains_.size()); ++i) {
      const BodyData<T>& body = bodies[at(i)];
      if (dof_count(body.joint) == 1 && body.leader == kNone) f(i, body.v);
    }
  }

  std::span<const Drivetrain<T>> trains_;
  std::array<DrivetrainState<T>, static_cast<std::size_t>(View::kMaxBodies)> states_ = {};
  Dofs tau_, kp_, kd_, friction_;
  bool passes_ = true;  // nothing that a step would be implicit in
};

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
