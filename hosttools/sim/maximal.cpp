#include "sim/maximal.hpp"

#include <algorithm>
#include <chrono>
#include <memory>

#include "error.hpp"
#include "lockstep/maximal/contacts.hpp"
#include "lockstep/maximal/impulse_stepper.hpp"
#include "mechanism/table.hpp"
#include "sim/part_stepping.hpp"
#include "sim/simulation.hpp"
#include "urdf/number.hpp"

namespace lockstep::host::sim {

namespace {

// What can touch, and the tables that it looks at.
template <class T>
class HostContacts {
 public:
  static constexpr int kMost = 128, kMostBounds = 32;
  using Contacts = maximal::Contacts<HostMechanism<T>, kMost, kMostBounds>;

  HostContacts(const Mechanism& mechanism, const HostMechanism<T>& table) : contacts_(table) {
    for (const auto& record : mechanism.colliders) {
      colliders_.push_back(contact::to_collider<T>(record, {}));
    }
    for (const auto& record : mechanism.bounds) bounds_.emplace_back(record);
    const Status status = contacts_.assign(colliders_, mechanism.collider_pairs,
                                           maximal::to_ground<T>(mechanism.ground), bounds_);
    if (status == Status::kOk) return;
    throw Error("mechanism " + quote(mechanism.name) + ": collisions and limits: " +
                to_string(status) + " (room for " + std::to_string(kMostBounds) + " limits)");
  }

  Contacts& contacts() { return contacts_; }
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
class Runner {
 public:
  using Stepper = maximal::LagrangeStepper<HostMechanism<T>>;
  using ByImpulses = maximal::ImpulseStepper<HostMechanism<T>>;

  Runner(const Mechanism& mechanism, const MaximalSettings& settings, const MaximalState& start)
      : mechanism_(mechanism),
        dt_(settings.dt),
        step_(start.step),
        hash_(start.hash),
        table_(to_table<T>(mechanism)),
        stepper_(std::make_unique<Stepper>(*table_)),
        state_(stepper_->solver().make_state()),
        loads_(stepper_->solver().make_loads()) {
    state_.x = start.x.cast<T>();
    state_.v = start.v.cast<T>();
    settings_.dt = static_cast<T>(settings.dt);
    settings_.integrator = settings.integrator;
    settings_.stabilization = settings.stabilization;
    for (int i = 0; i < 3; ++i) {
      loads_.gravity[i] = static_cast<T>(settings.gravity[static_cast<std::size_t>(i)]);
    }
    if (has_contacts(mechanism)) {
      contacts_ = std::make_unique<HostContacts<T>>(mechanism, *table_);
    }
    require(stepper_->solver().factor(state_));
    drift_ = largest_rows();
    if (!settings.tolerance) return;
    if (settings.by_parts) {
      parts_ = std::make_unique<PartStepping<T>>(mechanism, *table_, settings);
      return;
    }
    impulses_ = std::make_unique<ByImpulses>(*table_);
    impulse_settings_.dt = settings_.dt;
    impulse_settings_.tolerance = static_cast<T>(*settings.tolerance);
  }

  std::uint64_t step() const { return step_; }
  std::uint64_t hash() const { return hash_.value(); }
  Eigen::VectorXd x() const { return state_.x.template cast<double>(); }
  Eigen::VectorXd v() const { return state_.v.template cast<double>(); }
  Eigen::VectorXd lambda() const {
    if (parts_) return parts_->lambda();
    if (!impulses_) return stepper_->solution().lambda.template cast<double>();
    return impulses_->impulse().template cast<double>() / dt_;
  }
  Eigen::VectorXd touching() const {
    return contacts_ ? contacts_->forces(dt_) : Eigen::VectorXd();
  }
  Eigen::VectorXd bounds() const { return contacts_ ? contacts_->bounds(dt_) : Eigen::VectorXd(); }
  int dropped() const { return dropped_; }
  int unsolved() const { return contacts_ ? contacts_->contacts().unsolved() : 0; }
  const maximal::Drift<double>& drift() const { return drift_; }

  void set_force(const Eigen::VectorXd& force) { loads_.force = force.cast<T>(); }

  void advance() {
    state_.time = static_cast<T>(time_of(step_, dt_));
    if (contacts_) {
      require(step_with(contacts_->contacts()));
      dropped_ = std::max(dropped_, contacts_->contacts().dropped());
    } else {
      maximal::NoContacts none;
      require(step_with(none));
    }
    ++step_;
    hash_.add_all(state_.x);
    hash_.add_all(state_.v);
    if (parts_) {
      drift_ = {static_cast<double>(parts_->drift().position),
                static_cast<double>(parts_->drift().velocity)};
    } else if (impulses_) {
      drift_ = {static_cast<double>(impulses_->position_error()),
                static_cast<double>(impulses_->velocity_error())};
    } else {
      drift_ = {static_cast<double>(stepper_->drift().position),
                static_cast<double>(stepper_->drift().velocity)};
    }
  }

 private:
  template <class Contacts>
  Status step_with(Contacts& contacts) {
    return impulses_ ? impulses_->step(state_, loads_, impulse_settings_, contacts)
                     : stepper_->step(state_, loads_, settings_, contacts);
  }

  maximal::Drift<double> largest_rows() {
    const auto& solver = stepper_->solver();
    if (solver.position_errors().size() == 0) return {};
    return {static_cast<double>(solver.position_errors().cwiseAbs().maxCoeff()),
            static_cast<double>(solver.velocity_errors().cwiseAbs().maxCoeff())};
  }

  void require(Status status) const {
    if (status == Status::kOk) return;
    throw Error("mechanism " + quote(mechanism_.name) + ": step " + std::to_string(step_) + " (" +
                write_number(time_of(step_, dt_)) + " s): " + to_string(status) +
                (status == Status::kSingular
                     ? "; its constraints depend on one another: lockstep doctor tells which"
                     : "; a smaller --dt or smaller forces may help"));
  }

  const Mechanism& mechanism_;
  double dt_;
  std::uint64_t step_;
  Hash hash_;
  std::unique_ptr<HostMechanism<T>> table_;
  std::unique_ptr<Stepper> stepper_;
  typename Stepper::State state_;
  typename Stepper::Loads loads_;
  maximal::StepSettings<T> settings_;
  std::unique_ptr<ByImpulses> impulses_;  // if they are asked for
  maximal::ImpulseSettings<T> impulse_settings_;
  std::unique_ptr<HostContacts<T>> contacts_;  // if something can touch
  int dropped_ = 0;
  maximal::Drift<double> drift_;
};

void raise(maximal::Drift<double>& most, const maximal::Drift<double>& now) {
  most.position = std::max(most.position, now.position);
  most.velocity = std::max(most.velocity, now.velocity);
}

}  // namespace

template <class T>
MaximalOutcome simulate_maximal(const Mechanism& mechanism, const MaximalSettings& settings,
                                std::uint64_t steps, std::uint64_t every, MaximalState& state,
                                const Drive& drive, const MaximalWatch& watch) {
  using Clock = std::chrono::steady_clock;
  const auto runner = std::make_unique<Runner<T>>(mechanism, settings, state);
  const Eigen::VectorXd constant = Eigen::Map<const Eigen::VectorXd>(
      mechanism.forces.data(), static_cast<Eigen::Index>(mechanism.forces.size()));
  MaximalMoment now;
  now.force = constant;
  runner->set_force(now.force);
  MaximalOutcome outcome = {.drift = runner->drift()};
  std::chrono::duration<double> watching{};
  const auto begin = Clock::now();
  for (std::uint64_t left = steps;; --left) {
    if (drive) {
      now.force = constant;
      drive(runner->step(), runner->x(), runner->v(), now.force);
      runner->set_force(now.force);
    }
    if (left == steps || left == 0 || runner->step() % every == 0) {
      const auto stop = Clock::now();
      now.x = runner->x();
      now.v = runner->v();
      now.lambda = runner->lambda();
      now.touching = runner->touching();
      now.bounds = runner->bounds();
      now.drift = runner->drift();
      watch(runner->step(), now);
      watching += Clock::now() - stop;
    }
    if (left == 0) break;
    runner->advance();
    raise(outcome.drift, runner->drift());
  }
  outcome.seconds = std::chrono::duration<double>(Clock::now() - begin - watching).count();
  outcome.dropped = runner->dropped();
  outcome.unsolved = runner->unsolved();
  state.step = runner->step();
  state.hash = runner->hash();
  state.x = runner->x();
  state.v = runner->v();
  return outcome;
}

template MaximalOutcome simulate_maximal<float>(const Mechanism&, const MaximalSettings&,
                                                std::uint64_t, std::uint64_t, MaximalState&,
                                                const Drive&, const MaximalWatch&);
template MaximalOutcome simulate_maximal<double>(const Mechanism&, const MaximalSettings&,
                                                 std::uint64_t, std::uint64_t, MaximalState&,
                                                 const Drive&, const MaximalWatch&);

}  // namespace lockstep::host::sim
