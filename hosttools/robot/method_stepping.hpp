// The steppers of mechanisms by forces and by impulses, each with any method that solves its
// equations. Compiled once, in maximal_float.cpp and maximal_double.cpp.
#pragma once

#include "lockstep/maximal/contacts.hpp"
#include "lockstep/maximal/impulse_stepper.hpp"
#include "lockstep/maximal/lagrange_stepper.hpp"
#include "methods/dense_system.hpp"
#include "methods/sweep_system.hpp"
#include "robot/maximal_stepping.hpp"
#include "robot/part_stepping.hpp"

namespace lockstep::host {

inline constexpr int kDenseRows = 1024;    // 8 MB of matrix
inline constexpr int kMostSweeps = 10000;  // of the iterative method, a step

// What touches, and what is bounded, in a mechanism that steps by the tree.
template <class T>
class HostContacts {
 public:
  static constexpr int kMost = 128, kMostBounds = 32;
  using Contacts = maximal::Contacts<HostMechanism<T>, kMost, kMostBounds>;

  HostContacts(const Mechanism& mechanism, const HostMechanism<T>& table, RowSolver solver)
      : contacts_(table) {
    for (const auto& record : mechanism.colliders) {
      colliders_.push_back(contact::to_collider<T>(record, {}));
    }
    for (const auto& record : mechanism.bounds) bounds_.emplace_back(record);
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

// A stepper and what its bodies touch, which only the linear method heeds.
template <class T, class Stepper, class Method, class Settings>
class Stepping : public MaximalStepping<T> {
 public:
  using typename MaximalStepping<T>::State;
  using typename MaximalStepping<T>::Loads;

  Stepping(const Mechanism& mechanism, const HostMechanism<T>& table,
           const MaximalSettings& settings)
      : stepper_(std::make_unique<Stepper>(table)), dt_(settings.dt) {
    settings_.dt = static_cast<T>(settings.dt);
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
    if constexpr (std::is_same_v<Method, Linear<T>>) {
      if (contacts_) return stepper_->step(state, loads, settings_, contacts_->contacts());
    }
    return stepper_->step(state, loads, settings_);
  }
  ConstraintErrors<T> drift() const override { return stepper_->drift(); }
  Eigen::VectorXd touching() const override {
    return contacts_ ? contacts_->forces(dt_) : Eigen::VectorXd();
  }
  Eigen::VectorXd bounds() const override {
    return contacts_ ? contacts_->bounds(dt_) : Eigen::VectorXd();
  }
  int dropped() const override { return contacts_ ? contacts_->contacts().dropped() : 0; }
  int unsolved() const override { return contacts_ ? contacts_->contacts().unsolved() : 0; }

 protected:
  std::unique_ptr<Stepper> stepper_;
  double dt_;
  Settings settings_;

 private:
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
  }
  Eigen::VectorXd lambda() const override {
    return this->stepper_->impulse().template cast<double>() / this->dt_;
  }
};

template <class T>
std::unique_ptr<MaximalStepping<T>> make_stepping(const Mechanism& mechanism,
                                                  const HostMechanism<T>& table,
                                                  const MaximalSettings& settings) {
  using Dense = methods::DenseSystem<HostMechanism<T>, kDenseRows>;
  using Sweep = methods::SweepSystem<HostMechanism<T>>;
  const auto make = [&]<class S>() { return std::make_unique<S>(mechanism, table, settings); };
  const bool dense = settings.method == Method::kDense;
  if (!settings.tolerance) {
    if (dense) return make.template operator()<ByForces<T, Dense>>();
    return make.template operator()<ByForces<T, Linear<T>>>();
  }
  if (settings.method == Method::kParts) return make.template operator()<PartStepping<T>>();
  if (settings.method == Method::kIterative) {
    return make.template operator()<ByImpulses<T, Sweep>>();
  }
  if (dense) return make.template operator()<ByImpulses<T, Dense>>();
  return make.template operator()<ByImpulses<T, Linear<T>>>();
}

}  // namespace lockstep::host
