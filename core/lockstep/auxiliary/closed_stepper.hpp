// Steps a robot with loops and couplings in joint space, under efforts that are held. The tree's
// joints cannot drift; what rounding and the integrator leave of the rows is pulled back by
// Baumgarte's terms, from the errors at the start of the step, or taken out by projection. Cost:
// one factor and k x k system a step with semi-implicit Euler, four with Runge-Kutta, some six with
// the midpoint, one more to project velocities.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>

#include "lockstep/auxiliary/row_errors.hpp"
#include "lockstep/integrate/midpoint.hpp"
#include "lockstep/integrate/project.hpp"
#include "lockstep/integrate/runge_kutta.hpp"
#include "lockstep/joint_space.hpp"
#include "lockstep/rows/equality.hpp"

namespace lockstep {

// Model and T as for Anticipation. Rows: a class with ModelRows' visit, for a table.
template <class Model, class T, int kMaxRows, class Rows = ModelRows<Model, T>>
class ClosedStepper : public Problem<typename ViewOf<Model, T>::Type, T> {
 public:
  using View = typename ViewOf<Model, T>::Type;
  using typename Problem<View, T>::Dofs;
  using typename Problem<View, T>::Input;
  using typename Problem<View, T>::Output;
  using Solver = Anticipation<Model, T, kMaxRows>;
  using Forces = rows::Solution<T, kMaxRows>;
  using Settings = StepSettings<T>;
  using Errors = ConstraintErrors<T>;

  ClosedStepper() requires View::kIsStatic = default;
  ClosedStepper(const View& model, const Rows& rows)
      : Problem<View, T>(model), rows_(rows), solver_(model) {}

  // Advances state.q and state.v. kStoppedShort: the midpoint was not found, and the step was
  // Euler's. On any other status but kOk the state is as it was; kNotConverged means that a
  // projection would have needed more solves.
  [[nodiscard]] Status step(Input& state, const Settings& settings) {
    if (settings.integrator != Integrator::kMidpoint) return step_once(state, settings);
    return midpoint_in_parts(state, before_, settings.dt, [&](const T& dt, Integrator integrator) {
      Settings part = settings;
      part.dt = dt;
      part.integrator = integrator;
      return step_once(state, part);
    });
  }

  // The same with drives; state.tau becomes what they did in it. Runge-Kutta holds it.
  [[nodiscard]] Status step(Input& state, const Settings& settings,
                            const DriveGains<T>& drives) requires(View::kIsDriven) {
    implicit_.drives = drives;
    const Status status = step(state, settings);
    implicit_.drives = {};
    return status;
  }

  // Of the last step that was kOk: accelerations and reactions at the state it began with, the
  // rows' forces there, and the errors of the state it ended with.
  const Output& output() const { return output_; }
  const Forces& forces() const { return forces_; }
  const Errors& errors() const { return end_errors_; }

 private:
  Status step_once(Input& state, const Settings& settings) {
    const T dt = settings.dt;
    if (const Status status = settings.check(); status != Status::kOk) return status;
    pull_.fill(T(0));
    begin_step(dt, settings.integrator, implicit_);
    if (const Status status = begin(state, settings.pull()); status != Status::kOk) return status;
    if (const Status status = finish(output_); status != Status::kOk) return status;
    forces_ = solution_;
    next_.tau = state.tau;
    next_.gravity = state.gravity;
    Status status = Status::kBadConstraint;
    switch (settings.integrator) {
      case Integrator::kSemiImplicitEuler: status = euler(state, dt); break;
      case Integrator::kRungeKutta4: status = runge_kutta(state, dt); break;
      case Integrator::kMidpoint: status = midpoint(state, dt); break;
      case Integrator::kEulerMiddle: status = euler_middle(state, dt); break;
    }
    if (status == Status::kOk) {
      status =
          settings.stabilization == Stabilization::kProjection ? project(settings) : evaluate();
    }
    if (status == Status::kOk) {
      const bool finite = all_finite(next_.v.data(), static_cast<int>(next_.v.size()));
      status = finite ? Status::kOk : Status::kOverflow;
    }
    if (status != Status::kOk) return after_start(status);
    end_errors_ = largest_errors();
    if constexpr (View::kIsDriven) follow(implicit_, state.v, next_.v, state.tau);
    state.q = next_.q;
    state.v = next_.v;
    return Status::kOk;
  }

  // Places, factors and anticipates the first state; the pull of its errors is held for the step.
  Status begin(const Input& state, const Gains<T>& gains) {
    Status status = solver_.begin(state, implicit_);
    if (status == Status::kOk) {
      status = add_rows(solver_, this->model(), rows_, state.q.data(), state.v.data(), errors_);
    }
    if (status == Status::kOk) status = solver_.anticipate(system_);
    if (status != Status::kOk) return status;
    for (int i = 0; i < system_.count; ++i) {
      pull_[at(i)] = gains.position * errors_.value(i) + gains.velocity * errors_.rate(i);
    }
    if constexpr (may_yield<Rows>()) set_yields();
    return Status::kOk;
  }

  Status anticipate(const Input& state, const Implicit<T>& step = {}, bool has_springs = false) {
    Status status = solver_.begin(state, step, has_springs);
    if (status != Status::kOk) return status;
    if constexpr (may_yield<Rows>()) {
      status = add_rows(solver_, this->model(), rows_, state.q.data(), state.v.data(), errors_);
    } else {
      status = add_rows(solver_, rows_);
    }
    if (status == Status::kOk) status = solver_.anticipate(system_);
    if constexpr (may_yield<Rows>()) {
      if (status == Status::kOk) {
        step.h < step.dt ? soften_at_middle() : soften();
      }
    }
    return status;
  }

  // Springs and dampers of rows that yield.
  void set_yields() {
    for_soft_rows<T>(rows_, [&](int i, const SoftRows<T>& own) {
      pull_[at(i)] = T(0);
      if (!(implicit_.dt > T(0))) return;
      fast_[at(i)] = own.is_fast(implicit_, system_.A[at(i)][at(i)]);
      T& compliance = system_.rows[at(i)].compliance;
      compliance = own.compliance(implicit_, fast_[at(i)]);
      pull_[at(i)] =
          compliance * own.pull(implicit_, fast_[at(i)], errors_.value(i), errors_.rate(i));
    });
    soften();
  }
  // Those of fast rows are held for the step, others follow the middle as it is found, with the
  // acceleration that the last solve left. By Runge-Kutta they push as they do at the moment.
  void soften_at_middle() {
    for_soft_rows<T>(rows_, [&](int i, const SoftRows<T>& own) {
      if (!(implicit_.dt > T(0)) || fast_[at(i)]) return;
      const T& compliance = system_.rows[at(i)].compliance;
      const T a = -(compliance * solution_.mu[at(i)] + pull_[at(i)]);
      pull_[at(i)] =
          compliance * own.pull_at_middle(implicit_, errors_.value(i), errors_.rate(i), a);
    });
    soften();
  }
  void soften() {
    for_soft_rows<T>(rows_, [&](int i, const SoftRows<T>& own) {
      if (implicit_.dt > T(0)) {
        system_.A[at(i)][at(i)] = system_.A[at(i)][at(i)] + system_.rows[at(i)].compliance;
      } else {
        rows::prescribe(system_, i, own.force(errors_.value(i), errors_.rate(i)));
      }
    });
  }

  // Rows that contradict each other have an answer too.
  Status solve() {
    const Status status = equalities_.solve(system_, solution_);
    return status == Status::kNotConverged ? Status::kOk : status;
  }

  Status finish(Output& out) {
    for (int i = 0; i < system_.count; ++i) {
      system_.b[at(i)] = system_.b[at(i)] + pull_[at(i)];
    }
    const Status status = solve();
    return status == Status::kOk ? solver_.finish(solution_.mu, out) : status;
  }

  Errors largest_errors() const { return errors_.largest(soft_rows<T>(rows_)); }

  Status evaluate() {
    return errors_.evaluate(this->model(), rows_, next_.q.data(), next_.v.data());
  }

  // Sets next_ to the state moved with constant rates for a time.
  Status move(const Input& state, const Dofs& rate, const Dofs& vdot, T time) {
    next_.v = state.v + time * vdot;
    return add_motion(this->model(), state.q.data(), rate.data(), time, next_.q.data());
  }

  Status euler(const Input& state, T dt) {
    rate_ = state.v + dt * output_.vdot;
    return move(state, rate_, output_.vdot, dt);
  }

  Status euler_middle(const Input& state, T dt) {
    last_.vdot = output_.vdot;
    Dofs& effort = rate_sum_;
    effort = state.tau;
    add_springs(this->model(), implicit_, state.q.data(), state.v.data(), effort.data());
    next_.q = state.q;
    next_.v = state.v + (dt * T(0.5)) * last_.vdot;
    set_efforts_at_start(this->model(), effort, state.v, next_.v, next_.tau);
    Status status = anticipate(next_, implicit_, true);
    if (status == Status::kOk) status = finish(last_);
    rate_ = state.v + dt * last_.vdot;
    return status == Status::kOk ? move(state, rate_, last_.vdot, dt) : status;
  }

  Status midpoint(const Input& state, T dt) {
    last_.vdot = output_.vdot;
    Dofs& effort = rate_sum_;
    effort = state.tau;
    add_springs(this->model(), implicit_, state.q.data(), state.v.data(), effort.data());
    const Status status = lockstep::midpoint(
        state.v, rate_, last_.vdot, vdot_sum_, dt,
        [&](const Dofs& rate, T time) {
          next_.v = rate;
          set_efforts_at_start(this->model(), effort, state.v, rate, next_.tau);
          return add_motion(this->model(), state.q.data(), rate.data(), time, next_.q.data());
        },
        [&] {
          const Status begun = anticipate(next_, implicit_, true);
          return begun == Status::kOk ? finish(last_) : begun;
        });
    return status == Status::kOk ? move(state, rate_, last_.vdot, dt) : status;
  }

  Status runge_kutta(const Input& state, T dt) {
    rate_ = state.v;
    last_.vdot = output_.vdot;
    return lockstep::runge_kutta(
        rate_, rate_sum_, last_.vdot, vdot_sum_, dt,
        [&](const Dofs& rate, const Dofs& vdot, T time) { return move(state, rate, vdot, time); },
        [&] {
          const Status status = anticipate(next_);
          return status == Status::kOk ? finish(last_) : status;
        },
        [&](T time, Dofs& rate) { rates_along(this->model(), time, next_.v.data(), rate.data()); });
  }

  Status project(const Settings& settings) {
    Status status = evaluate();
    if (status != Status::kOk) return status;
    const bool redundant = solution_.redundant > 0;
    status = lockstep::project(
        settings, next_.q, redundant, [&] { return largest_errors().position; },
        [&] {
          return correct([&](int i) { return errors_.value(i); },
                         [&] {
                           next_.v += (T(1) / settings.dt) * rate_;
                           return add_motion(this->model(), next_.q.data(), rate_.data(), T(1),
                                             next_.q.data());
                         });
        });
    if (status == Status::kOk) status = anticipate(next_);
    if (status != Status::kOk) return status;
    return lockstep::project(
        settings, next_.v, redundant, [&] { return largest_errors().velocity; },
        [&] {
          return correct([&](int i) { return errors_.rate(i); },
                         [&] {
                           next_.v += rate_;
                           return Status::kOk;
                         });
        });
  }
  template <class Error, class Move>
  Status correct(const Error& error, const Move& move_on) {
    for (int row = 0; row < system_.count; ++row) system_.b[at(row)] = error(row);
    for_soft_rows<T>(rows_, [&](int i, const auto&) { rows::prescribe(system_, i, T(0)); });
    Status status = solve();
    if (status == Status::kOk) status = solver_.change(solution_.mu, rate_);
    if (status == Status::kOk) status = move_on();
    return status == Status::kOk ? evaluate() : status;
  }

  [[no_unique_address]] Rows rows_;
  Solver solver_;
  typename Solver::System system_;
  rows::EqualitySolver<T, kMaxRows> equalities_;
  auxiliary::RowErrors<View, T, kMaxRows> errors_;
  rows::Values<T, kMaxRows> pull_ = {};
  std::array<bool, at(may_yield<Rows>() ? kMaxRows : 0)> fast_;  // of rows that yield
  Forces solution_, forces_;
  Errors end_errors_;
  Output output_ = this->make_output(), last_ = this->make_output();
  Input next_ = this->make_input(), before_ = next_;
  Dofs rate_ = next_.v, rate_sum_ = next_.v, vdot_sum_ = next_.v;
  Implicit<T> implicit_;
};

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
