#include "support/dense_algebra.hpp"

#include <Eigen/LU>
#include <Eigen/QR>

namespace lockstep::test {

Eigen::MatrixXd solve_full_rank(const Eigen::MatrixXd& A, const Eigen::MatrixXd& b) {
  return A.fullPivLu().solve(b);
}

Eigen::MatrixXd solve_least_squares(const Eigen::MatrixXd& A, const Eigen::MatrixXd& b) {
  return A.completeOrthogonalDecomposition().solve(b);
}

double reciprocal_condition(const Eigen::MatrixXd& A) { return A.partialPivLu().rcond(); }

}  // namespace lockstep::test
