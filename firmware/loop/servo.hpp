// The loop of a robot with motors: each tick reads, judges, estimates, computes, limits, and hands
// back torques. What is stale, not finite or beyond limits is a status, and no torque comes of it.
#pragma once

#include <array>
#include <cstdint>

#include "lockstep/border.hpp"
#include "loop/computed_torque.hpp"
#include "loop/trajectory.hpp"

namespace lockstep::firmware {

// A law of the user's own is a class like this one: torques for a measured state and a reference,
// before limits.
struct NoLaw {
  template <class Settings, class Configs, class Dofs, class Reference>
  Status operator()(const Settings&, const Configs&, const Dofs&, const Reference&, Dofs&) {
    return Status::kUnknownMessage;
  }
};

template <class Model, class T, class OwnLaw = NoLaw>
class Servo {
 public:
  using View = typename Robot<Model, T>::View;
  using Law = ComputedTorque<Model, T>;
  using Dofs = typename Law::Dofs;
  using Configs = typename Law::Configs;

  struct Incoming {  // where messages may be unpacked
    typename Law::Configs q;
    Dofs v, a, stiffness, damping;
  };

  explicit Servo(const Robot<Model, T>& robot)
      : robot_(robot), law_(robot), reference_(law_.make_reference()), goal_(reference_) {
    incoming_.q = q_ = reference_.q;
    incoming_.v = incoming_.a = v_ = filtered_ = reference_.v;
    incoming_.stiffness = incoming_.damping = stiffness_ = damping_ = reference_.v;
    torque_ = Dofs::Zero(v_.size());
    hold_at_ = q_;
  }

  Incoming& incoming() { return incoming_; }
  Configs& measured_q() { return q_; }
  Dofs& measured_v() { return v_; }
  const Configs& q() const { return q_; }
  const Dofs& v() const { return filtered_; }
  const Dofs& torque() const { return torque_; }
  std::uint32_t limited() const { return law_.limited(); }

  // All joints have one degree of freedom, which is what encoders and motors have.
  bool is_driven() const {
    bool all = true;
    robot_.view().backward([&]<JointType kJoint>(int, const BodyData<T>&) {
      all = all && (kJoint == JointType::kRevolute || kJoint == JointType::kPrismatic);
    });
    return all;
  }
  bool is_limited(const Settings<View, T>& settings) const {
    const auto& limits = settings.limits;
    const auto finite = [](const Dofs& x) {
      return all_finite(x.data(), static_cast<int>(x.size()));
    };
    return finite(limits.effort) && finite(limits.effort_rate) && finite(limits.velocity);
  }

  Status judge_by(const link::Servo<T>& message) {
    const Dofs &stiffness = incoming_.stiffness, &damping = incoming_.damping;
    const int count = static_cast<int>(v_.size());
    if (!is_finite(message.cutoff) || !all_finite(stiffness.data(), count) ||
        !all_finite(damping.data(), count)) {
      return Status::kNotFinite;
    }
    bool makes_sense = message.stale != 0 && message.cutoff >= 0;
    for (Eigen::Index i = 0; i < v_.size(); ++i) {
      makes_sense = makes_sense && stiffness[i] >= 0 && damping[i] >= 0;
    }
    if (!makes_sense) return Status::kMalformed;
    stale_ = message.stale;
    cutoff_ = message.cutoff;
    stiffness_ = stiffness;
    damping_ = damping;
    return Status::kOk;
  }
  bool is_judging() const { return stale_ != 0; }

  void start() {
    is_fresh_ = false;
    ticks_ = waited_ = 0;
    torque_.setZero();
  }
  void release() { torque_.setZero(); }

  // Whether what was measured may be used; if so, the velocity is filtered.
  Status judge(const Settings<View, T>& settings, Status read, std::uint32_t age) {
    if (read != Status::kOk) return read;
    if (age > stale_) return Status::kStale;
    const int count = static_cast<int>(v_.size());
    if (!all_finite(q_.data(), count) || !all_finite(v_.data(), count)) return Status::kNotFinite;
    // first: in safe a robot is damped beyond its limits too
    const T omega_dt = T(6.283185307179586L) * cutoff_ * settings.dt;
    const T share = cutoff_ > T(0) ? omega_dt / (T(1) + omega_dt) : T(1);
    if (!is_fresh_) filtered_ = v_;
    filtered_ += share * (v_ - filtered_);
    if (!is_fresh_) stay();
    is_fresh_ = true;
    const auto& limits = settings.limits;
    for (Eigen::Index i = 0; i < v_.size(); ++i) {
      const bool within = q_[i] >= limits.lower[i] - kPlay && q_[i] <= limits.upper[i] + kPlay &&
                          v_[i] <= limits.velocity[i] && -v_[i] <= limits.velocity[i];
      if (!within) return Status::kBeyondLimits;
    }
    return Status::kOk;
  }

  // Since the start nothing was measured, and drives that were just enabled may still answer in
  // time.
  bool is_waiting(const Settings<View, T>& settings) {
    if (is_fresh_) return false;
    return T(++waited_) * settings.dt * T(1e6L) <= static_cast<T>(stale_);
  }

  // Leads to `incoming`; refused, and nothing has changed, if a point of the way is beyond limits.
  Status lead(const Settings<View, T>& settings, const link::Reference<T>& message) {
    const T values[] = {message.kp, message.kd, message.duration, message.acceleration};
    const int count = static_cast<int>(v_.size());
    if (!all_finite(values, 4) || !all_finite(incoming_.q.data(), count) ||
        !all_finite(incoming_.v.data(), count) || !all_finite(incoming_.a.data(), count)) {
      return Status::kNotFinite;
    }
    const bool makes_sense = message.kp >= 0 && message.kd >= 0 &&
                             message.duration >= settings.dt && message.acceleration > 0;
    if (!makes_sense || !is_fresh_) return Status::kMalformed;
    const auto& limits = settings.limits;
    for (Eigen::Index i = 0; i < v_.size(); ++i) {
      const Quintic<T> way = way_of(i, message.duration);
      for (int k = 1; k <= kChecked; ++k) {
        const auto p = way.at(message.duration * T(k) / T(kChecked));
        if (!(p.q >= limits.lower[i] && p.q <= limits.upper[i] &&
              is_within(p.v, limits.velocity[i]) && is_within(p.a, message.acceleration))) {
          return Status::kBeyondLimits;
        }
      }
    }
    for (Eigen::Index i = 0; i < v_.size(); ++i)
      ways_[static_cast<std::size_t>(i)] = way_of(i, message.duration);
    ticks_ = 0;
    law_chosen_ = message.law;
    kp_ = message.kp, kd_ = message.kd;
    return Status::kOk;
  }

  // The torques of this tick. On failure those before stay, and are not to be written.
  Status control(const Settings<View, T>& settings) {
    const T t = T(++ticks_) * settings.dt;
    for (Eigen::Index i = 0; i < v_.size(); ++i) {
      const auto p = ways_[static_cast<std::size_t>(i)].at(t);
      reference_.q[i] = p.q, reference_.v[i] = p.v, reference_.a[i] = p.a;
    }
    goal_ = reference_;
    Settings<View, T>& now = with_gains(settings, kp_, kd_);
    Dofs tau = torque_;
    Status status = Status::kOk;
    switch (law_chosen_) {
      case link::ControlLaw::kComputedTorque:
        status = law_.control(now, q_, filtered_, goal_, torque_);
        return after_start(status);
      case link::ControlLaw::kGravity: now.kp = now.kd = T(0); [[fallthrough]];
      case link::ControlLaw::kSprings: status = law_.hold(now, q_, filtered_, goal_, tau); break;
      case link::ControlLaw::kOwn: status = own_(now, q_, filtered_, goal_, tau); break;
    }
    return finish(now, status, tau);
  }

  // In safe: damps, or holds where it was when it went there.
  void keep() { hold_at_ = q_; }
  Status damp(const Settings<View, T>& settings) {
    Dofs tau = -damping_.cwiseProduct(filtered_);
    return finish(settings, Status::kOk, tau);
  }
  Status hold(const Settings<View, T>& settings) {
    goal_.q = hold_at_;
    goal_.v.setZero(), goal_.a.setZero();
    Settings<View, T>& now = with_gains(settings, T(0), T(0));  // gravity; springs a joint each
    Dofs tau = torque_;
    const Status status = law_.hold(now, q_, filtered_, goal_, tau);
    for (Eigen::Index i = 0; i < tau.size(); ++i) {
      tau[i] += stiffness_[i] * (goal_.q[i] - q_[i]) - damping_[i] * filtered_[i];
    }
    return finish(now, status, tau);
  }

 private:
  static constexpr T kPlay = T(0.01);  // rad or m: of encoders and stops
  static constexpr int kChecked = 64;  // points of a way

  Quintic<T> way_of(Eigen::Index i, T duration) const {
    return {{reference_.q[i], reference_.v[i], reference_.a[i]},
            {incoming_.q[i], incoming_.v[i], incoming_.a[i]},
            duration};
  }
  void stay() {
    reference_.q = q_;
    reference_.v.setZero(), reference_.a.setZero();
    for (Eigen::Index i = 0; i < v_.size(); ++i) {
      ways_[static_cast<std::size_t>(i)] =
          Quintic<T>({q_[i], T(0), T(0)}, {q_[i], T(0), T(0)}, T(1));
    }
    law_chosen_ = link::ControlLaw::kGravity;
  }
  Settings<View, T>& with_gains(const Settings<View, T>& settings, T kp, T kd) {
    now_ = settings;
    now_.kp = kp, now_.kd = kd;
    return now_;
  }
  Status finish(const Settings<View, T>& settings, Status status, Dofs& tau) {
    if (status != Status::kOk) return status;
    if (!all_finite(tau.data(), static_cast<int>(tau.size()))) return Status::kOverflow;
    law_.limit(settings, torque_, tau);
    torque_ = tau;
    return Status::kOk;
  }

  const Robot<Model, T>& robot_;
  Law law_;
  OwnLaw own_;
  Settings<View, T> now_;
  typename Law::Reference reference_, goal_;  // as the way says; as limits leave of it
  Configs q_, hold_at_;
  Dofs v_, filtered_, torque_;
  std::array<Quintic<T>, static_cast<std::size_t>(View::kMaxBodies)> ways_{};  // is_driven
  Incoming incoming_;
  std::uint32_t stale_ = 0;  // us
  T cutoff_{};               // Hz
  Dofs stiffness_, damping_;
  link::ControlLaw law_chosen_ = link::ControlLaw::kGravity;
  T kp_{}, kd_{};
  std::uint32_t ticks_ = 0, waited_ = 0;
  bool is_fresh_ = false;
};

}  // namespace lockstep::firmware
