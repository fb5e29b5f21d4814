// Eigen's dense solvers for oracles, compiled in one object.
#pragma once

#include <Eigen/Core>

namespace lockstep::test {

// A x = b by LU with full pivoting.
Eigen::MatrixXd solve_full_rank(const Eigen::MatrixXd& A, const Eigen::MatrixXd& b);

// The smallest x that brings A x nearest to b.
Eigen::MatrixXd solve_least_squares(const Eigen::MatrixXd& A, const Eigen::MatrixXd& b);

// Of a regular A, about.
double reciprocal_condition(const Eigen::MatrixXd& A);

}  // namespace lockstep::test
