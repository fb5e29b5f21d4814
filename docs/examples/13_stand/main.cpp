// A quadruped falls 0.3 m, lands on its feet and stands: contacts with friction, limits of joints
// and drives in one step, in linear time. `lockstep sim --drop 0.3 --hold 60,0.6` needs no line of
// C++.
#include <cstdio>
#include <memory>

#include "lockstep/auxiliary/bounded_stepper.hpp"
#include "lockstep/contact/model_colliders.hpp"
#include "standing_quadruped.hpp"

using Robot = lockstep::Driven<quadruped>;  // joints have drives, which act implicitly
using Shapes = lockstep::contact::ModelColliders<quadruped, double>;
constexpr lockstep::Room kRoom = {.rows = 72, .contacts = 16};
constexpr int kBase = 6;  // the floating base's velocities come first, and have no motor

int main() {
  using Stepper = lockstep::BoundedStepper<Robot, double, kRoom>;
  const auto stepper = std::make_unique<Stepper>(lockstep::Scene<double>{
      .colliders = Shapes::colliders(), .pairs = {}, .ground = {.material = {.friction = 0.8}}});
  auto state = stepper->make_input();
  state.q[2] = 0.684;  // m: the feet are 0.3 above the ground
  const auto held = state.q;
  Stepper::Dofs kp = state.v, kd = state.v;
  for (int i = kBase; i < state.v.size(); ++i) kp[i] = 60, kd[i] = 0.6;

  std::printf("time [s]");
  for (const char* own : {"x", "y", "z"}) std::printf(",q.root_joint.%s [m]", own);
  for (const char* own : {"qx", "qy", "qz", "qw"}) std::printf(",q.root_joint.%s", own);
  for (std::size_t i = 1; i < quadruped::kJoints.size(); ++i) {
    std::printf(",q.%s [rad]", quadruped::kJointNames[i].data());
  }
  std::printf(",contacts\n");
  for (int step = 0; step <= 2000; ++step) {
    if (step % 10 == 0) {
      std::printf("%.3f", 0.001 * step);
      for (const double q : state.q) std::printf(",%.17g", q);
      std::printf(",%d\n", static_cast<int>(stepper->result().contacts().size()));
    }
    // what the drives do at the start of the step; the step makes it what they do at its end
    for (int i = kBase; i < state.v.size(); ++i) {
      state.tau[i] = kp[i] * (held[i + 1] - state.q[i + 1]) - kd[i] * state.v[i];
    }
    const auto status =
        stepper->step(state, {.dt = 0.001}, {.gains = {.kp = kp.data(), .kd = kd.data()}});
    if (!lockstep::has_moved(status)) {
      std::fprintf(stderr, "step %d: %s\n", step, lockstep::to_string(status));
      return 1;
    }
  }
}
