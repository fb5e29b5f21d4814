// Bender 2007, sections 3 and 4: a step by impulses instead of forces. Every body is predicted to
// move freely over the step (free_motion.hpp); the rows' errors e there ask for velocity changes
// e / h at its start, which one solve gives for all of them at once; again until no row is off by
// more than the tolerance. At the end velocities are made to fit, with a factor that serves the
// next step's positions too: one factor a step, no stabilization, no drift beyond the tolerance,
// however long it runs.
#pragma once

#include "lockstep/maximal/free_motion.hpp"
#include "lockstep/maximal/no_contacts.hpp"

namespace lockstep::maximal {

template <class T>
struct ImpulseSettings {
  T dt{};
  T tolerance = T(1e-6);  // of every row, in its own unit (m, rad); of rates, per dt
  int max_solves = 20;    // of positions, and again of velocities

  constexpr Status check() const {
    if (!is_finite(dt) || !(dt > T(0))) return Status::kBadTimeStep;
    const bool good = is_finite(tolerance) && tolerance > T(0);
    return good ? Status::kOk : Status::kBadTolerance;
  }
};

template <class Mechanism, Equations Method = SparseSystem<Mechanism>>
class ImpulseStepper {
 public:
  using Solver = Lagrange<Mechanism, Method>;
  using T = typename Solver::T;
  using State = typename Solver::State;
  using Loads = typename Solver::Loads;
  using Solution = typename Solver::Solution;
  using Velocities = typename Solver::Velocities;
  using Multipliers = typename Solver::Multipliers;

  ImpulseStepper() requires Mechanism::kIsStatic = default;
  explicit ImpulseStepper(const Mechanism& mechanism) : solver_(mechanism) {}

  Solver& solver() { return solver_; }

  // On any status but kOk the state is as it was; kNotConverged: more solves, or a smaller step,
  // would be needed.
  [[nodiscard]] Status step(State& state, const Loads& loads, const ImpulseSettings<T>& settings) {
    NoContacts none;
    return step(state, loads, settings, none);
  }
  // The same with contacts and bounds (section 5): collisions before the step, then contacts along
  // with the corrections of positions and of velocities. kStoppedShort: the step was taken, but
  // their rows' solver used up its bound.
  template <class Contacts>
  [[nodiscard]] Status step(State& state, const Loads& loads, const ImpulseSettings<T>& settings,
                            Contacts& contacts) {
    const T h = settings.dt;
    Status status = settings.check();
    if (status == Status::kOk) status = solver_.check(loads);
    // the factor of the last step's end, unless someone has moved the state since
    if (status == Status::kOk &&
        !(factored_ && state.x == end_.x && state.v == end_.v && state.time == end_.time)) {
      status = solver_.template factor<Form::kAlone>(state);
    }
    factored_ = false;
    if (status != Status::kOk) return status;
    impulse_.setZero(solver_.mechanism().counts().lambda);
    start_ = state;
    status = collide(contacts, h);
    if (status == Status::kOk) status = correct_positions(loads, settings, contacts);
    if (status == Status::kOk) status = correct_velocities(settings, contacts);
    if (status != Status::kOk) return status == Status::kNotFinite ? Status::kOverflow : status;
    factored_ = true;
    state = end_;
    return contacts.stopped_short() ? Status::kStoppedShort : Status::kOk;
  }

  // Of the last step that was kOk: what each row passed on, in N s or N m s, how many solves it
  // took, and how far the state is from its rows.
  const Multipliers& impulse() const { return impulse_; }
  int solves() const { return solves_; }
  ConstraintErrors<T> drift() const { return solver_.drift(); }

 private:
  template <class Contacts>
  Status collide(Contacts& contacts, const T& h) {
    contacts.begin();
    const Status status = contacts.find(solver_, start_);
    if (status != Status::kOk || !contacts.collides(start_.v, h)) return status;
    return jump(start_.v, [&](auto& impulse) { return contacts.collide(start_.v, h, impulse); });
  }

  // Velocities change by the impulses that `find` adds; joints and loops hold.
  template <class F>
  Status jump(Velocities& v, F&& find) {
    none_.setZero(v.size());
    Status status = find(none_);
    if (status == Status::kOk) status = solver_.response(none_, change_);
    if (status != Status::kOk) return status;
    v += change_.v;
    impulse_ += change_.lambda;
    return Status::kOk;
  }

  // start_.v changes until end_, a free motion later, is on the constraints, and no contact's
  // surfaces are in each other. What is touched is solved with every correction, and once anyway.
  template <class Contacts>
  Status correct_positions(const Loads& loads, const ImpulseSettings<T>& settings,
                           Contacts& contacts) {
    for (solves_ = 0;; ++solves_) {
      if (contacts.touches()) before_ = start_.v;
      Status status = predict(loads, settings.dt);
      if (status == Status::kOk) status = solver_.evaluate(end_);
      if (status != Status::kOk) return status;
      const bool touched = solves_ > 0 || !contacts.touches();
      if (touched && drift().position <= settings.tolerance) return Status::kOk;
      if (solves_ >= settings.max_solves) return Status::kNotConverged;
      status = solver_.displacements(change_);
      if (status != Status::kOk) return status;
      const T per_step = T(1) / settings.dt;
      start_.v += per_step * change_.v;
      impulse_ += per_step * change_.lambda;
      if (!contacts.touches()) continue;
      mean_ = start_.v + T(0.5) * (end_.v - before_);
      status = jump(start_.v, [&](auto& impulse) {
        return contacts.support(mean_, settings.dt, solves_ > 0, impulse);
      });
      if (status != Status::kOk) return status;
    }
  }

  template <class Contacts>
  Status correct_velocities(const ImpulseSettings<T>& settings, Contacts& contacts) {
    const T tolerance = settings.tolerance / settings.dt;
    Status status = solver_.template factor<Form::kAlone>(end_);
    if (status == Status::kOk) status = contacts.find_touched(solver_, end_);
    const auto lacking = [&](int i) {
      return (i == 0 && contacts.touches()) || !(drift().velocity <= tolerance);
    };
    for (int i = 0; status == Status::kOk && lacking(i); ++i, ++solves_) {
      if (i >= settings.max_solves) return Status::kNotConverged;
      none_.setZero(end_.v.size());
      status = solver_.velocity_changes(none_, change_);
      end_.v += change_.v;
      impulse_ += change_.lambda;
      if (status == Status::kOk && contacts.touches()) {
        status = jump(end_.v, [&](auto& impulse) {
          return contacts.settle(end_.v, settings.dt, i > 0, impulse);
        });
      }
      if (status == Status::kOk) status = solver_.evaluate(end_);
    }
    return status;
  }

  // end_ = start_ after a time h of free motion, body by body.
  Status predict(const Loads& loads, const T& h) {
    Status status = Status::kOk;
    end_.time = start_.time + h;
    solver_.mechanism().bodies([&]<class B>(const B& body, const BodyPlace& place) {
      const Status own = move_freely<Solver>(body, place, loads, h, start_, end_);
      if (status == Status::kOk) status = own;
    });
    return status;
  }

  Solver solver_;
  State start_ = solver_.make_state(), end_ = start_;
  Solution change_ = solver_.make_solution();
  Velocities none_ = start_.v, before_ = none_, mean_ = none_;
  Multipliers impulse_ = change_.lambda;
  int solves_ = 0;
  bool factored_ = false;  // the solver's factor is of end_
};

}  // namespace lockstep::maximal
