// Puts a state back onto its constraints: positions go along the directions of the step's last
// factor and take the velocities with them, as the forces of the step would have (SHAKE: Ryckaert,
// Ciccotti and Berendsen 1977), which keeps Euler's energy bounded; velocities go with a factor at
// the end (RATTLE: Andersen 1983). One matrix for all solves: Newton's method whose error falls by
// the length of the step.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <limits>

#include "lockstep/integrate/settings.hpp"
#include "lockstep/status.hpp"

namespace lockstep {

// One of the two. error(): the largest, at the present state; correct(): one solve, and the state
// moved by it. `values` are what is corrected: rounding grows with what was rounded. Where some
// rows are redundant, errors may fall no more: they agree only to the digits of a file.
template <class T, class Values, class Error, class Correct>
Status project(const StepSettings<T>& settings, const Values& values, bool redundant, Error&& error,
               Correct&& correct) {
  constexpr T kRoundings = T(64) * std::numeric_limits<T>::epsilon();
  const T tolerance = settings.tolerance > T(0) ? settings.tolerance : kRoundings;
  const auto within = [&](const T& now, const T& times) {
    const T most = largest(values), size = most > T(1) ? most : T(1);
    return now <= times * tolerance * size;  // not NaN
  };
  const T first = error();
  T before = std::numeric_limits<T>::max();
  for (int i = 0;; ++i) {
    const T now = error();
    if (within(now, T(1))) return Status::kOk;
    if (!(now < T(0.5) * before) && now <= first && (redundant || within(now, T(64)))) {
      return Status::kOk;
    }
    if (i >= settings.max_solves) return Status::kNotConverged;
    before = now;
    if (const Status status = correct(); status != Status::kOk) return status;
  }
}

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
