#include "support/dense_mechanism.hpp"

namespace lockstep::test {

DenseMechanism solve_dense(const host::Mechanism& mechanism) {
  const host::Offsets offsets(mechanism);
  std::vector<host::ConstraintState> states;
  for (std::size_t i = 0; i < mechanism.constraints.size(); ++i) {
    states.push_back(host::evaluate(mechanism, offsets, i));
  }
  const Eigen::MatrixXd J = host::jacobian(mechanism, states);
  const Eigen::Index n = J.cols(), m = J.rows();
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(n + m, n + m);
  Eigen::VectorXd r(n + m);
  for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) {
    const auto begin = static_cast<Eigen::Index>(offsets.velocity[i]);
    host::visit_body(mechanism.bodies[i], [&]<class B>(const B& body, std::size_t, std::size_t) {
      typename B::Pose pose;
      typename B::Velocity v;
      std::copy_n(mechanism.x0.data() + offsets.pose[i], sizeof pose / sizeof(double),
                  reinterpret_cast<double*>(&pose));
      std::copy_n(mechanism.v0.data() + begin, v.size(), v.begin());
      const auto M = body.mass_matrix(pose);
      const auto f = body.inertial_force(pose, v);
      for (Eigen::Index row = 0; row < B::kDimension; ++row) {
        const auto k = static_cast<std::size_t>(row);
        for (Eigen::Index column = 0; column < B::kDimension; ++column) {
          H(begin + row, begin + column) = M[k][static_cast<std::size_t>(column)];
        }
        r[begin + row] = f[k] + mechanism.forces[static_cast<std::size_t>(begin) + k];
      }
    });
    const Placement<double> centre = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {}};
    const auto held = host::hold(mechanism, offsets, static_cast<int>(i), centre);
    const Eigen::Vector3d weight =
        mechanism.bodies[i].numbers[0] * Eigen::Vector3d(mechanism.gravity.data());
    r.segment(begin, held.J.cols()) += held.J.topRows<3>().transpose() * weight;
  }
  H.topRightCorner(n, m) = -J.transpose();
  H.bottomLeftCorner(m, n) = J;
  Eigen::Index row = n;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const Eigen::VectorXd& c = states[i].c;
    const bool joins = mechanism.constraints[i].joins;
    if (joins) row -= c.size();
    r.segment(row, c.size()) = joins ? Eigen::VectorXd(r.segment(row, c.size()) - c) : -c;
    row += c.size();
  }
  row = n;
  for (std::size_t i = 0; i < states.size();) {
    const auto& [type, a, b, numbers, joins, parts, standing, k, d, m_own] =
        mechanism.constraints[i];
    Eigen::VectorXd phi = Eigen::VectorXd::Zero(states[i].value.size()), rate = phi;
    do {
      phi += states[i].value;
      rate += states[i].velocity_error;
    } while (++i < states.size() && mechanism.constraints[i].joins);
    // lambda + k phi + d rate + m (J vdot + c) = 0
    for (Eigen::Index j = 0; j < phi.size(); ++j, ++row) {
      if (k == 0 && d == 0 && m_own == 0) continue;
      H.row(row).head(n) *= m_own;
      H(row, row) = 1;
      r[row] = m_own * r[row] - k * phi[j] - d * rate[j];
    }
  }
  const Eigen::VectorXd x = H.completeOrthogonalDecomposition().solve(r);
  return {x.head(n), x.tail(m)};
}

}  // namespace lockstep::test
