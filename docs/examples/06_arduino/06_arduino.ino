// Arduino: once a millisecond the loop holds an arm against gravity. Sensors and motors are yours: here
// the angles are a slow wave.
#include <Arduino.h>
#include <Lockstep.h>  // by this name the IDE finds the library

#include "lockstep/hash.hpp"
#include "lockstep/inverse_dynamics.hpp"
#include "six_axis_arm.hpp"  // lockstep compile six_axis_arm.urdf -o six_axis_arm.hpp --name six_axis_arm

static lockstep::InverseDynamics<six_axis_arm, float> inverse;  // preallocated
static auto in = inverse.make_input();
static auto tau = inverse.make_output();
static lockstep::Hash hash;
static int tick = 0;
static unsigned long last = 0;  // us

void setup() { Serial.begin(115200); }

void loop() {
  if (micros() - last < 1000) return;
  last += 1000;
  ++tick;
  for (int i = 0; i < in.q.size(); ++i) in.q[i] = 0.3f + 0.001f * float(tick);
  if (inverse.gravity_torque(in.q, in.gravity, tau) != lockstep::Status::kOk) return;
  for (int i = 0; i < tau.size(); ++i) hash.add(tau[i]);  // set_efforts(tau): yours
  if (tick % 100 == 0) {
    Serial.print("tick ");
    Serial.print(tick);
    Serial.print(" hash ");
    for (int shift = 60; shift >= 0; shift -= 4) {
      Serial.print("0123456789abcdef"[(hash.value() >> shift) & 15]);
    }
    Serial.println();
  }
}
