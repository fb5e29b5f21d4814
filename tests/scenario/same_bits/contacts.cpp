// A quadruped lands on its feet, held by drives: BoundedStepper by each of its row solvers.
#include "hashes.hpp"
#include "lockstep/auxiliary/bounded_stepper.hpp"
#include "lockstep/contact/model_colliders.hpp"
#include "quadruped_passes.hpp"

namespace lockstep::test {

namespace {

template <class T>
void tell_landing(const char* what) {
  using Robot = Driven<quadruped_passes>;
  using Shapes = contact::ModelColliders<quadruped_passes, T>;
  using Stepper = BoundedStepper<Robot, T, Room{.rows = 84, .contacts = 16}>;
  static Stepper stepper(Scene<T>{
      .colliders = Shapes::colliders(), .pairs = {}, .ground = {.material = {T(0.8), T(0.2)}}});
  Witness<T> witness(what);
  for (const RowSolver solver :
       {RowSolver::kPivoting, RowSolver::kGaussSeidel, RowSolver::kNewton}) {
    stepper.forget();
    auto state = stepper.make_input();
    state.q[2] = T(0.4);
    const auto held = state.q;
    auto kp = state.v, kd = state.v;
    kp.tail(state.v.size() - 6).setConstant(T(60)), kd.tail(state.v.size() - 6).setConstant(T(1));
    int most = 0;
    for (int i = 0; i < 120; ++i) {
      state.tau.setZero();
      for (Eigen::Index k = 6; k < state.v.size(); ++k) {
        state.tau[k] = kp[k] * (held[k + 1] - state.q[k + 1]) - kd[k] * state.v[k];
      }
      witness.add(stepper.step(state, {.dt = T(0.002), .solver = solver},
                               {.gains = {kp.data(), kd.data()}}));
      witness.add(state.q), witness.add(state.v);
      most = stepper.result().contact_count > most ? stepper.result().contact_count : most;
    }
    if (most == 0) witness.add(Status::kOutOfOrder);  // it should have landed
  }
}

template <class T>
void tell_all() {
  tell_landing<T>("BoundedStepper, quadruped lands");
}

}  // namespace

void tell_contacts() {
  tell_all<float>();
  tell_all<double>();
}

}  // namespace lockstep::test
