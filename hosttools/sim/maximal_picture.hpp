// A mechanism's state as a picture.
#pragma once

#include <Eigen/Core>

#include "mechanism/mechanism.hpp"
#include "plot/picture.hpp"

namespace lockstep::host::sim {

// The constraints of a state as lines, from where each takes hold of one body to where it takes
// hold of the other, by way of the bodies' centres; colliders of what is no particle as they are.
Picture picture_of(const Mechanism& mechanism, const Eigen::VectorXd& x);

}  // namespace lockstep::host::sim
