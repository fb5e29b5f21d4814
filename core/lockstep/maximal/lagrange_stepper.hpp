// Steps a mechanism in maximal coordinates: poses and velocities of all bodies a moment later,
// under loads that are held. Accelerations keep the rows' second rates at zero; what rounding and
// the integrator leave is pulled back by Baumgarte's terms, or taken out by projection: positions,
// then velocities, are put back onto the constraints with one factor of H at the end of the step.
// Semi-implicit Euler: one factor a step, error of order dt, rows that yield as they will at its
// end. Runge-Kutta: four, error of order dt^4, such rows as they are; its stages add up in the
// tangent space of the poses at the start (Munthe-Kaas 1999).
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/integrate/project.hpp"
#include "lockstep/integrate/runge_kutta.hpp"
#include "lockstep/maximal/lagrange.hpp"
#include "lockstep/maximal/mass_norm.hpp"
#include "lockstep/maximal/no_contacts.hpp"

namespace lockstep::maximal {

template <class Mechanism, Equations Method = SparseSystem<Mechanism>>
class LagrangeStepper {
 public:
  static_assert(Method::kIsExact, "accelerations are not corrected by what they lead to");
  using Solver = Lagrange<Mechanism, Method>;
  using T = typename Solver::T;
  using State = typename Solver::State;
  using Loads = typename Solver::Loads;
  using Solution = typename Solver::Solution;
  using Velocities = typename Solver::Velocities;

  LagrangeStepper() requires Mechanism::kIsStatic = default;
  explicit LagrangeStepper(const Mechanism& mechanism) : solver_(mechanism) {}

  Solver& solver() { return solver_; }

  // On any status but kOk the state is as it was; kNotConverged means that a projection would have
  // needed more solves.
  [[nodiscard]] Status step(State& state, const Loads& loads, const StepSettings<T>& settings) {
    NoContacts none;
    return step(state, loads, settings, none);
  }
  // The same with contacts and bounds. Where one is near, velocities may jump within the step,
  // which goes by semi-implicit Euler then. kStoppedShort: the step was taken, but their rows'
  // solver used up its bound.
  template <class Contacts>
  [[nodiscard]] Status step(State& state, const Loads& loads, const StepSettings<T>& settings,
                            Contacts& contacts) {
    const T dt = settings.dt;
    if (const Status status = settings.check(); status != Status::kOk) return status;
    const bool by_stages = settings.integrator == Integrator::kRungeKutta4;
    if (!by_stages && settings.integrator != Integrator::kSemiImplicitEuler) {
      return Status::kBadConstraint;
    }
    next_ = state;
    roughness_ = T(0);
    const auto accelerate = [&](const SoftStep<T>& soft) {
      Status own = solver_.factor(state, soft);
      if (own != Status::kOk) return own;
      solver_.pull_back(settings.pull());
      own = solver_.accelerations(state, loads, solution_);
      return own == Status::kOk ? press(contacts, state, loads, dt) : own;
    };
    Status status = accelerate(by_stages ? SoftStep<T>::at_once() : SoftStep<T>::over(dt));
    const bool smooth = by_stages && !contacts.touches();
    if (status == Status::kOk && by_stages && !smooth && solver_.yields()) {
      status = accelerate(SoftStep<T>::over(dt));
    }
    if (status != Status::kOk) return status;
    status = smooth ? runge_kutta(state, loads, dt) : euler(state, dt);
    if (status != Status::kOk) return status;
    next_.time = state.time + dt;
    status = settings.stabilization == Stabilization::kProjection ? project(settings)
                                                                  : solver_.evaluate(next_);
    if (status != Status::kOk) return after_start(status);
    status = arrive(state);
    return contacts.stopped_short() ? Status::kStoppedShort : status;
  }

  // Kinematic manipulation (Baraff 1996, section 3): bodies follow the loads at once, f = m v, and
  // the constraints hold; state.v becomes their velocity. Errors go by position / dt.
  [[nodiscard]] Status drag(State& state, const Loads& loads, const T& dt) {
    if (!is_finite(dt) || !(dt > T(0))) return Status::kBadTimeStep;
    next_ = state;
    Status status = solver_.factor(state, SoftStep<T>::drag(dt));
    if (status != Status::kOk) return status;
    solver_.pull_back({T(1) / dt, T(0)});
    status = solver_.velocities(state, loads, solution_);
    if (status != Status::kOk) return status;
    next_.v = solution_.v;
    status = move(state, solution_.v, dt);
    next_.time = state.time + dt;
    if (status == Status::kOk) status = solver_.evaluate(next_);
    return status == Status::kOk ? arrive(state) : after_start(status);
  }

  // A blow: velocities jump, constraints hold, and what they pass on is in solution().lambda.
  [[nodiscard]] Status strike(State& state, const Velocities& impulse) {
    Status status = solver_.factor(state);
    if (status == Status::kOk) status = solver_.velocity_changes(impulse, solution_);
    if (status != Status::kOk) return status;
    next_ = state;
    next_.v += solution_.v;
    status = solver_.evaluate(next_);
    return status == Status::kOk ? arrive(state) : after_start(status);
  }

  // Puts a state onto its constraints: one that was assembled by hand, say.
  [[nodiscard]] Status assemble(State& state, const StepSettings<T>& settings) {
    next_ = state;
    Status status = settings.check_but_dt();
    if (status == Status::kOk) status = solver_.factor(state);
    if (status == Status::kOk) status = project(settings);
    return status == Status::kOk ? arrive(state) : status;
  }

  // Of the last step that was kOk: accelerations and multipliers at the state it began with, and
  // the errors of the one it ended with.
  const Solution& solution() const { return solution_; }
  const ConstraintErrors<T>& errors() const { return errors_; }
  // How far Runge-Kutta's two answers for the middle of the step are apart (after Collatz): the
  // velocity that they would differ by, over that of the bodies and what they gain, as the mass
  // matrix measures. Beyond some hundredths the step is too long to be trusted. Of tables only: a
  // static mechanism's program stays small.
  const T& roughness() const { return roughness_; }

 private:
  // What next_ is off, and it is the state.
  Status arrive(State& state) {
    errors_ = solver_.errors();
    state = next_;
    return Status::kOk;
  }

  // The accelerations once more, with the forces of what is touched.
  template <class Contacts>
  Status press(Contacts& contacts, const State& state, const Loads& loads, const T& dt) {
    contacts.begin();
    Status status = contacts.find(solver_, state);
    if (status != Status::kOk || !contacts.touches()) return status;
    rate_ = state.v + dt * solution_.v;
    vdot_sum_.setZero(state.v.size());
    status = contacts.press(state.v, rate_, dt, vdot_sum_);
    if (status != Status::kOk) return status;
    pressed_ = loads;
    pressed_.force += (T(1) / dt) * vdot_sum_;
    return solver_.accelerations(state, pressed_, solution_);
  }

  // next_.x = state.x (+) time * rate
  Status move(const State& state, const Velocities& rate, const T& time) {
    Status status = Status::kOk;
    next_.x = state.x;
    solver_.mechanism().bodies([&]<class B>(const B& body, const BodyPlace& place) {
      auto pose = load<typename B::Pose>(state.x.data() + place.x);
      const Status own =
          body.integrate(pose, load<Vector<T, B::kDimension>>(rate.data() + place.v), time);
      store(pose, next_.x.data() + place.x);
      if (status == Status::kOk) status = own;
    });
    return after_start(status);
  }

  Status euler(const State& state, const T& dt) {
    next_.v = state.v + dt * solution_.v;
    return move(state, next_.v, dt);
  }

  Status runge_kutta(const State& state, const Loads& loads, const T& dt) {
    rate_ = state.v;
    last_ = solution_;
    int stage = 0;
    return after_start(lockstep::runge_kutta(
        rate_, rate_sum_, last_.v, vdot_sum_, dt,
        [&](const Velocities& rate, const Velocities& vdot, const T& time) {
          next_.v = state.v + time * vdot;
          next_.time = state.time + time;
          return move(state, rate, time);
        },
        [&] {
          Status status = solver_.factor(next_);
          if (status == Status::kOk) status = solver_.accelerations(next_, loads, last_);
          if (!Mechanism::kIsStatic && ++stage == 2) measure(state, dt);
          return status;
        },
        [&](const T& time, Velocities& rate) { follow(time, rate); }));
  }
  // While vdot_sum_ is that of the first stage and twice the second, and last_ the third's.
  void measure(const State& state, const T& dt) {
    const auto size2 = [&](auto&& v) { return mass_norm2(solver_.mechanism(), state.x, v); };
    const T apart = size2([&](int i) {
      const T second = T(0.5) * (vdot_sum_[i] - solution_.v[i]);
      return T(dt * (last_.v[i] - second));
    });
    const T moves = size2([&](int i) { return state.v[i]; });
    const T gains = size2([&](int i) { return T(dt * solution_.v[i]); });
    const T scale = moves + gains;
    roughness_ = scale > T(0) ? T(sqrt(apart / scale)) : T(0);
  }
  // The velocities of next_, as rates of time * rate.
  void follow(const T& time, Velocities& rate) {
    solver_.mechanism().bodies([&]<class B>(const B& body, const BodyPlace& place) {
      Vector<T, B::kDimension> along;
      for (int i = 0; i < B::kDimension; ++i) along[at(i)] = time * rate[place.v + i];
      store(body.rate_along(along, load<Vector<T, B::kDimension>>(next_.v.data() + place.v)),
            rate.data() + place.v);
    });
  }

  Status project(const StepSettings<T>& settings) {
    Status status = solver_.evaluate(next_);
    if (status != Status::kOk) return status;
    const bool redundant = solver_.redundant_rows() > 0;
    status = lockstep::project(
        settings, next_.x, redundant, [&] { return solver_.errors().position; },
        [&] {
          Status moved = solver_.displacements(last_);
          if (moved == Status::kOk) moved = move(next_, last_.v, T(1));
          if (settings.dt > T(0)) next_.v += (T(1) / settings.dt) * last_.v;
          return moved == Status::kOk ? solver_.evaluate(next_) : moved;
        });
    if (status == Status::kOk) status = solver_.factor(next_);
    if (status != Status::kOk) return status;
    return lockstep::project(
        settings, next_.v, redundant, [&] { return solver_.errors().velocity; },
        [&] {
          rate_.setZero(next_.v.size());
          const Status changed = solver_.velocity_changes(rate_, last_);
          next_.v += last_.v;
          return changed == Status::kOk ? solver_.evaluate(next_) : changed;
        });
  }

  Solver solver_;
  ConstraintErrors<T> errors_;
  T roughness_ = T(0);
  State next_ = solver_.make_state();
  Solution solution_ = solver_.make_solution(), last_ = solution_;
  Loads pressed_ = solver_.make_loads();
  Velocities rate_ = next_.v, rate_sum_ = next_.v, vdot_sum_ = next_.v;
};

}  // namespace lockstep::maximal

#include "lockstep/restore_macros.hpp"
