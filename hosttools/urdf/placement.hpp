// Between the reader's matrices, the core's, and the arrays of the model.
#pragma once

#include <Eigen/Core>
#include <array>

#include "lockstep/spatial.hpp"

namespace lockstep::host {

inline constexpr Mat3<double> kNoTurn = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

inline Vec3<double> to_vec(const Eigen::Vector3d& v) { return {v[0], v[1], v[2]}; }
inline Mat3<double> to_mat(const Eigen::Matrix3d& M) {
  return {to_vec(M.col(0)), to_vec(M.col(1)), to_vec(M.col(2))};
}

// adding +0 turns -0 into +0 and changes nothing else
inline std::array<double, 3> to_array(const Vec3<double>& v) {
  return {v.x + 0.0, v.y + 0.0, v.z + 0.0};
}
inline std::array<double, 9> to_rows(const Mat3<double>& M) {
  return {M.x.x + 0.0, M.y.x + 0.0, M.z.x + 0.0, M.x.y + 0.0, M.y.y + 0.0,
          M.z.y + 0.0, M.x.z + 0.0, M.y.z + 0.0, M.z.z + 0.0};
}
inline Mat3<double> from_rows(const std::array<double, 9>& R) {
  return {{R[0], R[3], R[6]}, {R[1], R[4], R[7]}, {R[2], R[5], R[8]}};
}

}  // namespace lockstep::host
