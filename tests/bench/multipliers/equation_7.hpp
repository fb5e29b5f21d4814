// The methods that Baraff compares his with, all on A lambda = b with A = J M^-1 J^T, equation (7):
// a dense Cholesky factor of A, a banded one where the joints are a chain, conjugate gradients
// without A. All begin with the blocks of M and J, and end with multipliers and accelerations.
#pragma once

#include <Eigen/Cholesky>
#include <vector>

#include "dense.hpp"
#include "systems.hpp"

namespace lockstep::bench {

template <class World>
struct Equation7 {
  static constexpr int kBody = World::kBody, kRows = World::kRows;
  using Mass = Eigen::Matrix<double, kBody, kBody>;
  using Force = Eigen::Matrix<double, kBody, 1>;
  using Jacobian = Eigen::Matrix<double, kRows, kBody>;
  using RowVector = Eigen::Matrix<double, kRows, 1>;
  struct Joint {
    int a, b;
    Jacobian J_A, J_B;
    RowVector c;
  };

  // M vdot = force + J^T lambda, J vdot + c = 0
  std::vector<Mass> M;
  std::vector<Force> force;
  std::vector<Joint> joints;

  Eigen::VectorXd vdot, lambda;  // the answer
  int iterations = 0;            // of conjugate gradients

  void dense() {
    set_up();
    const Eigen::Index size = lambda.size();
    A_.setZero(size, size);
    each_block([&](int row, int column, const auto& block) {
      A_.template block<kRows, kRows>(row * kRows, column * kRows) += block;
    });
    lambda = b_;
    solve_dense(A_.data(), lambda.data(), static_cast<int>(size));
    accelerate();
  }

  // Row i holds columns i - kBand ... i of A.
  void banded() {
    set_up();
    const Eigen::Index size = lambda.size();
    band_.setZero(kBand + 1, size);
    each_block([&](int row, int column, const auto& block) {
      for (int i = 0; i < kRows; ++i) {
        for (int j = 0; j < kRows; ++j) {
          const int r = row * kRows + i, c = column * kRows + j;
          if (c <= r) band_(c - r + kBand, r) += block(i, j);
        }
      }
    });
    factor_band();
    solve_band();
    accelerate();
  }

  void conjugate_gradients(double tolerance) {
    set_up();
    lambda.setZero();
    Eigen::VectorXd &r = b_, &p = p_;
    p = r;
    double rr = r.squaredNorm();
    const double enough = tolerance * tolerance * rr;
    for (iterations = 0; rr > enough && iterations < 20 * lambda.size(); ++iterations) {
      apply(p, Ap_);
      const double step = rr / p.dot(Ap_);
      lambda += step * p;
      r -= step * Ap_;
      const double next = r.squaredNorm();
      p = r + (next / rr) * p;
      rr = next;
    }
    accelerate();
  }

 private:
  static constexpr int kBand = 2 * kRows - 1;

  static auto part(Eigen::VectorXd& x, int joint) {
    return x.template segment<kRows>(joint * kRows);
  }
  Mass& inverse(int body) { return inverse_[maximal::at(body)]; }

  // M^-1, and b = -(J M^-1 force + c)
  void set_up() {
    const std::size_t count = M.size();
    inverse_.resize(count), motion_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      inverse_[i] = M[i].llt().solve(Mass::Identity());
      motion_[i] = inverse_[i] * force[i];
    }
    const auto size = static_cast<Eigen::Index>(joints.size()) * kRows;
    lambda.resize(size), b_.resize(size), p_.resize(size), Ap_.resize(size);
    vdot.resize(static_cast<Eigen::Index>(count) * kBody);
    for (int i = 0; i < static_cast<int>(joints.size()); ++i) {
      const Joint& joint = joints[maximal::at(i)];
      part(b_, i) = -(joint.c + rate(joint));
    }
  }
  RowVector rate(const Joint& joint) const {
    return joint.J_A * motion_[maximal::at(joint.a)] + joint.J_B * motion_[maximal::at(joint.b)];
  }

  // The blocks on and below the diagonal, sum by sum: joints that share a body. Joint i holds body
  // i + 1, so the joint of a joint's body a is a - 1, and the other joints of a come before or
  // after it.
  template <class Add>
  void each_block(Add&& add) {
    for (int i = 0; i < static_cast<int>(joints.size()); ++i) {
      const Joint& joint = joints[maximal::at(i)];
      const Jacobian W_A = joint.J_A * inverse(joint.a);
      add(i, i, W_A * joint.J_A.transpose() + joint.J_B * inverse(joint.b) * joint.J_B.transpose());
      for (int j = i - 1; j >= 0; --j) {
        const Joint& other = joints[maximal::at(j)];
        if (other.b == joint.a) add(i, j, W_A * other.J_B.transpose());
        if (other.a == joint.a) add(i, j, W_A * other.J_A.transpose());
        if (other.b == joint.a) break;  // no joint of a is before the one that holds it
      }
    }
  }

  // A = L D L^T in place, D on the diagonal.
  void factor_band() {
    for (int r = 0; r < static_cast<int>(lambda.size()); ++r) {
      const int first = std::max(0, r - kBand);
      for (int c = first; c < r; ++c) {  // L D of this row
        double& entry = band_(c - r + kBand, r);
        for (int k = std::max(first, c - kBand); k < c; ++k) {
          entry -= band_(k - r + kBand, r) * band_(k - c + kBand, c);
        }
      }
      double& pivot = band_(kBand, r);
      for (int c = first; c < r; ++c) {
        double& entry = band_(c - r + kBand, r);
        const double scaled = entry / band_(kBand, c);
        pivot -= entry * scaled;
        entry = scaled;
      }
    }
  }
  void solve_band() {
    const int size = static_cast<int>(lambda.size());
    for (int r = 0; r < size; ++r) {
      double sum = b_[r];
      for (int c = std::max(0, r - kBand); c < r; ++c) sum -= band_(c - r + kBand, r) * lambda[c];
      lambda[r] = sum;
    }
    for (int r = 0; r < size; ++r) lambda[r] /= band_(kBand, r);
    for (int r = size - 1; r >= 0; --r) {
      for (int c = std::max(0, r - kBand); c < r; ++c) {
        lambda[c] -= band_(c - r + kBand, r) * lambda[r];
      }
    }
  }

  // A p as J (M^-1 (J^T p))
  void apply(Eigen::VectorXd& p, Eigen::VectorXd& out) {
    spread(p, [](Force& own, std::size_t) { own.setZero(); });
    for (int i = 0; i < static_cast<int>(joints.size()); ++i) {
      part(out, i) = rate(joints[maximal::at(i)]);
    }
  }
  void accelerate() {
    spread(lambda, [&](Force& own, std::size_t body) { own = force[body]; });
    for (std::size_t i = 0; i < M.size(); ++i) {
      vdot.segment<kBody>(static_cast<Eigen::Index>(i) * kBody) = motion_[i];
    }
  }
  // motion = M^-1 (start + J^T p)
  template <class Start>
  void spread(Eigen::VectorXd& p, Start&& start) {
    for (std::size_t i = 0; i < M.size(); ++i) start(motion_[i], i);
    for (int i = 0; i < static_cast<int>(joints.size()); ++i) {
      const Joint& joint = joints[maximal::at(i)];
      motion_[maximal::at(joint.a)] += joint.J_A.transpose() * part(p, i);
      motion_[maximal::at(joint.b)] += joint.J_B.transpose() * part(p, i);
    }
    for (std::size_t i = 0; i < M.size(); ++i) motion_[i] = (inverse_[i] * motion_[i]).eval();
  }

  std::vector<Mass> inverse_;
  std::vector<Force> motion_;
  Eigen::VectorXd b_, p_, Ap_;
  Eigen::MatrixXd A_, band_;
};

}  // namespace lockstep::bench
