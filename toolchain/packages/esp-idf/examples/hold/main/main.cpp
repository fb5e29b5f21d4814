// Holds an arm against gravity, once a tick of FreeRTOS. Sensors and motors are yours: here the
// angles are a slow wave.
#include <stdio.h>

#include "freertos/FreeRTOS.h"
#include "freertos/task.h"
#include "lockstep/hash.hpp"
#include "lockstep/inverse_dynamics.hpp"
#include "six_axis_arm.hpp"

static lockstep::InverseDynamics<six_axis_arm, float> inverse;

extern "C" void app_main() {
  auto in = inverse.make_input();
  auto tau = inverse.make_output();
  lockstep::Hash hash;
  TickType_t woken = xTaskGetTickCount();
  for (int tick = 1;; ++tick) {
    vTaskDelayUntil(&woken, 1);
    for (int i = 0; i < in.q.size(); ++i) in.q[i] = 0.3f + 0.001f * float(tick);
    if (inverse.gravity_torque(in.q, in.gravity, tau) != lockstep::Status::kOk) continue;
    for (int i = 0; i < tau.size(); ++i) hash.add(tau[i]);
    if (tick % 100 == 0) {
      printf("tick %d hash %08x%08x\n", tick, unsigned(hash.value() >> 32), unsigned(hash.value()));
    }
  }
}
