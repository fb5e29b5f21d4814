// A scenario for a robot, in the numbers that target and twin compute with.
#pragma once

#include <memory>

#include "hil/scenario.hpp"
#include "hil/twin.hpp"
#include "robot/devices.hpp"
#include "robot/user_controller.hpp"

namespace lockstep::host::hil {

template <class T>
struct Plan {
  std::unique_ptr<LoopRobot<T>> robot;
  Tree whole;               // the robot with its rotors
  Bounds bounds;            // of the plant
  Devices devices;          // around it
  LoopSettings<T> plant;    // a step of the plant
  LoopSettings<T> control;  // the same at the controller's rate
  PlantState<T> start;
  std::unique_ptr<UserController> controller;  // in place of the host's own, if there is one
};

// Waves without a phase of their own get one from the seed, so that joints do not swing alike.
// Throws Error if the scenario does not fit the robot.
template <class T>
std::unique_ptr<Plan<T>> make_plan(const Tree& tree, const Scenario& scenario,
                                   const Bounds& bounds = {});

}  // namespace lockstep::host::hil
