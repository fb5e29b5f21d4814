// Efforts from outside, without measuring them or an acceleration: the observer of generalized
// momentum, r = K (p - p(0) - integral (tau + C^T v - g + r) dt) (De Luca, Mattone 2003).
// In continuous time each entry of r follows its own effort from outside through a lag of 1/K. Here
// the integral takes the mean of a tick's ends and r at its end, stable for any K:
// a constant effort is at 1 - (1 + K dt)^-n after n ticks. Dry friction counts as from outside.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/observe/momentum.hpp"

namespace lockstep {

// Model: as for Solver. T: a plain number.
template <class Model, class T = double>
class DisturbanceObserver : private Problem<typename ViewOf<Model, T>::Type, T> {
 public:
  using View = typename ViewOf<Model, T>::Type;
  using typename Problem<View, T>::Configs;
  using typename Problem<View, T>::Dofs;
  using typename Problem<View, T>::Gravity;

  DisturbanceObserver() requires View::kIsStatic : DisturbanceObserver(View()) {}
  explicit DisturbanceObserver(const View& model)
      : Problem<View, T>(model),
        momentum_(model),
        before_(momentum_.make_output()),
        now_(before_),
        known_(before_.p),
        r_(before_.p) {}

  // From a state on, nothing from outside known. On any status but kOk all is as it was.
  [[nodiscard]] Status start(const Configs& q, const Dofs& v, const Gravity& gravity) {
    const Status status = momentum_.momentum(q, v, gravity, before_);
    if (status != Status::kOk) return status;
    known_ = before_.p;
    r_.setZero();
    started_ = true;
    return Status::kOk;
  }

  // The state dt after the last one, tau what acted in between, `gain` 1/s. On any status but kOk
  // all is as it was.
  [[nodiscard]] Status update(const Configs& q, const Dofs& v, const Dofs& tau,
                              const Gravity& gravity, const T& gain, const T& dt) {
    if (!started_) return Status::kOutOfOrder;
    if (tau.size() != r_.size()) return Status::kWrongSize;
    if (!is_finite(dt) || !(dt > T(0))) return Status::kBadTimeStep;
    if (!is_finite(gain) || !(gain >= T(0))) return Status::kBadConstraint;
    if (!all_finite(tau.data(), static_cast<int>(tau.size()))) return Status::kNotFinite;
    const Status status = momentum_.momentum(q, v, gravity, now_);
    if (status != Status::kOk) return status;
    const View& model = this->model();
    model.backward([&]<JointType kJoint>(int, const BodyData<T>& body) {
      if constexpr (dof_count(kJoint) == 1) {
        if (body.leader != kNone) {  // its effort moves the leader
          const int leader = model.bodies()[at(body.leader)].v;
          known_[leader] = known_[leader] + dt * (body.ratio * tau[body.v]);
          return;
        }
      }
      for (int i = body.v; i < body.v + dof_count(kJoint); ++i) {
        const T mean = T(0.5) * (before_.force[i] + now_.force[i]);
        known_[i] = known_[i] + dt * (tau[i] + mean);
      }
    });
    const T shrink = gain / (T(1) + gain * dt);
    for (Eigen::Index i = 0; i < r_.size(); ++i) {
      r_[i] = shrink * (now_.p[i] - known_[i]);
      known_[i] = known_[i] + dt * r_[i];
    }
    before_ = now_;
    return Status::kOk;
  }

  // What acts from outside, in the places of v.
  const Dofs& external() const { return r_; }

 private:
  GeneralizedMomentum<Model, T> momentum_;
  typename GeneralizedMomentum<Model, T>::Output before_, now_;
  Dofs known_;  // p, had there been nothing else
  Dofs r_;
  bool started_ = false;
};

// A collision: the first entry beyond its threshold, either way, or kNone. Not finite counts as
// beyond. Thresholds stand above what friction and the model's errors leave in free motion.
template <class External, class Thresholds>
int first_beyond(const External& external, const Thresholds& thresholds) {
  const int count =
      static_cast<int>(external.size() < thresholds.size() ? external.size() : thresholds.size());
  for (int i = 0; i < count; ++i) {
    if (!(external[i] <= thresholds[i] && -external[i] <= thresholds[i])) return i;
  }
  return kNone;
}

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
