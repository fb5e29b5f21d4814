// Between the reader's matrices, the core's, and the arrays of the model.
#pragma once

#include <Eigen/Core>
#include <array>

#include "lockstep/spatial.hpp"

namespace lockstep::host {

inline constexpr Mat3<double> kNoTurn = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
inline constexpr Placement<double> kOrigin = {kNoTurn, {}};

inline Vec3<double> to_vec(const Eigen::Vector3d& v) { return {v[0], v[1], v[2]}; }
inline Vec3<double> to_vec(const std::array<double, 3>& v) { return {v[0], v[1], v[2]}; }
inline Mat3<double> to_mat(const Eigen::Matrix3d& M) {
  return {to_vec(M.col(0)), to_vec(M.col(1)), to_vec(M.col(2))};
}
inline Mat3<double> transpose(const Mat3<double>& M) {
  return {{M.x.x, M.y.x, M.z.x}, {M.x.y, M.y.y, M.z.y}, {M.x.z, M.y.z, M.z.z}};
}
inline Eigen::Vector3d to_eigen(const Vec3<double>& v) { return {v.x, v.y, v.z}; }
inline Eigen::Vector3d to_eigen(const std::array<double, 3>& v) { return {v[0], v[1], v[2]}; }
inline Eigen::Matrix3d to_eigen(const Mat3<double>& M) {
  Eigen::Matrix3d result;
  result << to_eigen(M.x), to_eigen(M.y), to_eigen(M.z);
  return result;
}
inline Placement<double> to_placement(const std::array<double, 9>& rows,
                                      const std::array<double, 3>& p) {
  return {Mat3<double>::from_rows(rows), to_vec(p)};
}

// adding +0 turns -0 into +0 and changes nothing else
template <class Numbers>
void add_zero(Numbers& numbers) {
  for (double& x : numbers) x += 0.0;
}
inline std::array<double, 3> to_array(const Vec3<double>& v) {
  return {v.x + 0.0, v.y + 0.0, v.z + 0.0};
}
inline std::array<double, 9> to_rows(const Mat3<double>& M) {
  return {M.x.x + 0.0, M.y.x + 0.0, M.z.x + 0.0, M.x.y + 0.0, M.y.y + 0.0,
          M.z.y + 0.0, M.x.z + 0.0, M.y.z + 0.0, M.z.z + 0.0};
}

}  // namespace lockstep::host
