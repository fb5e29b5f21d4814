// The steppers of mechanisms by forces and by impulses, each with any method that solves its
// equations. Compiled once, in maximal_float.cpp and maximal_double.cpp.
#pragma once

#include "lockstep/maximal/contacts.hpp"
#include "lockstep/maximal/impulse_stepper.hpp"
#include "lockstep/maximal/lagrange_stepper.hpp"
#include "methods/dense_system.hpp"
#include "methods/sweep_system.hpp"
#include "robot/free_stepping.hpp"
#include "robot/maximal_stepping.hpp"
#include "robot/part_stepping.hpp"
#include "robot/standing_stepping.hpp"

namespace lockstep::host {

inline constexpr int kDenseRows = 1024;    // 8 MB of matrix
inline constexpr int kMostSweeps = 10000;  // of the iterative method, a step

// What touches, and what is bounded, in a mechanism that steps by the tree.
template <class T>
class HostContacts {
 public:
  static constexpr int kMost = 128, kMostBounds = 64;
  using Contacts = maximal::Contacts<HostMechanism<T>, kMost, kMostBounds>;

  HostContacts(const Mechanism& mechanism, const HostMechanism<T>& table, RowSolver solver)
      : contacts_(table) {
    for (const auto& record : mechanism.colliders) {
      colliders_.push_back(contact::to_collider<T>(record, {}));
    }
    for (const auto& bound : mechanism.bounds) {
      bounds_.push_back(maximal::to_joint_bound<T>(bound));
    }
    maximal::ContactSettings<T> settings;
    settings.row_solver.solver = solver;
    const Status status = contacts_.assign(
        {colliders_, mechanism.collider_pairs, maximal::to_ground<T>(mechanism.ground)}, bounds_,
        settings);
    if (status == Status::kOk) return;
    throw Error("mechanism " + quote(mechanism.name) + ": collisions and limits: " +
                to_string(status) + " (room for " + std::to_string(kMostBounds) + " limits)");
  }

  Contacts& contacts() { return contacts_; }
  const Contacts& contacts() const { return contacts_; }
  Eigen::VectorXd forces(double dt) const {
    return contacts_.contact_impulse().template cast<double>() / dt;
  }
  Eigen::VectorXd bounds(double dt) const {
    Eigen::VectorXd all(static_cast<Eigen::Index>(bounds_.size()));
    for (int i = 0; i < all.size(); ++i) {
      all[i] = static_cast<double>(contacts_.bound_impulse(i)) / dt;
    }
    return all;
  }

 private:
  std::vector<contact::Collider<T>> colliders_;
  std::vector<maximal::JointBound<T>> bounds_;
  Contacts contacts_;
};

template <class T>
using Linear = maximal::SparseSystem<HostMechanism<T>>;

// A step goes as a whole or, where that fails or cannot be trusted, in halves, quarters, down to
// one in so many parts: fast arms at 1/30 s need them. Parts grow again as soon as they fit.
inline constexpr int kMostParts = 256;
// What a part's roughness may be. In 60 s of free fall the six axes of an arm keep their energy to
// 0.4 % by forces, at any step up to 1/30 s, and to 3 % by impulses, without gaining any.
inline constexpr double kRoughForces = 1.0 / 1024, kRoughImpulses = 1.0 / 4096;

// A stepper and what its bodies touch, which only the linear method heeds.
template <class T, class Stepper, class Method, class Settings>
class Stepping : public MaximalStepping<T> {
 public:
  using typename MaximalStepping<T>::State;
  using typename MaximalStepping<T>::Loads;

  Stepping(const Mechanism& mechanism, const HostMechanism<T>& table,
           const MaximalSettings& settings)
      : stepper_(std::make_unique<Stepper>(table)), dt_(settings.dt) {
    if (!has_contacts(mechanism)) return;
    if constexpr (std::is_same_v<Method, Linear<T>>) {
      contacts_ = std::make_unique<HostContacts<T>>(mechanism, table, settings.contact_solver);
    } else {
      throw Error("mechanism " + quote(mechanism.name) +
                  ": --method dense and iterative do not heed what touches, nor limits; leave out "
                  "--method");
    }
  }

  Status step(State& state, const Loads& loads) override {
    begin_ = state;
    bool whole = true, short_of = false, too_long = false;
    for (int at = 0, size = kMostParts; at < kMostParts;) {
      last_ = state;
      part_dt_ = dt_ * size / kMostParts;
      settings_.dt = static_cast<T>(part_dt_);
      const bool least = size == 1;
      const Status status = advance(state, loads, least);
      const bool taken = has_moved(status) && (least || is_smooth());
      whole = whole && taken;
      if (taken) {
        const bool contacts = contacts_ && contacts_->contacts().stopped_short();
        short_of = short_of || status != Status::kOk || !is_smooth();
        too_long = too_long || !is_smooth() || (status != Status::kOk && !contacts);
        at += size;
        if (at % (2 * size) == 0) size *= 2;
      } else if (least) {
        state = begin_;
        return status;
      } else {
        state = last_;
        size /= 2;
      }
    }
    counts_.split += whole ? 0 : 1;
    counts_.too_long += too_long ? 1 : 0;
    return short_of ? Status::kStoppedShort : Status::kOk;
  }
  ConstraintErrors<T> errors() const override { return stepper_->errors(); }
  Eigen::VectorXd touching() const override {
    return contacts_ ? contacts_->forces(part_dt_) : Eigen::VectorXd();
  }
  Eigen::VectorXd bounds() const override {
    return contacts_ ? contacts_->bounds(part_dt_) : Eigen::VectorXd();
  }
  int dropped() const override { return contacts_ ? contacts_->contacts().dropped() : 0; }
  StepCounts counts() const override {
    StepCounts counts = counts_;
    if (contacts_) counts.unsolved = contacts_->contacts().unsolved();
    return counts;
  }
  int singular_constraint() const override {
    if constexpr (!std::is_same_v<Method, Linear<T>>)
      return kNone;
    else
      return stepper_->solver().singular_constraint();
  }

 protected:
  // Whether a part that was taken is to be trusted; one that is the last resort goes as far as it
  // gets.
  bool is_smooth() const { return static_cast<double>(stepper_->roughness()) <= most_roughness_; }
  Status advance(State& state, const Loads& loads, bool last_resort) {
    if constexpr (requires { settings_.go_on; }) settings_.go_on = last_resort;
    if constexpr (std::is_same_v<Method, Linear<T>>) {
      if (contacts_) return stepper_->step(state, loads, settings_, contacts_->contacts());
    }
    return stepper_->step(state, loads, settings_);
  }

  std::unique_ptr<Stepper> stepper_;
  double dt_, part_dt_ = dt_;  // of a step, and of its last part
  double most_roughness_ = kRoughImpulses;
  Settings settings_;

 private:
  State begin_, last_;
  StepCounts counts_;
  std::unique_ptr<HostContacts<T>> contacts_;  // if something can touch, or is bounded
};

template <class T, class Method>
using ForceBase =
    Stepping<T, maximal::LagrangeStepper<HostMechanism<T>, Method>, Method, StepSettings<T>>;
template <class T, class Method>
class ByForces : public ForceBase<T, Method> {
 public:
  ByForces(const Mechanism& mechanism, const HostMechanism<T>& table,
           const MaximalSettings& settings)
      : ForceBase<T, Method>(mechanism, table, settings) {
    this->most_roughness_ = kRoughForces;
    this->settings_.integrator = settings.integrator;
    this->settings_.stabilization = settings.stabilization;
  }
  Eigen::VectorXd lambda() const override {
    return this->stepper_->solution().lambda.template cast<double>();
  }
};

template <class T, class Method>
using ImpulseBase = Stepping<T, maximal::ImpulseStepper<HostMechanism<T>, Method>, Method,
                             maximal::ImpulseSettings<T>>;
template <class T, class Method>
class ByImpulses : public ImpulseBase<T, Method> {
 public:
  ByImpulses(const Mechanism& mechanism, const HostMechanism<T>& table,
             const MaximalSettings& settings)
      : ImpulseBase<T, Method>(mechanism, table, settings) {
    this->settings_.tolerance = static_cast<T>(*settings.tolerance);
    if (!Method::kIsExact) this->settings_.max_solves = kMostSweeps;
    if (settings.max_solves) this->settings_.max_solves = *settings.max_solves;
  }
  Eigen::VectorXd lambda() const override {
    return this->stepper_->impulse().template cast<double>() / this->part_dt_;
  }
};

template <class T>
std::unique_ptr<MaximalStepping<T>> make_linear(const Mechanism& mechanism,
                                                const HostMechanism<T>& table,
                                                const MaximalSettings& settings) {
  if (!settings.tolerance) {
    return std::make_unique<ByForces<T, Linear<T>>>(mechanism, table, settings);
  }
  return std::make_unique<ByImpulses<T, Linear<T>>>(mechanism, table, settings);
}

template <class T>
std::unique_ptr<MaximalStepping<T>> make_stepping(const Mechanism& mechanism,
                                                  const HostMechanism<T>& table,
                                                  const MaximalSettings& settings) {
  using Dense = methods::DenseSystem<HostMechanism<T>, kDenseRows>;
  using Sweep = methods::SweepSystem<HostMechanism<T>>;
  const auto make = [&]<class S>() { return std::make_unique<S>(mechanism, table, settings); };
  const bool dense = settings.method == Method::kDense;
  if (dense && !settings.tolerance) return make.template operator()<ByForces<T, Dense>>();
  if (dense) return make.template operator()<ByImpulses<T, Dense>>();
  if (settings.method == Method::kParts) return make.template operator()<PartStepping<T>>();
  if (settings.method == Method::kIterative) {
    return make.template operator()<ByImpulses<T, Sweep>>();
  }
  if (settings.contact_solver == RowSolver::kNewton) {
    Mechanism untouched = mechanism;
    untouched.colliders.clear(), untouched.collider_pairs.clear();
    return std::make_unique<FreeStepping<T>>(mechanism, settings,
                                             make_linear<T>(untouched, table, settings));
  }
  return std::make_unique<StandingStepping<T>>(mechanism, table, settings, make_linear<T>);
}

}  // namespace lockstep::host
