#include "dense.hpp"

#include <Eigen/Cholesky>

namespace lockstep::bench {

[[gnu::visibility("default")]] void solve_dense(double* A, double* b, int size) {
  Eigen::Map<Eigen::MatrixXd> matrix(A, size, size);
  Eigen::Map<Eigen::VectorXd> x(b, size);
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> factor(matrix);
  factor.solveInPlace(x);
}

}  // namespace lockstep::bench
