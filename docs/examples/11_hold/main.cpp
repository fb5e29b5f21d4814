// The same arm holds its pose: the torques that carry its weight, and drives that bring it back
// from a push. They act as they will at the end of the step, so that no gain is too stiff for the
// light wrist.
#include <cstdio>

#include "lockstep/integrate/joint_stepper.hpp"
#include "lockstep/inverse_dynamics.hpp"
#include "six_axis_arm.hpp"

constexpr auto kLift = lockstep::joint_index<six_axis_arm>("lift");
constexpr auto kElbow = lockstep::joint_index<six_axis_arm>("elbow");

int main() {
  lockstep::JointStepper<lockstep::Driven<six_axis_arm>> stepper;
  lockstep::InverseDynamics<six_axis_arm> inverse;
  auto state = stepper.make_input();
  state.q[kLift.q] = -1.0, state.q[kElbow.q] = 1.2;
  const auto held = state.q;
  auto weight = inverse.make_output();
  if (inverse.gravity_torque(held, state.gravity, weight) != lockstep::Status::kOk) return 1;
  auto kp = weight, kd = weight;
  kp.setConstant(1500);   // N m/rad
  kd.setConstant(150);    // N m s/rad
  state.v[kElbow.v] = 4;  // rad/s: the push

  std::printf("time [s]");
  for (const auto name : six_axis_arm::kJointNames) std::printf(",q.%s [rad]", name.data());
  for (const auto name : six_axis_arm::kJointNames) std::printf(",tau.%s [N m]", name.data());
  std::printf("\n");
  for (int step = 0; step <= 2000; ++step) {
    // what the drives do now; the step makes it what they do at its end
    state.tau = weight + kp.cwiseProduct(held - state.q) - kd.cwiseProduct(state.v);
    if (step % 10 == 0) {
      std::printf("%.3f", 0.001 * step);
      for (const double q : state.q) std::printf(",%.17g", q);
      for (const double tau : state.tau) std::printf(",%.17g", tau);
      std::printf("\n");
    }
    const auto status = stepper.step(state, 0.001, lockstep::Integrator::kSemiImplicitEuler,
                                     {kp.data(), kd.data()});
    if (status != lockstep::Status::kOk) {
      std::fprintf(stderr, "%s\n", lockstep::to_string(status));
      return 1;
    }
  }
}
