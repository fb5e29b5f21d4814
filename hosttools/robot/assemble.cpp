#include "robot/assemble.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "lockstep/joint_space.hpp"
#include "model/loop_rows.hpp"
#include "model/table.hpp"
#include "model/tree_rows.hpp"
#include "oracle/world.hpp"

namespace lockstep::host {

namespace {

constexpr int kStarts = 40;
constexpr int kSteps = 200;

double largest(const Eigen::VectorXd& v) { return v.size() == 0 ? 0 : v.cwiseAbs().maxCoeff(); }

// Into the limits of joints with one coordinate.
void keep_limits(const Tree& tree, Eigen::VectorXd& q) {
  Eigen::Index at = 0;
  for (const Body& body : tree.bodies) {
    if (dof_count(body.joint) == 1 && body.limits.lower <= body.limits.upper) {
      q[at] = std::clamp(q[at], body.limits.lower, body.limits.upper);
    }
    at += config_count(body.joint);
  }
}

// (J^T J + d)^-1 J^T = J^T (J J^T + d)^-1: the smaller of the two is solved. The damping is
// relative, and keeps redundant rows and joints that nothing holds where they are.
Eigen::VectorXd damped_step(const LoopRows& rows, double damping) {
  const Eigen::MatrixXd& J = rows.J;
  const bool wide = J.rows() < J.cols();
  Eigen::MatrixXd A = wide ? Eigen::MatrixXd(J * J.transpose()) : J.transpose() * J;
  A.diagonal().array() += damping * std::max(A.trace(), 1e-12);
  if (wide) return J.transpose() * A.ldlt().solve(rows.value);
  return A.ldlt().solve(J.transpose() * rows.value);
}

class Assembler {
 public:
  explicit Assembler(const Tree& tree) : tree_(tree), model_(to_table<double>(tree)) {}

  std::optional<Eigen::VectorXd> from(Eigen::VectorXd q) const {
    keep_limits(tree_, q);
    LoopRows rows = evaluate_rows(tree_, q);
    double damping = 1e-3;
    for (int step = 0; step < kSteps && rows.value.norm() > 0 && damping < 1e12; ++step) {
      const Eigen::VectorXd dq = -damped_step(rows, damping);
      Eigen::VectorXd trial = q;
      if (add_motion(*model_, q.data(), dq.data(), 1.0, trial.data()) != Status::kOk) {
        damping *= 10;
        continue;
      }
      keep_limits(tree_, trial);
      LoopRows there = evaluate_rows(tree_, trial);
      const bool better = there.value.norm() < rows.value.norm();
      damping = better ? std::max(damping / 10, 1e-15) : damping * 10;
      if (!better) continue;
      q = std::move(trial);
      rows = std::move(there);
    }
    if (holds(tree_, q, kAssembled)) return q;
    return std::nullopt;
  }

  // Somewhere within limits, or as far from the zero pose as `reach` tells: 1 is half a turn, or a
  // metre. A floating base stays.
  Eigen::VectorXd draw_pose(double reach) {
    Eigen::VectorXd dq = Eigen::VectorXd::Zero(total_dof(tree_.bodies));
    Eigen::Index at = 0;
    for (const Body& body : tree_.bodies) {
      for (const int axis : free_axes(body.joint)) {
        const double far = body.joint == JointType::kFloating ? 0.0
                           : axis < 3                         ? reach
                                                              : reach * std::numbers::pi;
        dq[at++] = far * draw();
      }
    }
    const Eigen::VectorXd zero = rest(tree_.bodies).q;
    Eigen::VectorXd q = zero;
    if (add_motion(*model_, zero.data(), dq.data(), 1.0, q.data()) != Status::kOk) return zero;
    return q;
  }

  std::optional<Eigen::VectorXd> from_drawn_poses() {
    for (int start = 1; start <= kStarts; ++start) {
      if (auto q = from(draw_pose(static_cast<double>(start) / kStarts))) return q;
    }
    return std::nullopt;
  }

 private:
  // in [-1, 1); written out because the standard distributions differ between libraries
  double draw() { return static_cast<double>(generator_()) / 2147483648.0 - 1.0; }

  const Tree& tree_;
  std::unique_ptr<TableModel<double, kHostBodies>> model_;
  std::mt19937 generator_;
};

}  // namespace

bool is_too_large(const Tree& tree) {
  return tree.bodies.size() > kHostBodies ||
         static_cast<long>(row_count(tree)) * total_dof(tree.bodies) > kMostEntries;
}

// What yields may be open, here and below.
bool holds(const Tree& tree, const Eigen::VectorXd& q, double tolerance) {
  const LoopRows rows = evaluate_rows(without_soft_rows(tree), q);
  return largest(rows.value) <= tolerance && std::ranges::count(rows.turned_over, true) == 0;
}

std::optional<Eigen::VectorXd> assemble(const Tree& whole) {
  const Tree tree = without_soft_rows(whole);
  Assembler assembler(tree);
  if (auto q = assembler.from(rest(tree.bodies).q)) return q;
  return assembler.from_drawn_poses();
}

std::optional<Eigen::VectorXd> nearest_pose(const Tree& whole) {
  const Tree tree = without_soft_rows(whole);
  Eigen::VectorXd q = rest(tree.bodies).q;
  keep_limits(tree, q);
  if (!is_closed(tree) || holds(tree, q, kClosed)) return q;
  return is_too_large(tree) ? std::nullopt : assemble(tree);
}

std::optional<Eigen::VectorXd> assemble_elsewhere(const Tree& whole) {
  const Tree tree = without_soft_rows(whole);
  return Assembler(tree).from_drawn_poses();
}

}  // namespace lockstep::host
