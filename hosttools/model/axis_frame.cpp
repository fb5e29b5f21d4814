#include "model/axis_frame.hpp"

#include <cmath>

namespace lockstep::host {

// With m the axis' largest component and e the unit vector before it (cyclically), x_B is the
// normalized e x z_B. That cross product only moves components, and e is never near z_B, so
// nothing cancels. The sign keeps x_B the same for an axis and its opposite.
Mat3<double> axis_frame(const Vec3<double>& axis) {
  const double length = std::sqrt(dot(axis, axis));
  const Vec3<double> z = {axis.x / length, axis.y / length, axis.z / length};
  const double ax = std::fabs(z.x), ay = std::fabs(z.y), az = std::fabs(z.z);

  Vec3<double> x;
  if (ax >= ay && ax >= az) {
    const double n = std::copysign(std::sqrt(z.x * z.x + z.y * z.y), z.x);
    x = {-z.y / n, z.x / n, 0};
  } else if (ay >= az) {
    const double n = std::copysign(std::sqrt(z.y * z.y + z.z * z.z), z.y);
    x = {0, -z.z / n, z.y / n};
  } else {
    const double n = std::copysign(std::sqrt(z.z * z.z + z.x * z.x), z.z);
    x = {z.z / n, 0, -z.x / n};
  }
  return {x, cross(z, x), z};
}

}  // namespace lockstep::host
