// The plain way to the same answer, for `eval --method dense` and for the tests: all six
// coordinates of every body in world axes, every joint a block of rows, one dense solve (Baraff
// 1996, equations 7 and 8). Cubic time, no cleverness; nothing in it comes from the core.
#pragma once

#include "oracle/world.hpp"

namespace lockstep::host {

struct DenseOutput {
  Eigen::VectorXd vdot;
  Matrix6Xd
      reaction;  // a column per body: the wrench that its joint passes to it, as in DenseInput
};

enum class DenseEquation {
  kMultipliers,  // (7) J M^-1 J^T lambda = -(J M^-1 F + c), by Cholesky; every body needs a mass
  kWholeSystem,  // (8) [M -J^T; -J 0] (a, lambda) = (F, c), by LU; bodies may be massless
};

// The unreduced problem: M a = F + J^T lambda and J a + c = 0, with a the accelerations of the
// centres of mass (linear, then angular) of all bodies.
struct DenseSystem {
  Eigen::MatrixXd M;
  Eigen::MatrixXd J;
  Eigen::VectorXd F;  // gravity, external, joint efforts, gyroscopic moments
  Eigen::VectorXd c;  // the part of the rows' second derivative that velocities alone cause
  Eigen::MatrixXd H() const;
};

DenseSystem assemble(std::span<const Body> bodies, const std::vector<WorldBody>& placed,
                     const DenseInput& in);

// Throws Error where the system is singular.
DenseOutput solve_dense(std::span<const Body> bodies, const DenseInput& in,
                        DenseEquation equation = DenseEquation::kWholeSystem);

}  // namespace lockstep::host
