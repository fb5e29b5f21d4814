// The robot itself, simulated: torques in, motion out. Its state is q, v, the torques that acted
// last, the number of the step and a hash over every q and v since the start; nothing else is
// remembered, so a run continues from any state that is set. (Gauss-Seidel starts a step from the
// forces of the one before; after a state that was set, from none.)
#pragma once

#include <cstdint>

#include "lockstep/border.hpp"
#include "lockstep/hash.hpp"
#include "loop/computed_torque.hpp"
#include "loop/stepping.hpp"

namespace lockstep::firmware {

// Stepping: how the state moves on, a class of stepping.hpp or like one.
template <class AnyModel, class Scalar, class Stepping = SteppingOf<AnyModel, Scalar>>
class Plant {
 public:
  using Model = AnyModel;
  using T = Scalar;
  using View = typename Robot<Model, T>::View;
  using Configs = typename Problem<View, T>::Configs;
  using Dofs = typename Problem<View, T>::Dofs;
  using Motion = typename Problem<View, T>::Input;

  // At rest in the zero pose. `more` is what the stepping wants beside the robot.
  template <class... More>
  explicit Plant(const Robot<Model, T>& robot, const More&... more)
      : robot_(robot),
        stepping_(robot, more...),
        law_(robot),
        reference_(law_.make_reference()),
        motion_(stepping_.make_input()),
        next_(motion_),
        command_(motion_.tau) {}

  const Motion& motion() const { return motion_; }
  const Motion& told() const { return motion_; }  // what a controller knows of it
  std::uint64_t step() const { return step_; }
  std::uint64_t hash() const { return hash_.value(); }
  std::uint32_t limited() const { return limited_ + law_.limited(); }
  Stepping& stepping() { return stepping_; }
  const Stepping& stepping() const { return stepping_; }

  // Where messages may be unpacked; `set_state` and `set_command` take what is there.
  Motion& incoming() { return next_; }

  // Continues from `incoming`. On failure everything stays as it was.
  Status set_state(std::uint64_t step, std::uint64_t hash) {
    const auto is_finite_vector = [](const Dofs& x) {
      return all_finite(x.data(), static_cast<int>(x.size()));
    };
    Border<T> border = check_configuration<T>(robot_.view(), next_.q.data());
    border.finite &= is_finite_vector(next_.v) && is_finite_vector(next_.tau);
    if (!border.passed()) return border.status(0);
    motion_ = next_;
    if constexpr (requires { stepping_.forget(); }) stepping_.forget();
    command_ = motion_.tau;
    step_ = step;
    hash_ = Hash(hash);
    return Status::kOk;
  }

  // Holds the torques that acted last until a command comes: an older command is forgotten.
  Status start(const Settings<View, T>&) {
    command_ = motion_.tau;
    return Status::kOk;
  }

  // Takes the torques of `incoming` for the steps to come, when frames bring them.
  Status set_command() {
    if (!all_finite(next_.tau.data(), static_cast<int>(next_.tau.size()))) {
      return Status::kNotFinite;
    }
    command_ = next_.tau;
    return Status::kOk;
  }

  // Whether it can run with these settings.
  static constexpr bool can(const Settings<View, T>& settings) {
    return (Stepping::kHolds || settings.drive != link::DriveMode::kHoldWaves) &&
           (Stepping::kAnyIntegrator || settings.integrator == Integrator::kSemiImplicitEuler);
  }

  // One step in time. On failure the state stays as it was.
  Status advance(const Settings<View, T>& settings) {
    begin(settings);
    Status status = drive(settings, next_.q, next_.v, motion_.tau, next_.tau);
    if (status == Status::kOk) status = move(settings);
    return finish(status);
  }
  // The same under these efforts, whatever the limits.
  Status advance_under(const Settings<View, T>& settings, const Dofs& tau) {
    begin(settings);
    next_.tau = tau;
    return finish(stepping_.step(next_, settings));
  }

  // Where joints of several coordinates are held; the others have waves.
  void hold_at(const Configs& q) { reference_.q = q; }

 protected:
  // The efforts that are asked for in the state q, v, after those `before`.
  Status drive(const Settings<View, T>& settings, const Configs& q, const Dofs& v,
               const Dofs& before, Dofs& tau) {
    const auto& waves = settings.waves;
    if (settings.drive == link::DriveMode::kTrackWaves || holds(settings)) {
      robot_.view().backward([&]<JointType kJoint>(int, const BodyData<T>& body) {
        if constexpr (kJoint == JointType::kRevolute || kJoint == JointType::kPrismatic) {
          const auto sample = waves.at(body.v, step_, settings.dt);
          reference_.q[body.q] = sample.value;
          reference_.v[body.v] = sample.rate;
          reference_.a[body.v] = sample.acceleration;
        }
      });
      if constexpr (Stepping::kHolds) {
        if (holds(settings)) return law_.hold(settings, q, v, reference_, tau);
      }
      return law_.control(settings, q, v, reference_, tau);
    }
    for (Eigen::Index i = 0; i < tau.size(); ++i) {
      tau[i] = settings.drive == link::DriveMode::kFrames ? command_[i]
                                                          : waves.at(i, step_, settings.dt).value;
    }
    limited_ += static_cast<std::uint32_t>(limit(settings.limits, settings.dt, before, tau));
    return Status::kOk;
  }
  // For what a derived class tells beside q and v.
  Hash& running_hash() { return hash_; }

 private:
  static constexpr bool holds(const Settings<View, T>& settings) {
    return Stepping::kHolds && settings.drive == link::DriveMode::kHoldWaves;
  }

  void begin(const Settings<View, T>& settings) {
    next_ = motion_;
    next_.gravity = settings.gravity;
  }
  Status finish(Status status) {
    if (!has_moved(status)) return status;
    motion_ = next_;
    ++step_;
    hash_.add_all(motion_.q);
    hash_.add_all(motion_.v);
    return Status::kOk;
  }

  Status move(const Settings<View, T>& settings) {
    if constexpr (Stepping::kHolds) {
      if (holds(settings)) return move_held(settings);
    }
    return stepping_.step(next_, settings);
  }

  // Drives act as they would at the end of the step (lockstep/implicit.hpp). Those that would then
  // be beyond their actuators' limits act with the limit instead, and the step is taken again; if
  // others are beyond theirs now, once more, with what all of them came to.
  Status move_held(const Settings<View, T>& settings) {
    Dofs &kp = drives_.kp, &kd = drives_.kd, &tau = drives_.tau, &within = drives_.within;
    tau = next_.tau;
    kp = kd = Dofs::Zero(tau.size());
    robot_.view().backward([&]<JointType kJoint>(int, const BodyData<T>& body) {
      if constexpr (kJoint == JointType::kFloating) return;
      for (int i = body.v; i < body.v + dof_count(kJoint); ++i) {
        kp[i] = settings.kp, kd[i] = settings.kd;
      }
    });
    Status status = Status::kOk;
    for (int solve = 0; solve < 3; ++solve) {
      if (solve > 0) next_.q = motion_.q, next_.v = motion_.v, next_.tau = tau;
      status = stepping_.step(next_, settings, DriveGains<T>{kp.data(), kd.data()});
      if (!has_moved(status)) return status;
      within = next_.tau;
      if (law_.limit(settings, motion_.tau, within) == 0) break;
      for (Eigen::Index i = 0; i < tau.size(); ++i) {
        if (solve == 0 && within[i] == next_.tau[i]) continue;
        tau[i] = within[i], kp[i] = kd[i] = T(0);
      }
    }
    return status;
  }

  struct Drives {
    Dofs kp, kd;
    Dofs tau, within;  // at the start of the step; at its end, within limits
  };
  struct NoDrives {};

  const Robot<Model, T>& robot_;
  Stepping stepping_;
  [[no_unique_address]] std::conditional_t<Stepping::kHolds, Drives, NoDrives> drives_;
  ComputedTorque<Model, T> law_;
  typename ComputedTorque<Model, T>::Reference reference_;
  Motion motion_, next_;
  Dofs command_;
  std::uint64_t step_ = 0;
  Hash hash_;
  std::uint32_t limited_ = 0;
};

}  // namespace lockstep::firmware
