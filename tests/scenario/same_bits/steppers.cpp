// Trees that move: each integrator, floating bases, rotors, drives that are implicit.
#include "geared_quadruped_passes.hpp"
#include "hashes.hpp"
#include "lockstep/integrate/joint_stepper.hpp"
#include "quadruped_passes.hpp"
#include "six_axis_arm.hpp"

namespace lockstep::test {

namespace {

constexpr int kSteps = 200;
constexpr Integrator kIntegrators[] = {Integrator::kSemiImplicitEuler, Integrator::kRungeKutta4,
                                       Integrator::kMidpoint, Integrator::kEulerMiddle};

template <class Model, class T>
void tell_motion(const char* what) {
  static JointStepper<Model, T> stepper;
  Witness<T> witness(what);
  for (const Integrator integrator : kIntegrators) {
    auto state = stepper.make_input();
    auto external = stepper.make_wrenches();
    Random random;
    random.fill(state.v, 1);
    for (int i = 0; i < kSteps; ++i) {
      random.fill(state.tau, 1);
      random.fill(external, 0.5);
      witness.add(stepper.step(state, external, T(0.001), integrator));
      witness.add(state.q), witness.add(state.v);
      witness.add_output(stepper.output());
    }
  }
}

template <class T>
void tell_driven(const char* what) {
  static JointStepper<Driven<six_axis_arm>, T> stepper;
  Witness<T> witness(what);
  for (const Integrator integrator : {Integrator::kSemiImplicitEuler, Integrator::kMidpoint}) {
    auto state = stepper.make_input();
    auto kp = state.v, kd = state.v;
    kp.setConstant(T(2000)), kd.setConstant(T(60));
    Random random;
    for (int i = 0; i < kSteps; ++i) {
      for (Eigen::Index k = 0; k < state.v.size(); ++k) {
        state.tau[k] = kp[k] * (T(0.3) - state.q[k]) - kd[k] * state.v[k];
      }
      witness.add(stepper.step(state, T(0.001), integrator, {kp.data(), kd.data()}));
      witness.add(state.q), witness.add(state.v), witness.add(state.tau);
    }
  }
}

template <class T>
void tell_all() {
  tell_motion<six_axis_arm, T>("JointStepper, arm");
  tell_motion<quadruped_passes, T>("JointStepper, quadruped");
  tell_motion<geared_quadruped_passes, T>("JointStepper, rotors");
  tell_driven<T>("JointStepper, drives");
}

}  // namespace

void tell_steppers() {
  tell_all<float>();
  tell_all<double>();
}

}  // namespace lockstep::test
