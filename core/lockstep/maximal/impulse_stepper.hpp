// Bender 2007, sections 3 and 4: a step by impulses instead of forces. Every body is predicted to
// move freely over the step (free_motion.hpp); the rows' errors e there ask for velocity changes
// e / h at its start, which one solve gives for all of them at once; again until no row is off by
// more than the tolerance. Rows that only velocities obey are demanded of the mean velocity over
// the step, so that e is what they slip in it, to the second order. At the end velocities are made
// to fit, with a factor that serves the next step's positions too: one factor a step, no
// stabilization, no drift beyond the tolerance, however long it runs.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/maximal/free_motion.hpp"
#include "lockstep/maximal/mass_norm.hpp"
#include "lockstep/maximal/no_contacts.hpp"

namespace lockstep::maximal {

template <class T>
struct ImpulseSettings {
  T dt{};
  T tolerance = T(1e-6);  // of every row, in its own unit (m, rad); of rates, per dt
  int max_solves = 20;    // of positions, and again of velocities
  // a step that would need more solves is taken as far as they got
  bool go_on = false;

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
  // would be needed. With go_on that is kStoppedShort, and the step was taken.
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
        !(factored_ && state.x == end_.x && state.v == end_.v && state.time == end_.time &&
          (h == factored_dt_ || !solver_.yields()))) {
      status = solver_.template factor<Form::kAlone>(state, SoftStep<T>::over(h));
    }
    factored_ = false;
    if (status == Status::kOk) status = begin_softly(state, loads);
    if (status != Status::kOk) return status;
    impulse_.setZero(solver_.mechanism().counts().lambda);
    start_ = state;
    status = collide(contacts, h);
    const bool touched = contacts.touches();
    bool stopped = false;
    const auto correct = [&](auto&& part) {
      if (status == Status::kOk) status = part();
      if (status != Status::kNotConverged || !settings.go_on) return;
      status = Status::kOk;
      stopped = true;
    };
    correct([&] { return correct_positions(loads, settings, contacts); });
    if (!touched) mean_ = end_.v;
    if (!touched && status == Status::kOk) take_soft_change();
    correct([&] { return correct_velocities(settings, contacts); });
    if (status != Status::kOk) return after_start(status);
    factored_ = true;
    factored_dt_ = h;
    roughness_ = T(0);
    if (!Mechanism::kIsStatic && !touched) weigh(state, settings);
    state = end_;
    return stopped || contacts.stopped_short() ? Status::kStoppedShort : Status::kOk;
  }

  // Of the last step that was kOk: what each row passed on, in N s or N m s, how many solves it
  // took, and how far the state is from its rows.
  const Multipliers& impulse() const { return impulse_; }
  int solves() const { return solves_; }
  ConstraintErrors<T> errors() const { return solver_.errors(); }
  // What the impulses of joints gave or took, which should be nothing, over the kinetic energy.
  // Those at the start gain half their velocity change squared, those at the end lose as much, as
  // the mass matrix measures. What the tolerance explains is left out, and what springs and dampers
  // do. Of tables only: a static mechanism's program stays small. Beyond some thousandths the step
  // is too long to be trusted.
  const T& roughness() const { return roughness_; }

 private:
  static constexpr bool kTakesSoftChange = Mechanism::kMayYield && !Mechanism::kIsStatic;

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
      if (status == Status::kOk) status = measure(settings.dt);
      if (status != Status::kOk) return status;
      const bool touched = solves_ > 0 || !contacts.touches();
      if (touched && largest(row_errors()) <= settings.tolerance) return Status::kOk;
      if (solves_ >= settings.max_solves) return Status::kNotConverged;
      status = solver_.displacements(row_errors(), change_);
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
    Status status = solver_.template factor<Form::kAlone>(end_, SoftStep<T>::over(settings.dt));
    if (status == Status::kOk) status = contacts.find_touched(solver_, end_);
    const auto lacking = [&](int i) {
      return (i == 0 && contacts.touches()) || !(errors().velocity <= tolerance);
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

  void weigh(const State& state, const ImpulseSettings<T>& settings) {
    const auto& mechanism = solver_.mechanism();
    const T gained = mass_norm2(mechanism, state.x, [&](int i) {
      T change = start_.v[i] - state.v[i];
      if constexpr (kTakesSoftChange) change = change - soft_change_[i];
      return change;
    });
    const T lost = mass_norm2(mechanism, end_.x, [&](int i) { return T(end_.v[i] - mean_[i]); });
    const T moves = mass_norm2(mechanism, end_.x, [&](int i) { return end_.v[i]; });
    T passed(0);
    for (const T& impulse : impulse_) passed = passed + (impulse < T(0) ? -impulse : impulse);
    const T apart = gained < lost ? lost - gained : gained - lost;
    const T more = apart - T(2) * passed * settings.tolerance / settings.dt;
    if (more > T(0)) roughness_ = more / (moves + gained + lost);
  }

  // What the impulses of rows that yield, which are no errors, have changed of the velocities at
  // the start: such rows let go, and pass on what they did.
  void take_soft_change() {
    if constexpr (kTakesSoftChange) {
      soft_change_.setZero(end_.v.size());
      if (!solver_.yields()) return;
      const SoftStep<T> loose = {T(0), T(0), T(0)};
      slip_.setZero(solver_.mechanism().counts().lambda);
      solver_.soft().for_rows(solver_.mechanism(), [&](int row, const ConstraintPlace& place) {
        slip_[row] = -(impulse_[row] / loose.P(place.softness.template in<T>()));
      });
      if (solver_.template factor<Form::kAlone>(start_, loose) != Status::kOk) return;
      if (solver_.displacements(slip_, change_) == Status::kOk) soft_change_ = change_.v;
    }
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

  // The rows' errors over the step.
  Status measure(const T& h) {
    if (!slips() && !solver_.yields()) return solver_.evaluate(end_);
    Status status = solver_.evaluate(start_);
    slip_ = solver_.velocity_errors();
    if constexpr (Mechanism::kMayYield) {
      rate_start_ = slip_;  // its size
      const auto& soft = solver_.soft();
      soft.for_rows(solver_.mechanism(),
                    [&](int row, const ConstraintPlace&) { rate_start_[row] = soft.rate(row); });
    }
    if (status == Status::kOk) status = solver_.evaluate(end_);
    take_errors_over_step(solver_.mechanism(), h, solver_.position_errors(),
                          solver_.velocity_errors(), slip_);
    if constexpr (Mechanism::kMayYield) {
      if (status != Status::kOk || !solver_.yields()) return status;
      auto& soft = solver_.soft();
      soft.turn_near(solver_.mechanism(), {near_.data(), at(static_cast<int>(near_.size()))});
      soft.put_lack(solver_.mechanism(), h, rate_before_, rate_start_, impulse_, slip_);
    }
    return status;
  }
  bool slips() const { return solver_.mechanism().counts().velocity_rows > 0; }
  const Multipliers& row_errors() const {
    return slips() || solver_.yields() ? slip_ : solver_.position_errors();
  }

  // What rows that yield are and how they move as the step begins.
  Status begin_softly(const State& state, const Loads& loads) {
    Status status = Status::kOk;
    if constexpr (Mechanism::kMayYield) {
      if (!solver_.yields()) return status;
      status = solver_.evaluate(state);
      auto& soft = solver_.soft();
      soft.turn_near(solver_.mechanism(), loads.near);
      near_ = impulse_, rate_before_ = impulse_;  // their sizes
      soft.for_rows(solver_.mechanism(), [&](int row, const ConstraintPlace&) {
        near_[row] = soft.value(row), rate_before_[row] = soft.rate(row);
      });
    }
    return status;
  }

  Solver solver_;
  State start_ = solver_.make_state(), end_ = start_;
  Solution change_ = solver_.make_solution();
  Velocities none_ = start_.v, before_ = none_, mean_ = none_;
  Multipliers impulse_ = change_.lambda, slip_ = impulse_;
  int solves_ = 0;
  T roughness_ = T(0);
  bool factored_ = false;  // the solver's factor is of end_,
  T factored_dt_{};        // and of such a step
  std::conditional_t<Mechanism::kMayYield, Multipliers, NoSoftRows> near_, rate_before_,
      rate_start_;
  std::conditional_t<kTakesSoftChange, Velocities, NoSoftRows> soft_change_;
};

}  // namespace lockstep::maximal

#include "lockstep/restore_macros.hpp"
