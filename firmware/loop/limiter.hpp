// What an actuator can do: bounded effort, bounded change of effort from one tick to the next.
#pragma once

#include <algorithm>
#include <limits>

#include "lockstep/eigen.hpp"

namespace lockstep::firmware {

// A number a degree of freedom; infinite where there is no limit.
template <class Dofs>
struct Limits {
  Dofs effort;        // N m or N
  Dofs effort_rate;   // N m/s or N/s
  Dofs lower, upper;  // rad or m; joints of one degree of freedom only
  Dofs velocity;      // rad/s or m/s

  // None, for so many degrees of freedom.
  void remove(Eigen::Index dofs) {
    using T = typename Dofs::Scalar;
    constexpr T kInfinity = std::numeric_limits<T>::infinity();
    for (Dofs* upward : {&effort, &effort_rate, &upper, &velocity}) {
      upward->setConstant(dofs, kInfinity);
    }
    lower.setConstant(dofs, -kInfinity);
  }
};

// Bounds must bound: not negative, not NaN, and between lower and upper there is a finite place.
template <class Dofs>
bool are_limits(const Limits<Dofs>& limits) {
  using T = typename Dofs::Scalar;
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  bool ok = true;
  for (Eigen::Index i = 0; i < limits.effort.size(); ++i) {
    ok = ok && limits.effort[i] >= 0 && limits.effort_rate[i] >= 0 && limits.velocity[i] >= 0 &&
         limits.lower[i] <= limits.upper[i] && limits.lower[i] < kInfinity &&
         limits.upper[i] > -kInfinity;
  }
  return ok;
}

// Bounds the efforts in place, given those of the tick before; returns how many it changed. NaN
// passes, for the solver to refuse.
template <class Dofs, class T = typename Dofs::Scalar>
int limit(const Limits<Dofs>& limits, T dt, const Dofs& before, Dofs& tau) {
  int changed = 0;
  for (Eigen::Index i = 0; i < tau.size(); ++i) {
    const T asked = tau[i];
    const T step = limits.effort_rate[i] * dt;
    const T reachable = std::clamp(asked, before[i] - step, before[i] + step);
    tau[i] = std::clamp(reachable, -limits.effort[i], limits.effort[i]);
    changed += tau[i] < asked || tau[i] > asked;
  }
  return changed;
}

}  // namespace lockstep::firmware
