// Steps in joint space: q and v a moment later, under efforts that are held. Joints cannot drift
// apart (Baraff, section 2.2), and quaternions keep their length.
// Semi-implicit Euler: one forward dynamics a step, error of order dt. Dampers, springs and drives
// are implicit, stable however strong; Coriolis terms are not, and a fast arm may gain energy.
// The same with Coriolis terms of the velocities in the middle of the step, from a first answer:
// two of them, order dt, and far less energy that comes from nowhere. Implicit midpoint: some six
// of them, order dt^2, dt where there is damping; passive robots keep their energy (midpoint.hpp),
// springs too. 12 * 31 at most. Runge-Kutta: four of them, error of order dt^4; its stages add up
// in the tangent space of q at the start (Munthe-Kaas 1999), so that the order holds for joints
// that turn in space too.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/integrate/integrator.hpp"
#include "lockstep/integrate/midpoint.hpp"
#include "lockstep/integrate/runge_kutta.hpp"
#include "lockstep/joint_space.hpp"
#include "lockstep/solver.hpp"

namespace lockstep {

// Model and T as for Solver: lanes step as many states at once, each with the bits of its own.
template <class Model, class T = double>
class JointStepper : public Problem<typename ViewOf<Model, T>::Type, T> {
 public:
  using View = typename ViewOf<Model, T>::Type;
  using typename Problem<View, T>::Dofs;
  using typename Problem<View, T>::Input;
  using typename Problem<View, T>::Output;
  using typename Problem<View, T>::Wrenches;

  JointStepper() requires View::kIsStatic = default;
  explicit JointStepper(const View& model) : Problem<View, T>(model), solver_(model) {}

  using Time = NumberOf<T>;

  // Advances state.q and state.v by dt seconds. kStoppedShort: the midpoint was not found, and the
  // step was Euler's. On any other status but kOk the state is as it was. For lanes there is a
  // status a lane, and the others go on; they have no midpoint.
  [[nodiscard]] StatusOf<T> step(Input& state, Time dt, Integrator integrator) {
    return run<false>(state, nullptr, dt, integrator);
  }

  // The same with a wrench on every body, held in link axes: force and moment at its link's origin.
  [[nodiscard]] StatusOf<T> step(Input& state, const Wrenches& external, Time dt,
                                 Integrator integrator) {
    return run<true>(state, &external, dt, integrator);
  }

  // The same with drives; state.tau becomes what they did in it. Runge-Kutta holds it.
  [[nodiscard]] StatusOf<T> step(Input& state, Time dt, Integrator integrator,
                                 const DriveGains<T>& drives) requires(View::kIsDriven) {
    implicit_.drives = drives;
    const StatusOf<T> status = run<false>(state, nullptr, dt, integrator);
    implicit_.drives = {};
    return status;
  }

  // Accelerations and reactions at the state that the last step, or the last of its parts, began
  // with; but for Runge-Kutta, with dampers, springs and drives as the step has them.
  const Output& output() const { return output_; }

 private:
  // Without a step to be implicit in, what is added is zero: the bits of forward dynamics.
  static constexpr bool kSoft = View::kIsSoft;
  static constexpr bool kSprung = View::kHasSprings || View::kIsDriven;

  // A program without external wrenches does not carry their code.
  template <bool kExternal>
  StatusOf<T> run(Input& state, const Wrenches* external, Time dt, Integrator integrator) {
    if constexpr (!kIsLanes<T>) {
      if (integrator == Integrator::kMidpoint) {
        return midpoint_in_parts(state, before_, dt, [&](Time part, Integrator own) {
          return run_once<kExternal>(state, external, part, own);
        });
      }
    }
    return run_once<kExternal>(state, external, dt, integrator);
  }

  template <bool kExternal>
  StatusOf<T> run_once(Input& state, const Wrenches* external, Time dt, Integrator integrator) {
    if (!is_finite(dt) || !(dt > Time(0))) {
      return each_lane<T>([](int) { return Status::kBadTimeStep; });
    }
    if constexpr (kSoft) {
      begin_step(T(dt), integrator, implicit_);
      set_added_inertia(this->model(), implicit_, added_.data());
    }
    StatusOf<T> status = solve<kExternal>(with_springs(state), external, output_);
    if (all_failed(status)) return status;
    status = first_failure(status, integrate<kExternal>(state, external, T(dt), integrator));
    if (all_failed(status)) return status;
    const Truth<T> finite = all_finite(next_.v.data(), static_cast<int>(next_.v.size()));
    status = first_failure(status, each_lane<T>([&](int lane) {
                             return holds(finite, lane) ? Status::kOk : Status::kOverflow;
                           }));
    if constexpr (View::kIsDriven) {
      next_.tau = state.tau;
      follow(implicit_, state.v, next_.v, next_.tau);
      hand_out(status, next_.tau, state.tau);
    }
    hand_out(status, next_.q, state.q);
    hand_out(status, next_.v, state.v);
    return status;
  }

  // The state with what its springs and drives do among the efforts.
  const Input& with_springs(const Input& state) {
    if constexpr (!kSprung) return state;
    next_ = state;
    add_springs(this->model(), implicit_, state.q.data(), state.v.data(), next_.tau.data());
    return next_;
  }

  template <bool kExternal>
  StatusOf<T> integrate(const Input& state, const Wrenches* external, const T& dt,
                        Integrator integrator) {
    switch (integrator) {
      case Integrator::kSemiImplicitEuler: return euler(state, dt);
      case Integrator::kRungeKutta4: return runge_kutta<kExternal>(state, external, dt);
      case Integrator::kMidpoint:
        if constexpr (!kIsLanes<T>) return midpoint<kExternal>(state, external, dt);
        break;
      case Integrator::kEulerMiddle: return euler_middle<kExternal>(state, external, dt);
    }
    return each_lane<T>([](int) { return Status::kBadConstraint; });
  }

  template <class Values>
  static void hand_out(const StatusOf<T>& status, const Values& from, Values& to) {
    if constexpr (kIsLanes<T>) {
      for (Eigen::Index i = 0; i < to.size(); ++i) {
        for (int k = 0; k < kLanesOf<T>; ++k) {
          if (has_moved(status[static_cast<std::size_t>(k)])) to[i].set(k, from[i][k]);
        }
      }
    } else if (has_moved(status)) {
      to = from;
    }
  }

  template <bool kExternal>
  StatusOf<T> solve(const Input& at, const Wrenches* external, Output& out) {
    if constexpr (kSoft) {
      return solver_.template implicit_dynamics<kExternal>(at, external, added_, out);
    } else if constexpr (kExternal) {
      return solver_.forward_dynamics(at, *external, out);
    } else {
      return solver_.forward_dynamics(at, out);
    }
  }

  // Sets next_ to the state moved with constant rates for a time.
  StatusOf<T> move(const Input& state, const Dofs& rate, const Dofs& vdot, const T& time) {
    next_.v = state.v + time * vdot;
    return add_motion(this->model(), state.q.data(), rate.data(), time, next_.q.data());
  }

  StatusOf<T> euler(const Input& state, const T& dt) {
    rate_ = state.v + dt * output_.vdot;
    return move(state, rate_, output_.vdot, dt);
  }

  template <bool kExternal>
  StatusOf<T> euler_middle(const Input& state, const Wrenches* external, const T& dt) {
    last_.vdot = output_.vdot;
    const Dofs& effort = kSprung ? rate_sum_ : state.tau;
    if constexpr (kSprung) rate_sum_ = with_springs(state).tau;
    next_.q = state.q;
    next_.v = state.v + (dt * T(0.5)) * last_.vdot;
    next_.gravity = state.gravity;
    set_efforts_at_start(this->model(), effort, state.v, next_.v, next_.tau);
    const StatusOf<T> status = solve<kExternal>(next_, external, last_);
    if (all_failed(status))
      return each_lane<T>([&](int k) { return after_start(status_of(status, k)); });
    rate_ = state.v + dt * last_.vdot;
    const StatusOf<T> moved = first_failure(status, move(state, rate_, last_.vdot, dt));
    return each_lane<T>([&](int k) { return after_start(status_of(moved, k)); });
  }

  template <bool kExternal>
  Status midpoint(const Input& state, const Wrenches* external, const T& dt) {
    last_.vdot = output_.vdot;
    const Dofs& effort = kSprung ? rate_sum_ : state.tau;
    if constexpr (kSprung) rate_sum_ = with_springs(state).tau;
    next_.gravity = state.gravity;
    const Status status = lockstep::midpoint(
        state.v, rate_, last_.vdot, vdot_sum_, dt,
        [&](const Dofs& rate, T time) {
          next_.v = rate;
          set_efforts_at_start(this->model(), effort, state.v, rate, next_.tau);
          return add_motion(this->model(), state.q.data(), rate.data(), time, next_.q.data());
        },
        [&] { return solve<kExternal>(next_, external, last_); });
    return status == Status::kOk ? move(state, rate_, last_.vdot, dt) : status;
  }

  template <bool kExternal>
  StatusOf<T> runge_kutta(const Input& state, const Wrenches* external, const T& dt) {
    rate_ = state.v;
    last_.vdot = output_.vdot;
    next_.tau = state.tau;
    next_.gravity = state.gravity;
    const StatusOf<T> status = lockstep::runge_kutta(
        rate_, rate_sum_, last_.vdot, vdot_sum_, dt,
        [&](const Dofs& rate, const Dofs& vdot, const T& time) {
          const StatusOf<T> moved = move(state, rate, vdot, time);
          if constexpr (View::kHasSprings) {
            next_.tau = state.tau;
            add_springs(this->model(), implicit_, next_.q.data(), next_.v.data(), next_.tau.data());
          }
          return moved;
        },
        [&] { return solve<kExternal>(next_, external, last_); },
        [&](const T& time, Dofs& rate) {
          rates_along(this->model(), time, next_.v.data(), rate.data());
        });
    return each_lane<T>([&](int lane) { return after_start(status_of(status, lane)); });
  }

  Solver<Model, T> solver_;
  Output output_ = this->make_output(), last_ = this->make_output();
  Input next_ = this->make_input(), before_ = next_;
  Dofs rate_ = next_.v, rate_sum_ = next_.v, vdot_sum_ = next_.v, added_ = next_.v;
  Implicit<T> implicit_;
};

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
