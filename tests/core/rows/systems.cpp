#include "core/rows/systems.hpp"

#include <Eigen/LU>

namespace lockstep::test {

std::vector<Eigen::VectorXd> all_answers(const Problem& p) {
  std::vector<Eigen::VectorXd> found;
  int combinations = 1;
  for (int i = 0; i < p.count(); ++i) combinations *= 3;
  for (int combination = 0; combination < combinations; ++combination) {
    Eigen::MatrixXd A = p.A;
    Eigen::VectorXd right = -p.b;
    bool possible = true;
    for (int i = 0, rest = combination; i < p.count(); ++i, rest /= 3) {
      if (rest % 3 == 0) continue;
      const rows::RowBound<double>& row = p.rows[rows::at(i)];
      const double sign = rest % 3 == 1 ? -1 : 1;
      A.row(i).setZero();
      A(i, i) = 1;
      if (row.kind == rows::RowKind::kFriction) A(i, row.normal) = -sign * row.coefficient;
      const auto [lower, upper] = allowed(p, Eigen::VectorXd::Zero(p.count()), i);
      right[i] = sign < 0 ? lower : upper;
      possible = possible && std::isfinite(right[i]);
    }
    if (!possible) continue;
    const Eigen::FullPivLU<Eigen::MatrixXd> factor(A);
    if (!factor.isInvertible()) continue;
    const Eigen::VectorXd mu = factor.solve(right);
    if (pyramid_failure(p, mu, 1e-12) < 1e-11) found.push_back(mu);
  }
  return found;
}

double distance_to_an_answer(const Problem& p, const Eigen::VectorXd& mu) {
  double nearest = kNoBound;
  for (const Eigen::VectorXd& answer : all_answers(p)) {
    nearest = std::min(nearest, (answer - mu).cwiseAbs().maxCoeff());
  }
  return nearest;
}

}  // namespace lockstep::test
