// Where a robot will be when the torque that is decided now acts: the model stepped ahead from what
// is measured, through the torques that wait in the drives (Smith 1959, with the model itself in
// the place of a transfer function). With the plant's own step the prediction has the plant's bits.
// Cost: `delay` steps.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>

#include "lockstep/integrate/joint_stepper.hpp"

namespace lockstep {

// kMost: the longest delay in steps.
template <class Model, int kMost, class T = double>
class Predictor : private Problem<typename ViewOf<Model, T>::Type, T> {
  static_assert(kMost > 0);

 public:
  using View = typename ViewOf<Model, T>::Type;
  using typename Problem<View, T>::Dofs;
  using typename Problem<View, T>::Input;

  Predictor() requires View::kIsStatic : Predictor(View()) {}
  explicit Predictor(const View& model) : Problem<View, T>(model), stepper_(model) { clear(); }

  // Nothing waits: as if zeros had been sent for ever.
  void clear() {
    for (Dofs& tau : waiting_) tau = Dofs::Zero(this->model().counts().v);
    next_ = 0;
  }

  // What was sent at this tick.
  [[nodiscard]] Status sent(const Dofs& tau) {
    if (tau.size() != waiting_[0].size()) return Status::kWrongSize;
    if (!all_finite(tau.data(), static_cast<int>(tau.size()))) return Status::kNotFinite;
    waiting_[at(next_)] = tau;
    next_ = next_ + 1 < kMost ? next_ + 1 : 0;
    return Status::kOk;
  }

  // Moves a measured state to `delay` steps later, before this tick's torque is sent. On any status
  // but kOk it is as it was.
  [[nodiscard]] Status predict(Input& state, int delay, const T& dt, Integrator integrator) {
    if (delay < 0 || delay > kMost) return Status::kWrongSize;
    Input ahead = state;
    for (int i = delay; i > 0; --i) {
      ahead.tau = waiting_[at((next_ + kMost - i) % kMost)];
      const Status status = stepper_.step(ahead, dt, integrator);
      if (!has_moved(status)) return status;
    }
    ahead.tau = state.tau;
    state = ahead;
    return Status::kOk;
  }

 private:
  JointStepper<Model, T> stepper_;
  std::array<Dofs, static_cast<std::size_t>(kMost)> waiting_;
  int next_ = 0;
};

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
