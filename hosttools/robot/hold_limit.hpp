// Whether springs and dampers that act in steps can hold a robot, or shake it.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>

#include "robot/trees.hpp"

namespace lockstep::host {

// tau = kp (held - q) - kd v + what holds the robot up at q. A floating base has no motor.
struct Hold {
  double kp = 0, kd = 0;
};

// A warning if the lightest motion of the robot at this pose, nothing touched, is not stable under
// torques that hold over a step. A joint of inertia I is while dt (2 kd + dt kp) < 4 I: the roots
// of z^2 - (2 - a - b) z + 1 - a, with a = dt kd / I and b = dt^2 kp / I, are then within the unit
// circle. None for robots whose loops are rows: they may hold such a motion.
std::optional<std::string> shaking(const RobotTrees& robot, const Eigen::VectorXd& q,
                                   const Hold& gains, double dt);

}  // namespace lockstep::host
