#include "robot/part_stepping.hpp"

#include <cmath>
#include <functional>

#include "lockstep/maximal/model_contacts.hpp"
#include "mechanism/coupling.hpp"
#include "mechanism/parts.hpp"
#include "methods/part_stepper.hpp"
#include "system/thread_pool.hpp"
#include "text/error.hpp"

namespace lockstep::host {

namespace {

constexpr int kMaxParts = 1024, kMaxContacts = 1024, kMaxSweeps = 20'000;

}  // namespace

template <class T>
struct PartStepping<T>::Own {
  using Table = HostMechanism<T>;
  using Stepper = methods::PartStepper<Table, kMaxParts, kMaxContacts>;

  Own(const Mechanism& mechanism, const Table& own_table, const MaximalSettings& given)
      : table(own_table), stepper(table), pool(given.threads), dt(given.dt) {
    if (!mechanism.bounds.empty()) {
      throw Error("mechanism " + quote(mechanism.name) +
                  ": --method parts does not heed limits and dry friction; leave it out");
    }
    if (std::ranges::any_of(mechanism.constraints, is_coupling)) {
      throw Error("mechanism " + quote(mechanism.name) +
                  ": --method parts knows no couplings; leave it out");
    }
    settings.dt = static_cast<T>(given.dt);
    settings.tolerance = static_cast<T>(*given.tolerance);
    settings.max_sweeps = given.max_solves.value_or(kMaxSweeps);
    const Split parts = split(mechanism);
    require(mechanism, stepper.assign(methods::PartTable{parts.part_of, parts.colour_of}));
    for (const contact::ColliderRecord& record : mechanism.colliders) {
      colliders.push_back(contact::to_collider<T>(record, {}));
    }
    const contact::Scene<T> scene = {colliders, mechanism.collider_pairs,
                                     maximal::to_ground<T>(mechanism.ground)};
    require(mechanism, stepper.assign(scene));
  }

  static void require(const Mechanism& mechanism, Status status) {
    if (status == Status::kOk) return;
    throw Error("mechanism " + quote(mechanism.name) + ": " + to_string(status));
  }

  // How far two bodies can come nearer within a step.
  T margin(const typename PartStepping<T>::State& state,
           const typename PartStepping<T>::Loads& loads) const {
    T fastest(0);
    table.bodies([&]<class B>(const B&, const maximal::BodyPlace& place) {
      T square(0);
      for (int i = 0; i < 3; ++i) square = square + state.v[place.v + i] * state.v[place.v + i];
      fastest = std::max(fastest, square);
    });
    return T(2) * settings.dt *
           (std::sqrt(fastest) + settings.dt * std::sqrt(loads.gravity.squaredNorm()));
  }

  const Table& table;
  Stepper stepper;
  std::vector<contact::Collider<T>> colliders;
  methods::PartSettings<T> settings;
  ThreadPool pool;
  double dt;
};

template <class T>
PartStepping<T>::PartStepping(const Mechanism& mechanism, const HostMechanism<T>& table,
                              const MaximalSettings& settings)
    : own_(std::make_unique<Own>(mechanism, table, settings)) {}
template <class T>
PartStepping<T>::~PartStepping() = default;

template <class T>
Status PartStepping<T>::step(State& state, const Loads& loads) {
  own_->settings.margin = own_->margin(state, loads);
  return own_->stepper.step(
      state, loads, own_->settings,
      [&](int count, const std::function<void(int)>& work) { own_->pool.run(count, work); });
}

template <class T>
Eigen::VectorXd PartStepping<T>::lambda() const {
  return own_->stepper.impulse().template cast<double>() / own_->dt;
}
template <class T>
ConstraintErrors<T> PartStepping<T>::errors() const {
  return own_->stepper.errors();
}
template <class T>
Eigen::VectorXd PartStepping<T>::touching() const {
  if (own_->colliders.empty()) return {};
  typename Own::Stepper::Velocities sum = Own::Stepper::Velocities::Zero(own_->table.counts().v);
  own_->stepper.contacts().add_impulses(sum);
  return sum.template cast<double>() / own_->dt;
}
template <class T>
int PartStepping<T>::dropped() const {
  return own_->stepper.contacts().dropped();
}
template <class T>
int PartStepping<T>::sweeps() const {
  return own_->stepper.sweeps();
}

template class PartStepping<float>;
template class PartStepping<double>;

}  // namespace lockstep::host
