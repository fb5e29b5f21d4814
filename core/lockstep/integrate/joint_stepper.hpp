// Steps in joint space: q and v a moment later, under efforts that are held. Joints cannot drift
// apart (Baraff, section 2.2), and quaternions keep their length.
// Semi-implicit Euler: one forward dynamics a step, error of order dt, no energy gained over time.
// Runge-Kutta: four of them, error of order dt^4; its stages add up in the tangent space of q at
// the start (Munthe-Kaas 1999), so that the order holds for joints that turn in space too.
#pragma once

#include "lockstep/integrate/integrator.hpp"
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

  // Advances state.q and state.v by dt seconds. On any status but kOk the state is as it was.
  [[nodiscard]] Status step(Input& state, T dt, Integrator integrator) {
    return run<false>(state, nullptr, dt, integrator);
  }

  // The same with a wrench on every body, held in link axes: force and moment at its link's origin.
  [[nodiscard]] Status step(Input& state, const Wrenches& external, T dt, Integrator integrator) {
    return run<true>(state, &external, dt, integrator);
  }

  // Accelerations and reactions at the state that the last step began with.
  const Output& output() const { return output_; }

 private:
  // A program without external wrenches does not carry their code.
  template <bool kExternal>
  Status run(Input& state, const Wrenches* external, T dt, Integrator integrator) {
    if (!is_finite(dt) || !(dt > T(0))) return Status::kBadTimeStep;
    if (const Status status = solve<kExternal>(state, external, output_); status != Status::kOk)
      return status;
    const Status status = integrator == Integrator::kRungeKutta4
                              ? runge_kutta<kExternal>(state, external, dt)
                              : euler(state, dt);
    if (status != Status::kOk) return status;
    if (!all_finite(next_.v.data(), static_cast<int>(next_.v.size()))) return Status::kOverflow;
    state.q = next_.q;
    state.v = next_.v;
    return Status::kOk;
  }

  template <bool kExternal>
  Status solve(const Input& at, const Wrenches* external, Output& out) {
    if constexpr (kExternal) {
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
  Dofs rate_ = next_.v, rate_sum_ = next_.v, vdot_sum_ = next_.v;
};

}  // namespace lockstep
