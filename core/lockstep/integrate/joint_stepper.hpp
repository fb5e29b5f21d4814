// Steps in joint space: q and v a moment later, under efforts that are held. Joints cannot drift
// apart (Baraff, section 2.2), and quaternions keep their length.
// Semi-implicit Euler: one forward dynamics a step, error of order dt. Joint damping is implicit,
// stable however strong; Coriolis terms are not, and a fast arm may gain energy at a coarse dt.
// Implicit midpoint: some six of them, order dt^2, dt where there is damping; passive robots keep
// their energy (midpoint.hpp).
// Runge-Kutta: four of them, error of order dt^4; its stages add up in the tangent space of q at
// the start (Munthe-Kaas 1999), so that the order holds for joints that turn in space too.
#pragma once

#include "lockstep/integrate/integrator.hpp"
#include "lockstep/integrate/midpoint.hpp"
#include "lockstep/integrate/runge_kutta.hpp"
#include "lockstep/joint_space.hpp"
#include "lockstep/solver.hpp"

namespace lockstep {

// Model and T as for Solver; T is a plain number.
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

  // Advances state.q and state.v by dt seconds. kStoppedShort: the midpoint was not found, and the
  // step was Euler's. On any other status but kOk the state is as it was.
  [[nodiscard]] Status step(Input& state, T dt, Integrator integrator) {
    return run<false>(state, nullptr, dt, integrator);
  }

  // The same with a wrench on every body, held in link axes: force and moment at its link's origin.
  [[nodiscard]] Status step(Input& state, const Wrenches& external, T dt, Integrator integrator) {
    return run<true>(state, &external, dt, integrator);
  }

  // Accelerations and reactions at the state that the last step began with; but for Runge-Kutta,
  // with the damping at its end.
  const Output& output() const { return output_; }

 private:
  // Without a step to be implicit in, what is added is zero: the bits of forward dynamics.
  static constexpr bool kSoft = View::kHasDamping;

  // A program without external wrenches does not carry their code.
  template <bool kExternal>
  Status run(Input& state, const Wrenches* external, T dt, Integrator integrator) {
    if (!is_finite(dt) || !(dt > T(0))) return Status::kBadTimeStep;
    if constexpr (kSoft) {
      const bool implicit = integrator != Integrator::kRungeKutta4;
      set_added_inertia(this->model(), implicit ? dt : T(0), added_.data());
    }
    if (const Status status = solve<kExternal>(state, external, output_); status != Status::kOk)
      return status;
    Status status = Status::kBadConstraint;
    switch (integrator) {
      case Integrator::kSemiImplicitEuler: status = euler(state, dt); break;
      case Integrator::kRungeKutta4: status = runge_kutta<kExternal>(state, external, dt); break;
      case Integrator::kMidpoint: status = midpoint<kExternal>(state, external, dt); break;
    }
    if (!has_moved(status)) return status;
    if (!all_finite(next_.v.data(), static_cast<int>(next_.v.size()))) return Status::kOverflow;
    state.q = next_.q;
    state.v = next_.v;
    return status;
  }

  template <bool kExternal>
  Status solve(const Input& at, const Wrenches* external, Output& out) {
    if constexpr (kSoft) {
      return solver_.template implicit_dynamics<kExternal>(at, external, added_, out);
    } else if constexpr (kExternal) {
      return solver_.forward_dynamics(at, *external, out);
    } else {
      return solver_.forward_dynamics(at, out);
    }
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

  template <bool kExternal>
  Status midpoint(const Input& state, const Wrenches* external, T dt) {
    last_.vdot = output_.vdot;
    next_.gravity = state.gravity;
    const Status status = lockstep::midpoint(
        state.v, rate_, last_.vdot, vdot_sum_, dt,
        [&](const Dofs& rate, T time) {
          next_.v = rate;
          set_efforts_at_start(this->model(), state.tau, state.v, rate, next_.tau);
          return add_motion(this->model(), state.q.data(), rate.data(), time, next_.q.data());
        },
        [&] { return solve<kExternal>(next_, external, last_); });
    if (status == Status::kOk) return move(state, rate_, last_.vdot, dt);
    const Status instead = euler(state, dt);
    return instead == Status::kOk ? Status::kStoppedShort : instead;
  }

  template <bool kExternal>
  Status runge_kutta(const Input& state, const Wrenches* external, T dt) {
    rate_ = state.v;
    last_.vdot = output_.vdot;
    next_.tau = state.tau;
    next_.gravity = state.gravity;
    const Status status = lockstep::runge_kutta(
        rate_, rate_sum_, last_.vdot, vdot_sum_, dt,
        [&](const Dofs& rate, const Dofs& vdot, T time) { return move(state, rate, vdot, time); },
        [&] { return solve<kExternal>(next_, external, last_); },
        [&](T time, Dofs& rate) { rates_along(this->model(), time, next_.v.data(), rate.data()); });
    // what was handed in was finite
    return status == Status::kNotFinite ? Status::kOverflow : status;
  }

  Solver<Model, T> solver_;
  Output output_ = this->make_output(), last_ = this->make_output();
  Input next_ = this->make_input();
  Dofs rate_ = next_.v, rate_sum_ = next_.v, vdot_sum_ = next_.v, added_ = next_.v;
};

}  // namespace lockstep
