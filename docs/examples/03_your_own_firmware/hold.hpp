// What runs every millisecond, on the chip and on the host: an arm that its motors hold against
// gravity, with a little damping. No register in here, so both give the same bits.
#pragma once

#include <cstdint>
#include <cstring>

#include "my_arm/lockstep/integrate/joint_stepper.hpp"
#include "my_arm/lockstep/inverse_dynamics.hpp"
#include "my_arm/my_arm.hpp"

class Hold {
 public:
  static constexpr int kTicks = 500;  // half a second

  // The arm stretched out to the side and moving: without its motors it would fall.
  void start() {
    arm_ = stepper_.make_input();
    for (int i = 0; i < arm_.q.size(); ++i) arm_.q[i] = 0.3f, arm_.v[i] = 0.1f;
  }

  // Gravity compensation, then the arm itself: where yours has sensors and motors.
  bool tick() {
    auto tau = inverse_.make_output();
    if (inverse_.gravity_torque(arm_.q, arm_.gravity, tau) != lockstep::Status::kOk) return false;
    arm_.tau = tau - 0.5f * arm_.v;
    return stepper_.step(arm_, 1e-3f, lockstep::Integrator::kSemiImplicitEuler) ==
           lockstep::Status::kOk;
  }

  // Of the bits of q, v and tau, in this order (FNV-1a).
  std::uint64_t hash() const {
    std::uint64_t sum = 0xCBF29CE484222325u;
    for (const auto* values : {&arm_.q, &arm_.v, &arm_.tau}) {
      for (int i = 0; i < values->size(); ++i) {
        std::uint32_t bits;
        std::memcpy(&bits, values->data() + i, sizeof bits);
        for (int byte = 0; byte < 4; ++byte) {
          sum = (sum ^ ((bits >> (8 * byte)) & 0xFF)) * 0x00000100000001B3u;
        }
      }
    }
    return sum;
  }
  float angle(int joint) const { return arm_.q[joint]; }

 private:
  lockstep::InverseDynamics<my_arm, float> inverse_;
  lockstep::JointStepper<my_arm, float> stepper_;
  decltype(stepper_.make_input()) arm_;
};
