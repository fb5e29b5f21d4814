// A robot that moves under torques, step by step, in joint space: the plant of the firmware, on the
// host and for any robot, so that the hash of a run is the one a board would report; or one with
// loops and couplings, with limits and friction of joints, with contacts.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>

#include "lockstep/integrate/settings.hpp"
#include "robot/devices.hpp"
#include "robot/joint_record.hpp"
#include "robot/state_file.hpp"
#include "sim/torques.hpp"

namespace lockstep::host::sim {

struct SimSettings {
  double dt = 0.001;
  Integrator integrator = Integrator::kSemiImplicitEuler;
  Stabilization stabilization = Stabilization::kBaumgarte;  // of loops
  std::array<double, 3> gravity = {0, 0, -9.81};
  bool limits = true;  // torques stay within the joints' efforts
  Bounds bounds;       // of the motion
  std::optional<Hold> hold;
  std::optional<Torques> torques;
  // Around the plant; a hold is then a controller that reads sensors once a step.
  const Devices* devices = nullptr;
};

struct SimOutcome {
  double seconds = 0;               // that stepping took, without watching
  std::uint64_t limited = 0;        // torques that were cut to their joint's limit
  ConstraintErrors<double> errors;  // of loops and couplings: the largest after any step
  BoundedOutcome bounded;
  std::uint64_t without_midpoint = 0;  // steps that found none and went by Euler
};

using Watch = std::function<void(std::uint64_t step, const JointMoment& now)>;

// Advances the state by so many steps in the scalar T. `watch` is called for the first state, the
// last, and those whose step `every` divides. Throws Error.
template <class T>
SimOutcome simulate(const RobotTrees& robot, const SimSettings& settings, std::uint64_t steps,
                    std::uint64_t every, SimState& state, const Watch& watch);

}  // namespace lockstep::host::sim
