// What the bodies of a mechanism can touch, and the bounds on its joints: found at a state, and
// solved in velocities and impulses for the steppers. Joints and loops hold meanwhile.
//   Lagrange  press: one solve a step, on the velocities that its end would have (contact_step.hpp)
//   impulses  collide: what arrives fast jumps back, by its restitution, before the step;
//             support: mean velocities over the step, so that its end lies on the surfaces;
//             settle: velocities at its end (Bender 2007, section 5: apart from the joints' system)
// Impulses of a stage add up over its solves, and the sums obey the bounds.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/contact/contact_step.hpp"
#include "lockstep/contact/found_contacts.hpp"
#include "lockstep/maximal/joint_bounds.hpp"
#include "lockstep/maximal/lagrange.hpp"

namespace lockstep::maximal {

template <class T>
struct ContactSettings {
  contact::StepOptions<T> options = {};
  // m, rad: how far ahead contacts and limits are found; the fastest approach times dt
  T margin = T(0.02);
  // a stack of five boxes settles in some tens of sweeps; the last answer saves most of them
  rows::SolverOptions<T> row_solver = {.gauss_seidel = {.sweeps = 200}};

  constexpr Status check() const {
    if (!(margin >= T(0)) || !is_finite(margin)) return Status::kBadConstraint;
    const Status status = options.check();
    return status == Status::kOk ? row_solver.check() : status;
  }
};

template <class Mechanism, int kMaxContacts, int kMaxBounds = 0,
          class Ground = contact::Plane<typename Mechanism::Scalar>>
class Contacts {
  enum Stage { kPress, kCollide, kSupport, kSettle, kStages, kAgain = kStages };

 public:
  static constexpr bool kNone = false;
  // of a bound: two limits and a drive
  static constexpr int kMaxRows = contact::kRowsOfContact * kMaxContacts + 3 * kMaxBounds;
  using T = typename Mechanism::Scalar;
  using Solver = Lagrange<Mechanism>;
  using State = typename Solver::State;
  using Velocities = typename Solver::Velocities;
  using Rows = BoundedRows<Mechanism, kMaxRows>;
  using Values = typename Rows::Values;
  using Found = contact::FoundContacts<T, Ground, kMaxContacts>;

  Contacts() requires Mechanism::kIsStatic = default;
  explicit Contacts(const Mechanism& mechanism) : mechanism_(mechanism) {}

  // The caller's tables; they outlive this. A status tells that one has no meaning, and nothing
  // has changed.
  Status assign(const contact::Scene<T, Ground>& scene, std::span<const JointBound<T>> bounds = {},
                const ContactSettings<T>& settings = {}) {
    const int bodies = mechanism_.counts().bodies;
    Status status = settings.check();
    for (const JointBound<T>& bound : bounds) {
      if (status == Status::kOk) status = bound.check(bodies);
    }
    if (status == Status::kOk && bounds.size() > at(kMaxBounds)) status = Status::kTooManyRows;
    if (status == Status::kOk) status = found_.assign(scene, bodies);
    if (status == Status::kOk) bounds_ = bounds, settings_ = settings;
    return status;
  }

  // Whether a row is near, since find.
  bool touches() const { return rows_.count() > 0; }

  // Of the last step.
  const Found& list() const { return found_; }
  int dropped() const { return dropped_; }               // contacts without room, at most at once
  int unsolved() const { return unsolved_; }             // solves that stopped short, in all steps
  bool stopped_short() const { return stopped_short_; }  // one of that step did
  // N s, N m s: what contacts passed on to the bodies, along their velocities; and what a bound
  // did, along its coordinate.
  const Velocities& contact_impulse() const { return contact_impulse_; }
  const T& bound_impulse(int i) const { return bound_impulse_[at(i)]; }
  // N s, of contact i of the list, along its normal, in the last stage.
  T normal_impulse(int i) const {
    return row_of_[at(i)] == lockstep::kNone ? T(0) : mu_[at(row_of_[at(i)])];
  }
  // The rows of the last stage, and their impulses.
  const Rows& rows() const { return rows_; }
  const Values& impulses() const { return mu_; }

  // The impulses of each stage of the last step, by row: where Gauss-Seidel starts from. A state
  // that is kept together with them is stepped to the same bits again.
  using WarmStarts = std::array<rows::WarmStart<T, kMaxRows>, kStages>;
  const WarmStarts& warm_starts() const { return warm_starts_; }
  void recall(const WarmStarts& kept) { warm_starts_ = kept; }
  void forget() {
    for (auto& stage : warm_starts_) stage.forget();
  }

  // A step begins: nothing has been passed on yet.
  void begin() {
    contact_impulse_.setZero(mechanism_.counts().v);
    bound_impulse_.fill(T(0));
    dropped_ = 0;
    stopped_short_ = false;
  }

  // Finds what is near at a state that the solver has factored.
  Status find(Solver& solver, const State& state) {
    return find(solver, state, [](const auto&, const T&) { return true; });
  }
  // What is touched at the end of a step, without what will bounce in the next.
  Status find_touched(Solver& solver, const State& state) {
    return find(solver, state, [&](const Gap& near, const T& rate) {
      return near.distance <= settings_.options.slop && !bounces(near, rate);
    });
  }

  // Adds to `impulse` those of a step whose end would have the velocities v_free.
  Status press(const Velocities& v, const Velocities& v_free, const T& dt, Velocities& impulse) {
    return solve(kPress, v_free, {.bias = dt, .drive = dt}, impulse, [&](int i) {
      const T end = rows_.rate(i, v_free) + dt * rows_.bias(i);
      return least_velocity(near_[at(i)], rows_.rate(i, v), end, dt, settings_.options);
    });
  }

  // Whether something arrives fast enough to bounce; then what makes it.
  bool collides(const Velocities& v, const T& dt) const {
    for (int i = 0; i < rows_.count(); ++i) {
      if (kind(i) != kNormal) continue;
      const T rate = rows_.rate(i, v);
      if (near_[at(i)].distance + dt * rate < T(0) && bounces(near_[at(i)], rate)) return true;
    }
    return false;
  }
  Status collide(const Velocities& v, const T& dt, Velocities& impulse) {
    contact::StepOptions<T> options = settings_.options;
    options.correction = T(0);
    return solve(kCollide, v, {}, impulse, [&](int i) {
      const T rate = rows_.rate(i, v);
      return least_velocity(near_[at(i)], rate, rate, dt, options);
    });
  }

  // At mean velocities over the step. `again`: more of the same stage.
  Status support(const Velocities& v_mean, const T& dt, bool again, Velocities& impulse) {
    return solve(again ? kAgain : kSupport, v_mean, {.drive = T(0.5) * dt}, impulse, [&](int i) {
      return least_velocity(near_[at(i)], T(0), T(0), dt, settings_.options);
    });
  }
  // At velocities of the step's end.
  Status settle(const Velocities& v, const T& dt, bool again, Velocities& impulse) {
    return solve(again ? kAgain : kSettle, v, {.drive = T(0.5) * dt}, impulse,
                 [](int) { return T(0); });
  }

 private:
  using Gap = contact::Gap<T>;
  // of limits and contacts' normals, and of drives
  static constexpr rows::RowKind kNormal = rows::RowKind::kUnilateral,
                                 kDrive = rows::RowKind::kBoxed;
  struct Times {
    T bias = T(0);   // for which rows move along with the bodies
    T drive = T(0);  // of the drives' forces
  };

  rows::RowKind kind(int i) const { return rows_.system().rows[at(i)].kind; }
  bool bounces(const Gap& near, const T& rate) const {
    return near.restitution > T(0) && rate < -settings_.options.bounce_speed;
  }

  template <class Keep>
  Status find(Solver& solver, const State& state, Keep&& keep) {
    const std::span<Placement<T>> X_WB = {poses_.data(), at(mechanism_.counts().bodies)};
    place_bodies(mechanism_, state, X_WB);
    const Status status = found_.find(X_WB, settings_.margin);
    if (status != Status::kOk) return status;
    rows_.clear();
    for (std::size_t i = 0; i < bounds_.size(); ++i) add_limits(state, static_cast<int>(i), keep);
    for (int i = 0; i < found_.size(); ++i) row_of_[at(i)] = add_contact(state, i, keep);
    if (found_.dropped() > dropped_) dropped_ = found_.dropped();
    return rows_.anticipate(solver.system());
  }

  void put(int row, const RowKey& key, const rows::RowBound<T>& bound, const Gap& near) {
    keys_[at(row)] = key, rows_.bound(row) = bound, near_[at(row)] = near;
  }
  template <class Keep>
  void add_limits(const State& state, int number, Keep&& keep) {
    const JointBound<T>& bound = bounds_[at(number)];
    const auto limit = [&](int row, const T& along) {
      const Gap near = {rows_.value(row), bound.restitution};
      put(row, {.of = along > T(0) ? RowOf::kLower : RowOf::kUpper, .number = number},
          {.kind = kNormal}, near);
      if (!keep(near, rows_.rate(row, state.v))) rows_.remove_from(row);
    };
    const auto drive = [&](int row) {
      put(row, {.of = RowOf::kDrive, .number = number}, {.kind = kDrive}, {});
    };
    add_bound(rows_, mechanism_, state, bound, settings_.margin, limit, drive);
  }
  template <class Keep>
  int add_contact(const State& state, int number, Keep&& keep) {
    const contact::Contact<T>& own = found_[number];
    const int row = rows_.add(mechanism_, state, contact::touching(own), own.a, own.b);
    if (row == lockstep::kNone) return row;
    const Gap near = {own.distance, own.material.restitution};
    if (!keep(near, rows_.rate(row, state.v))) {
      rows_.remove_from(row);
      return lockstep::kNone;
    }
    RowKey key = found_.key(number);
    put(row, key, {.kind = kNormal}, near);
    for (int i = row + 1; i < row + contact::kRowsOfContact; ++i) {
      ++key.count;
      put(i, key,
          {.kind = rows::RowKind::kFriction, .normal = row, .coefficient = own.material.friction},
          near);
    }
    return row;
  }

  // Rows' rates at v plus A mu shall be at least least(i), or zero against friction and drives.
  template <class Least>
  Status solve(Stage stage, const Velocities& v, const Times& times, Velocities& impulse,
               Least&& least) {
    if (rows_.count() == 0) return Status::kOk;
    Values b = {}, next = mu_;
    if (stage != kAgain) {
      mu_ = {};
      for (int i = 0; i < rows_.count(); ++i)
        next[at(i)] = warm_starts_[at(stage)].of(keys_[at(i)]);
    }
    for (int i = 0; i < rows_.count(); ++i) {
      b[at(i)] = rows_.rate(i, v) + times.bias * rows_.bias(i) - rows_.answer(i, mu_);
      if (kind(i) == kNormal) b[at(i)] = b[at(i)] - least(i);
      if (kind(i) == kDrive) set_drive(i, times.drive);
    }
    const Status status = rows_.solve(b, settings_.row_solver, next);
    if (status != Status::kOk && status != Status::kNotConverged) return status;
    unsolved_ += status == Status::kOk ? 0 : 1;
    stopped_short_ |= rows_.stop() == rows::Stop::kSweepsUsedUp;
    for (int i = 0; i < rows_.count(); ++i) {
      const T added = next[at(i)] - mu_[at(i)];
      rows_.add_force(i, added, impulse);
      if (keys_[at(i)].of == RowOf::kContact) {
        rows_.add_force(i, added, contact_impulse_);
      } else {
        T& sum = bound_impulse_[at(keys_[at(i)].number)];
        sum = keys_[at(i)].of == RowOf::kUpper ? sum - added : sum + added;
      }
    }
    mu_ = next;
    if (stage == kAgain) return Status::kOk;
    return warm_starts_[at(stage)].recall({keys_.data(), at(rows_.count())},
                                          {mu_.data(), at(rows_.count())});
  }
  void set_drive(int i, const T& time) {
    rows_.bound(i).upper = time * bounds_[at(keys_[at(i)].number)].limits.friction;
    rows_.bound(i).lower = -rows_.bound(i).upper;
  }

  [[no_unique_address]] MechanismMember<Mechanism> mechanism_;
  std::span<const JointBound<T>> bounds_;
  ContactSettings<T> settings_;
  std::array<Placement<T>, at(Mechanism::kMaxBodies)> poses_;
  Found found_;
  std::array<int, at(kMaxContacts)> row_of_ = {};
  Rows rows_;
  std::array<Gap, at(kMaxRows)> near_;
  std::array<RowKey, at(kMaxRows)> keys_;
  int dropped_ = 0, unsolved_ = 0;
  bool stopped_short_ = false;
  Values mu_ = {};
  WarmStarts warm_starts_ = {};
  Velocities contact_impulse_ = Velocities::Zero(mechanism_.counts().v);
  std::array<T, at(kMaxBounds)> bound_impulse_ = {};
};

}  // namespace lockstep::maximal

#include "lockstep/restore_macros.hpp"
