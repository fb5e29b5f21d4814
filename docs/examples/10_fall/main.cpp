// An arm falls: a step in time, and a record on standard output that `lockstep report` makes a page
// of.
#include <cstdio>

#include "lockstep/integrate/joint_stepper.hpp"
#include "lockstep/kinematics.hpp"
#include "six_axis_arm.hpp"

constexpr auto kLift = lockstep::joint_index<six_axis_arm>("lift");
constexpr auto kElbow = lockstep::joint_index<six_axis_arm>("elbow");

int main() {
  lockstep::JointStepper<six_axis_arm> stepper;
  lockstep::Kinematics<six_axis_arm> arm;
  auto state = stepper.make_input();  // at rest, gravity on, no torques
  state.q[kLift.q] = -1.0, state.q[kElbow.q] = 1.2;

  std::printf("time [s]");
  for (const auto name : six_axis_arm::kJointNames) std::printf(",q.%s [rad]", name.data());
  for (const auto name : six_axis_arm::kJointNames) std::printf(",v.%s [rad/s]", name.data());
  std::printf(",energy [J]\n");
  for (int step = 0; step <= 1000; ++step) {
    if (step % 10 == 0) {
      lockstep::Kinematics<six_axis_arm>::Energy energy;
      if (arm.energy(state.q, state.v, state.gravity, energy) != lockstep::Status::kOk) return 1;
      std::printf("%.3f", 0.001 * step);
      for (const double q : state.q) std::printf(",%.17g", q);
      for (const double v : state.v) std::printf(",%.17g", v);
      std::printf(",%.17g\n", energy.kinetic + energy.potential);
    }
    // nothing takes energy and nothing gives any: the implicit midpoint keeps it
    const auto status = stepper.step(state, 0.001, lockstep::Integrator::kMidpoint);
    if (!lockstep::has_moved(status)) {
      std::fprintf(stderr, "%s\n", lockstep::to_string(status));
      return 1;
    }
  }
}
