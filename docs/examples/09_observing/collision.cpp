// An arm that swings runs into something: the observer of generalized momentum sees the effort from
// outside, and the arm lets go. Usage: example_09_collision PLOT.svg
#include <cmath>
#include <cstdio>
#include <memory>

#include "lockstep/integrate/joint_stepper.hpp"
#include "lockstep/inverse_dynamics.hpp"
#include "lockstep/observe/disturbance.hpp"
#include "plot.hpp"
#include "six_axis_arm.hpp"

using namespace lockstep;

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "usage: %s PLOT.svg\n", argv[0]), 1;
  constexpr double kDt = 0.001, kGain = 50, kHit = 0.5, kPush = 30;  // s, 1/s, s, N m
  const auto arm = std::make_unique<JointStepper<six_axis_arm>>();
  const auto inverse = std::make_unique<InverseDynamics<six_axis_arm>>();
  const auto observer = std::make_unique<DisturbanceObserver<six_axis_arm>>();
  auto state = arm->make_input();
  auto ask = inverse->make_input();
  auto tau = state.tau;
  const auto thresholds = decltype(state.tau)::Constant(10).eval();  // N m
  state.q[1] = -1, state.q[2] = 1;
  const auto start = state.q;

  Recording record("A collision with the second joint of an arm", "N m",
                   {"from outside", "observed", "observed, joint 3"});
  bool stopped = false;
  if (observer->start(state.q, state.v, state.gravity) != Status::kOk) return 1;
  for (int i = 0; i < 1000; ++i) {
    const double time = i * kDt, w = 3;
    // computed torque along a sine, until something is hit; then the arm only holds itself up
    for (int k = 0; k < 6; ++k) {
      const double size = k < 3 ? 0.3 : 0;
      const double q = start[k] + size * (1 - std::cos(w * time)),
                   v = size * w * std::sin(w * time);
      const double a = size * w * w * std::cos(w * time);
      ask.vdot[k] = stopped ? -5 * state.v[k] : a + 400 * (q - state.q[k]) + 40 * (v - state.v[k]);
    }
    ask.q = state.q, ask.v = state.v;
    if (inverse->inverse_dynamics(ask, tau) != Status::kOk) return 1;

    const double push = time >= kHit && time < kHit + 0.1 ? -kPush : 0;
    state.tau = tau;
    state.tau[1] += push;
    if (arm->step(state, kDt, Integrator::kRungeKutta4) != Status::kOk) return 1;
    // what the motors did is known, what pushed is not
    if (observer->update(state.q, state.v, tau, state.gravity, kGain, kDt) != Status::kOk) return 1;
    const auto& r = observer->external();
    record.add(0, time, push), record.add(1, time, r[1]), record.add(2, time, r[2]);
    const int joint = first_beyond(r, thresholds);
    if (joint == kNone || stopped) continue;
    stopped = true;
    std::printf("collision at joint %d after %.0f ms\n", joint + 1, 1000 * (time - kHit) + 1);
  }
  return record.write(argv[1]) && stopped ? 0 : 1;
}
