// Mass properties along the principal axes of inertia, with the digits of a double: peers that
// diagonalize by themselves keep fewer.
#pragma once

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include "central_inertia.hpp"

namespace lockstep::bench {

struct PrincipalInertia {
  Eigen::Matrix3d R_BI = Eigen::Matrix3d::Identity();  // from principal to body axes
  Eigen::Vector3d com = Eigen::Vector3d::Zero();       // in body axes
  Eigen::Vector3d moments = Eigen::Vector3d::Zero();
};

inline PrincipalInertia principal_inertia(const Body& body) {
  const auto [mass, com, I] = central_inertia(body);
  Eigen::Matrix3d moment;
  moment << I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5];
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(moment);
  PrincipalInertia result = {solver.eigenvectors(), Eigen::Map<const Eigen::Vector3d>(com.data()),
                             solver.eigenvalues()};
  if (result.R_BI.determinant() < 0) result.R_BI.col(0) *= -1;
  return result;
}

}  // namespace lockstep::bench
