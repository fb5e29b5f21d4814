// A mechanism's state as a picture: constraints as lines, colliders of what is no particle as
// balls.
#pragma once

#include "mechanism/mechanism.hpp"
#include "plot/picture.hpp"

namespace lockstep::host {

// From where a constraint takes hold of one body to where it takes hold of the other, by way of the
// bodies' centres.
Picture picture_of(const Mechanism& mechanism, const Eigen::VectorXd& x);

}  // namespace lockstep::host
