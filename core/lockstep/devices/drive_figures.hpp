// The figures of a motor's and a gear's data sheet, and the drivetrain that they make, in the
// joint's units: efforts times the ratio, speeds by it, what is effort over speed times its square.
// Torque constant, resistance and voltage give the torque-speed line kt (V - kt w) / R.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <limits>

#include "lockstep/devices/drivetrain.hpp"

namespace lockstep {

// On the motor's shaft. Infinite or zero where nothing is said.
struct MotorFigures {
  double torque_constant = 0;                                // N m/A
  double resistance = 0;                                     // ohm, between terminals
  double voltage = std::numeric_limits<double>::infinity();  // V, of the supply
  double current = std::numeric_limits<double>::infinity();  // A, the most
  double inertia = 0;                                        // kg m^2, gear's input included
  double time_constant = 0;                                  // s, of the current loop
  double friction = 0;                                       // N m, dry: kt times no-load current
  double damping = 0;                                        // N m s/rad
  constexpr bool operator==(const MotorFigures&) const = default;
};

// Ratio on the motor's side over the joint's; the rest at the joint.
struct GearFigures {
  double ratio = 1;  // for a prismatic joint: rad/m
  double efficiency = 1;
  double coulomb = 0, stiction = 0;  // N m or N; stiction 0: as much as coulomb
  double stribeck = 0;               // rad/s or m/s
  double damping = 0;                // N m s/rad or N s/m
  double stiffness = 0;              // N m/rad or N/m
  double spring_damping = 0;         // N m s/rad or N s/m
  double backlash = 0;               // rad or m
  constexpr bool operator==(const GearFigures&) const = default;
};

template <class T>
constexpr Drivetrain<T> to_drivetrain(const MotorFigures& motor, const GearFigures& gear,
                                      int delay = 0) {
  const auto narrow = [](double x) {
    constexpr double kMost = static_cast<double>(std::numeric_limits<T>::max());
    return x > kMost ? std::numeric_limits<T>::infinity() : static_cast<T>(x);
  };
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double N = gear.ratio < 0 ? -gear.ratio : gear.ratio, kt = motor.torque_constant;
  const bool bounded = motor.current < kInfinity, fed = motor.voltage < kInfinity;
  const double at_motor = N * motor.friction;
  const double most = gear.stiction > gear.coulomb ? gear.stiction : gear.coulomb;
  return {
      .delay = delay,
      .effort = bounded ? narrow(N * kt * motor.current) : Drivetrain<T>::kInfinity,
      .time_constant = narrow(motor.time_constant),
      .stall = fed ? narrow(N * kt * motor.voltage / motor.resistance) : Drivetrain<T>::kInfinity,
      .back_emf = fed ? narrow(N * N * kt * kt / motor.resistance) : T(0),
      .efficiency = narrow(gear.efficiency),
      .coulomb = narrow(gear.coulomb + at_motor),
      .stiction = narrow(most + at_motor),
      .stribeck = narrow(gear.stribeck),
      .damping = narrow(gear.damping + N * N * motor.damping),
      .inertia = narrow(N * N * motor.inertia),
      .stiffness = narrow(gear.stiffness),
      .spring_damping = narrow(gear.spring_damping),
      .backlash = narrow(gear.backlash)};
}

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
