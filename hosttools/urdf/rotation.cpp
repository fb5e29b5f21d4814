#include "urdf/rotation.hpp"

#include <cmath>

#include "lockstep/trig.hpp"

namespace lockstep::host {

namespace {

struct Turn {
  double s, c;
};

Turn turn(double angle) {
  double s, c;
  sincos(angle, s, c);
  if (std::fabs(s) <= kRightAngle) return {0, std::copysign(1.0, c)};
  if (std::fabs(c) <= kRightAngle) return {std::copysign(1.0, s), 0};
  return {s, c};
}

// What two products leave of each other where they should cancel.
double without_rounding(double value) {
  constexpr double kRounding = 4e-16;
  for (const double exact : {0.0, 1.0, -1.0}) {
    if (std::fabs(value - exact) <= kRounding) return exact;
  }
  return value;
}

}  // namespace

Eigen::Matrix3d rotation_from_rpy(const Triple& rpy) {
  const auto [sr, cr] = turn(rpy[0]);
  const auto [sp, cp] = turn(rpy[1]);
  const auto [sy, cy] = turn(rpy[2]);
  Eigen::Matrix3d R;
  R << cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr,  //
      sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr,   //
      -sp, cp * sr, cp * cr;
  return R.unaryExpr(&without_rounding);
}

Eigen::Matrix3d rotation_about(const Eigen::Vector3d& n, double angle) {
  const auto [s, c] = turn(angle);
  const double x = n[0], y = n[1], z = n[2], d = 1 - c;
  Eigen::Matrix3d R;
  R << c + d * x * x, d * x * y - s * z, d * x * z + s * y,  //
      d * x * y + s * z, c + d * y * y, d * y * z - s * x,   //
      d * x * z - s * y, d * y * z + s * x, c + d * z * z;
  return R.unaryExpr(&without_rounding);
}

Eigen::Matrix3d rotate_inertia(const Eigen::Matrix3d& R, const Eigen::Matrix3d& I) {
  // written out: a library's product may add in another order on another machine
  const auto dot = [](const auto& a, const auto& b) {
    return a(0) * b(0) + a(1) * b(1) + a(2) * b(2);
  };
  Eigen::Matrix3d RI, result;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column) RI(row, column) = dot(R.row(row), I.col(column));
  }
  for (int row = 0; row < 3; ++row) {
    for (int column = row; column < 3; ++column) {
      result(row, column) = result(column, row) = dot(RI.row(row), R.row(column));
    }
  }
  return result;
}

}  // namespace lockstep::host
