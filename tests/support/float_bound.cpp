#include "support/float_bound.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "oracle/energy.hpp"

namespace lockstep::test {

namespace {

using Eigen::MatrixXd;

double condition_of(const MatrixXd& M) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(M, Eigen::EigenvaluesOnly);
  return solver.eigenvalues().maxCoeff() / solver.eigenvalues().minCoeff();
}

// of the body's 6x6 inertia about its origin
double block_condition(const Body& body) {
  const auto& I = body.inertia;
  const auto& h = body.h;
  MatrixXd M = body.mass * MatrixXd::Identity(6, 6);
  M.bottomRightCorner<3, 3>() << I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5];
  M.topRightCorner<3, 3>() << 0, h[2], -h[1], -h[2], 0, h[0], h[1], -h[0], 0;
  M.bottomLeftCorner<3, 3>() = M.topRightCorner<3, 3>().transpose();
  return condition_of(M);
}

}  // namespace

double float_bound(std::span<const Body> bodies, double condition, host::EvalMethod method) {
  if (method == host::EvalMethod::kDirect) {
    for (const Body& body : bodies) condition = std::max(condition, block_condition(body));
  }
  return kFloatFactor * kFloatRoundoff * condition;
}

double mass_condition(std::span<const Body> bodies, const host::DenseInput& state) {
  host::DenseInput probe = state;
  const Eigen::Index n = state.v.size();
  const auto energy = [&](Eigen::Index i, Eigen::Index k) {
    probe.v.setZero();
    probe.v[i] += 1;
    probe.v[k] += 1;
    return host::mechanics(bodies, probe).kinetic;
  };
  // T(e_i + e_k) = (M_ii + M_kk) / 2 + M_ik
  MatrixXd M(n, n);
  for (Eigen::Index i = 0; i < n; ++i) M(i, i) = energy(i, i) / 2;
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index k = 0; k < i; ++k) {
      M(i, k) = M(k, i) = energy(i, k) - (M(i, i) + M(k, k)) / 2;
    }
  }
  return condition_of(M);
}

Cancellation cancellation_of(std::span<const Body> bodies, const host::DenseInput& state,
                             const host::DenseOutput& whole) {
  host::DenseInput still = host::rest(bodies);
  still.q = state.q;
  still.gravity.setZero();
  std::vector<host::DenseInput> parts(4, still);
  parts[0].tau = state.tau;
  parts[1].gravity = state.gravity;
  parts[2].external = state.external;
  parts[3].v = state.v;
  double vdot = 0, reaction = 0;
  for (const host::DenseInput& part : parts) {
    const host::DenseOutput out = host::solve_dense(bodies, part);
    vdot += out.vdot.cwiseAbs().maxCoeff();
    reaction += out.reaction.cwiseAbs().maxCoeff();
  }
  return {.vdot = vdot / std::max(1.0, whole.vdot.cwiseAbs().maxCoeff()),
          .reaction = reaction / std::max(1.0, whole.reaction.cwiseAbs().maxCoeff())};
}

}  // namespace lockstep::test
