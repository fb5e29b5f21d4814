// A mechanism with loops in one file, as the conformance data has them: a table of joints, the
// constraints between their frames, and states. Type 3 lets two frames' origins coincide, type 6
// the frames.
#pragma once

#include <Eigen/Core>
#include <string>

#include "model/tree.hpp"

namespace lockstep::host {

// Throws Error when the file cannot be read or describes no mechanism.
Tree read_closed_case(const std::string& path);

// The rows' forces as the file wants them: on joint 1's body at frame 1, in its axes, force then
// moment.
Eigen::VectorXd constraint_force(const Tree& tree, const Eigen::VectorXd& mu);

}  // namespace lockstep::host
