// What rows say, one after the other: which of them say something new, and which velocities they
// leave none of. Orthogonalization, done twice for each row so that rounding does not add up.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace lockstep::host {

class RowSpace {
 public:
  explicit RowSpace(const Eigen::MatrixXd& J) : basis_(J.cols(), 0) {
    const double longest = J.rows() == 0 ? 0 : J.rowwise().norm().maxCoeff();
    for (Eigen::Index i = 0; i < J.rows(); ++i) {
      Eigen::VectorXd row = J.row(i);
      const double length = row.norm();
      bool is_new = length > kNothing * longest;
      if (is_new) {
        row /= length;
        for (int pass = 0; pass < 2 && rank() > 0; ++pass) {
          row -= basis_ * (basis_.transpose() * row);
        }
        is_new = row.norm() > kNothing;
      }
      is_new_.push_back(is_new);
      if (!is_new) continue;
      basis_.conservativeResize(Eigen::NoChange, basis_.cols() + 1);
      basis_.rightCols(1) = row.normalized();
    }
  }

  Eigen::Index rank() const { return basis_.cols(); }
  bool is_new(Eigen::Index row) const { return is_new_[static_cast<std::size_t>(row)]; }
  // Whether velocity i is zero wherever the rows are.
  bool determines(Eigen::Index i) const {
    return rank() > 0 && basis_.row(i).squaredNorm() > 1 - kNothing;
  }

 private:
  static constexpr double kNothing = 1e-7;

  Eigen::MatrixXd basis_;
  std::vector<bool> is_new_;
};

}  // namespace lockstep::host
