// Accelerations and multipliers of a mechanism at its initial state, from the whole of Baraff's
// equation (8) at once.
#pragma once

#include <Eigen/Dense>

#include "mechanism/state.hpp"

namespace lockstep::test {

struct DenseMechanism {
  Eigen::VectorXd vdot, lambda;
};

DenseMechanism solve_dense(const host::Mechanism& mechanism);

}  // namespace lockstep::test
