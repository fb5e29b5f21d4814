// A step by impulses for mechanisms with many loops and with contacts (Bender 2007, section 5).
// Bodies are predicted to move freely over the step; what their rows lack there is taken back by
// velocity changes at its start, part after part, contact after contact, until all of them hold;
// then velocities at the end in the same way. Colours in their order; parts of a colour share no
// body, so that an executor may run them at the same time: the bits are the same.
#pragma once

#include "lockstep/integrate/settings.hpp"
#include "lockstep/maximal/free_motion.hpp"
#include "methods/part_contacts.hpp"
#include "methods/part_system.hpp"

namespace lockstep::host::methods {

template <class T>
struct PartSettings {
  T dt{};
  T tolerance = T(1e-6);     // of every row and gap, in its own unit (m, rad); of rates, per dt
  int max_sweeps = 1000;     // of positions, and again of velocities
  T margin = T(0);           // m, how far ahead contacts are looked for
  T bounce_speed = T(0.05);  // m/s: a slower arrival does not bounce

  Status check() const {
    if (!is_finite(dt) || !(dt > T(0))) return Status::kBadTimeStep;
    if (!(tolerance > T(0))) return Status::kBadTolerance;
    if (!is_finite(margin) || !is_finite(bounce_speed)) return Status::kNotFinite;
    return margin >= T(0) && bounce_speed >= T(0) ? Status::kOk : Status::kBadConstraint;
  }
};

// Calls f(i) for 0 .. count - 1. Another executor may do so in any order, or at the same time, and
// returns when all are done.
struct Serially {
  template <class F>
  void operator()(int count, F&& f) const {
    for (int i = 0; i < count; ++i) f(i);
  }
};

template <class Mechanism, int kMaxParts, int kMaxContacts = 1>
class PartStepper {
 public:
  using T = typename Mechanism::Scalar;
  using System = PartSystem<Mechanism, kMaxParts>;
  using Contacts = PartContacts<Mechanism, kMaxContacts>;
  using State = maximal::State<Mechanism>;
  using Solver = Lagrange<Mechanism>;  // its types; it is not made
  using Loads = typename Solver::Loads;
  using Velocities = VelocitiesOf<Mechanism>;
  using Multipliers = MultipliersOf<Mechanism>;

  // A static mechanism may be {}.
  explicit PartStepper(const Mechanism& mechanism) : system_(mechanism), contacts_(mechanism) {
    start_.v = change_ = Velocities::Zero(mechanism.counts().v);
    impulse_ = Multipliers::Zero(mechanism.counts().lambda);
    statuses_.resize(at(std::max(kMaxParts, pieces())));
  }

  // The split, and what may touch; both before the first step.
  Status assign(const PartTable& table) {
    factored_ = false;
    return system_.assign(table);
  }
  Status assign(const contact::Scene<T>& scene) { return contacts_.assign(scene); }

  // On any status but kOk the state is as it was; kNotConverged: more sweeps, or a smaller step,
  // would be needed.
  template <class Executor = Serially>
  [[nodiscard]] Status step(State& state, const Loads& loads, const PartSettings<T>& settings,
                            const Executor& run = {}) {
    const MechanismCounts counts = mechanism().counts();
    Status status = settings.check();
    if (status == Status::kOk && loads.force.size() != counts.v) status = Status::kWrongSize;
    if (status == Status::kOk) status = finite(loads);
    if (status == Status::kOk) status = check_state(mechanism(), state);
    if (status == Status::kOk &&
        !(factored_ && state.x == end_.x && state.v == end_.v && state.time == end_.time)) {
      status = factor(state, run);
    }
    factored_ = false;
    if (status == Status::kOk) status = contacts_.find(state, settings.margin);
    if (status != Status::kOk) return status;
    impulse_.setZero(counts.lambda);
    start_ = end_ = state;
    end_.time = state.time + settings.dt;
    sweeps_ = 0;
    status = correct_positions(loads, settings, run);
    if (status == Status::kOk) status = correct_velocities(settings, run);
    if (status == Status::kOk) status = check_state(mechanism(), end_);
    if (status != Status::kOk) return after_start(status);
    factored_ = true;
    state = end_;
    return Status::kOk;
  }

  // Of the last step that was kOk: what each row passed on, in N s or N m s, how many sweeps it
  // took, and how far the state is from its rows and behind its contacts.
  const Multipliers& impulse() const { return impulse_; }
  const Contacts& contacts() const { return contacts_; }
  int sweeps() const { return sweeps_; }
  ConstraintErrors<T> errors() const {
    return {larger(largest(system_.value), contacts_.deepest()), largest(system_.rate)};
  }

  const System& system() const { return system_; }
  const Mechanism& mechanism() const { return system_.mechanism(); }

 private:
  // Bodies that an executor gets as one piece of work.
  static constexpr int kBodiesAtOnce = 32;
  // The share of the error that sweeps leave before bodies are predicted anew.
  static constexpr T kReduction = T(0.1);

  // start_.v changes until end_, a free motion later, is on the constraints.
  template <class Executor>
  Status correct_positions(const Loads& loads, const PartSettings<T>& settings,
                           const Executor& run) {
    const T per_step = T(1) / settings.dt;
    T last(0), missed(0);
    int left = settings.max_sweeps;
    for (int round = 0;; ++round) {
      if (const Status status = predict(loads, settings.dt, run); status != Status::kOk) {
        return status;
      }
      measure(settings.dt, run);
      contacts_.aim_at_positions(end_, settings.dt);
      const T error = larger(larger(largest(slip_), contacts_.deepest()), missed);
      if (!(error > settings.tolerance)) return finite(error);
      // bodies turn far within a step where something hits: rows are looked at where they go
      if (round > 0 && error > T(0.5) * last) {
        if (const Status status = factor(end_, run); status != Status::kOk) return status;
      }
      last = error;
      system_.b = per_step * slip_;
      const T goal = std::max(kReduction * error, T(0.5) * settings.tolerance);
      const Status status = sweep(per_step * goal, left, run);
      if (status != Status::kOk) return status;
      start_.v += change_;
      // contacts that only touch have no error of their own to be seen by
      missed = goal > settings.tolerance ? goal : T(0);
    }
  }

  // The rows' errors over the step.
  template <class Executor>
  void measure(const T& h, const Executor& run) {
    const auto evaluate = [&](const State& state) {
      run(system_.parts().size(), [&](int part) { system_.evaluate(part, state); });
    };
    const bool slips = mechanism().counts().velocity_rows > 0;
    if (slips) evaluate(start_), slip_ = system_.rate;
    evaluate(end_);
    if (!slips) slip_ = system_.value;
    if (slips) take_errors_over_step(mechanism(), h, system_.value, system_.rate, slip_);
  }

  template <class Executor>
  Status correct_velocities(const PartSettings<T>& settings, const Executor& run) {
    const T tolerance = settings.tolerance / settings.dt;
    int left = settings.max_sweeps;
    Status status = factor(end_, run);
    if (status != Status::kOk) return status;
    contacts_.aim_at_velocities(end_, settings.tolerance, settings.bounce_speed);
    system_.b = system_.rate;
    status = sweep(T(0.5) * tolerance, left, run);
    if (status != Status::kOk) return status;
    end_.v += change_;
    run(system_.parts().size(), [&](int part) { system_.evaluate(part, end_); });
    return finite(errors().velocity);
  }

  // Sweeps until no row is off by more than the goal, as often as there are sweeps left.
  template <class Executor>
  Status sweep(const T& goal, int& left, const Executor& run) {
    change_.setZero(start_.v.size());
    T worst(0);
    do {
      if (left <= 0) return Status::kNotConverged;
      --left, ++sweeps_;
      for (int colour = 0; colour < system_.parts().colours(); ++colour) {
        const Range parts = system_.parts().of_colour(colour);
        run(parts.end - parts.first,
            [&](int i) { system_.correct(parts.first + i, change_, impulse_); });
      }
      worst = larger(largest(system_.lack), contacts_.correct(change_));
    } while (worst > goal);
    const bool good = is_finite(worst) && all_finite(change_.data(), mechanism().counts().v);
    return good ? Status::kOk : Status::kOverflow;
  }

  template <class Executor>
  Status predict(const Loads& loads, const T& h, const Executor& run) {
    const int count = mechanism().counts().bodies;
    run(pieces(), [&](int piece) {
      Status& status = statuses_[at(piece)];
      status = Status::kOk;
      const int end = std::min(count, (piece + 1) * kBodiesAtOnce);
      for (int i = piece * kBodiesAtOnce; i < end; ++i) {
        mechanism().body(i, [&]<class B>(const B& body, const BodyPlace& place) {
          const Status own = move_freely<Solver>(body, place, loads, h, start_, end_);
          if (status == Status::kOk) status = own;
        });
      }
    });
    return first_failure(pieces());
  }

  template <class Executor>
  Status factor(const State& state, const Executor& run) {
    run(system_.parts().size(),
        [&](int part) { statuses_[at(part)] = system_.factor(part, state); });
    return first_failure(system_.parts().size());
  }

  int pieces() const { return (mechanism().counts().bodies + kBodiesAtOnce - 1) / kBodiesAtOnce; }
  Status first_failure(int count) const {
    for (int i = 0; i < count; ++i) {
      if (statuses_[at(i)] != Status::kOk) return statuses_[at(i)];
    }
    return Status::kOk;
  }
  static Status finite(const Loads& loads) {
    const bool good = all_finite(loads.force.data(), static_cast<int>(loads.force.size())) &&
                      all_finite(loads.gravity.data(), 3);
    return good ? Status::kOk : Status::kNotFinite;
  }
  static Status finite(const T& value) {
    return is_finite(value) ? Status::kOk : Status::kOverflow;
  }

  System system_;
  Contacts contacts_;
  State start_, end_;
  Velocities change_;
  Multipliers impulse_, slip_;
  std::vector<Status> statuses_;
  int sweeps_ = 0;
  bool factored_ = false;  // the system's factor is of end_
};

}  // namespace lockstep::host::methods
