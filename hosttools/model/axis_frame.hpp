// The rotation R_LB whose third column is a joint's axis: it turns body axes into the link's.
// Exact for axes along +-x, +-y and +-z (a signed permutation), within an ulp or two otherwise.
#pragma once

#include "lockstep/spatial.hpp"

namespace lockstep::host {

Mat3<double> axis_frame(const Vec3<double>& axis);

}  // namespace lockstep::host
