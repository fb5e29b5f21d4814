// Raspberry Pi Pico: a repeating timer counts milliseconds, the loop holds an arm against gravity.
// Sensors and motors are yours: here the angles are a slow wave.
#include <stdio.h>

#include "lockstep/hash.hpp"
#include "lockstep/inverse_dynamics.hpp"
#include "pico/stdlib.h"
#include "six_axis_arm.hpp"

static lockstep::InverseDynamics<six_axis_arm, float> inverse;  // preallocated
static volatile int ticks = 0;

static bool count_tick(repeating_timer_t*) {
  ticks = ticks + 1;
  return true;
}

int main() {
  stdio_init_all();
  auto in = inverse.make_input();
  auto tau = inverse.make_output();
  lockstep::Hash hash;
  repeating_timer_t timer;
  add_repeating_timer_ms(-1, count_tick, nullptr, &timer);  // -1: from start to start
  for (int tick = 1;; ++tick) {
    while (ticks < tick) tight_loop_contents();
    for (int i = 0; i < in.q.size(); ++i) in.q[i] = 0.3f + 0.001f * float(tick);
    if (inverse.gravity_torque(in.q, in.gravity, tau) != lockstep::Status::kOk) continue;
    for (int i = 0; i < tau.size(); ++i) hash.add(tau[i]);  // set_efforts(tau): yours
    if (tick % 100 == 0) {
      printf("tick %d hash %08x%08x\n", tick, unsigned(hash.value() >> 32), unsigned(hash.value()));
    }
  }
}
