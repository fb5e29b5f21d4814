// URDF's roll, pitch and yaw as matrices, with the same bits on every host.
#pragma once

#include <Eigen/Core>

#include "urdf/draft.hpp"

namespace lockstep::host {

// Rz(yaw) Ry(pitch) Rx(roll). Entries that are 0 or +-1 but for the rounding of pi/2 are exactly
// so.
Eigen::Matrix3d rotation_from_rpy(const Triple& rpy);

// R I R^T, exactly symmetric.
Eigen::Matrix3d rotate_inertia(const Eigen::Matrix3d& R, const Eigen::Matrix3d& I);

}  // namespace lockstep::host
