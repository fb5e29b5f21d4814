// Energy, momentum and power of a state, from the bodies' motions in world axes.
#pragma once

#include "oracle/world.hpp"

namespace lockstep::host {

struct Mechanics {
  double kinetic = 0;    // J
  double potential = 0;  // J, zero at the world's origin with springs at rest
  double scale = 0;  // J, the bodies' weights times their distances: what rounding is relative to
  Eigen::Vector3d momentum = Eigen::Vector3d::Zero();          // kg m/s
  Eigen::Vector3d angular_momentum = Eigen::Vector3d::Zero();  // kg m^2/s, about the world's origin
  double power = 0;  // W, of joint efforts (damping included) and external wrenches
};

double spring_energy(std::span<const Body> bodies, const Eigen::VectorXd& q);    // J
double armature_energy(std::span<const Body> bodies, const Eigen::VectorXd& v);  // J
// An armature has a kinetic energy and no momentum: rotors that are merged count in trees where
// they are bodies.
Mechanics mechanics(std::span<const Body> bodies, const DenseInput& state);

}  // namespace lockstep::host
