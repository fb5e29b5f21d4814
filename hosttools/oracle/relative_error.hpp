#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <limits>

namespace lockstep::host {

// Of one state: max |x - reference| / max(1, max |reference|).
template <class X, class Reference>
double relative_error(const X& x, const Reference& reference) {
  if (x.size() != reference.size()) return std::numeric_limits<double>::infinity();
  if (x.size() == 0) return 0;
  return (x - reference).cwiseAbs().maxCoeff() / std::max(1.0, reference.cwiseAbs().maxCoeff());
}

}  // namespace lockstep::host
