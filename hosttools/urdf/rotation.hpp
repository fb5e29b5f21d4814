// URDF's roll, pitch and yaw as matrices, with the same bits on every host.
#pragma once

#include <Eigen/Core>

#include "urdf/draft.hpp"

namespace lockstep::host {

// An angle so near a multiple of pi/2 is meant to be one: files write 1.57079632679 for a right
// angle, which is 5e-12 short of it. Taken as written it would leave no zero in any frame.
inline constexpr double kRightAngle = 1e-10;

// Rz(yaw) Ry(pitch) Rx(roll). Right angles give exact zeros and ones.
Eigen::Matrix3d rotation_from_rpy(const Triple& rpy);

// About an axis of unit length.
Eigen::Matrix3d rotation_about(const Eigen::Vector3d& axis, double angle);

// R I R^T, exactly symmetric.
Eigen::Matrix3d rotate_inertia(const Eigen::Matrix3d& R, const Eigen::Matrix3d& I);

}  // namespace lockstep::host
