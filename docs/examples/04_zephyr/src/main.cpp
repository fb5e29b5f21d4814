// Zephyr: a timer wakes the loop once a millisecond, the loop holds an arm against gravity. Sensors
// and motors are yours: here the angles are a slow wave.
#include <zephyr/kernel.h>
#include <zephyr/sys/printk.h>

#include "lockstep/hash.hpp"
#include "lockstep/inverse_dynamics.hpp"
#include "six_axis_arm.hpp"  // lockstep compile six_axis_arm.urdf -o src/six_axis_arm.hpp --name six_axis_arm

static lockstep::InverseDynamics<six_axis_arm, float> inverse;  // preallocated
K_TIMER_DEFINE(control_timer, nullptr, nullptr);

int main() {
  auto in = inverse.make_input();
  auto tau = inverse.make_output();
  lockstep::Hash hash;
  k_timer_start(&control_timer, K_MSEC(1), K_MSEC(1));
  for (int tick = 1;; ++tick) {
    k_timer_status_sync(&control_timer);
    for (int i = 0; i < in.q.size(); ++i) in.q[i] = 0.3f + 0.001f * float(tick);
    if (inverse.gravity_torque(in.q, in.gravity, tau) != lockstep::Status::kOk) continue;
    for (int i = 0; i < tau.size(); ++i) hash.add(tau[i]);  // set_efforts(tau): yours
    if (tick % 100 == 0) {
      printk("tick %d hash %08x%08x\n", tick, unsigned(hash.value() >> 32), unsigned(hash.value()));
    }
  }
}
