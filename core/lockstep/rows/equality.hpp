// Rows without bounds: A mu = -b, also where A is singular, as for a straight chain held at both
// ends (Baraff 1996, footnote 5). Redundant rows get no multiplier; whether they agree with the
// others is told by the residual. With SymmetricFactor for forces that do no work, GeneralFactor
// for K != Ja^T.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/rows/conditions.hpp"
#include "lockstep/rows/dense.hpp"

namespace lockstep::rows {

// kNotConverged is an answer too: rows contradict each other. After any other failure the solution
// is as it was.
template <class T, int kMaxRows, class Factor>
Status solve_equalities(const System<T, kMaxRows>& system, const T& tolerance, Factor& factor,
                        Solution<T, kMaxRows>& solution) {
  Status status = check_tolerance(tolerance);
  if (status == Status::kOk) status = check(system);
  if (status != Status::kOk) return status;
  for (int i = 0; i < system.count; ++i) {
    if (system.rows[at(i)].kind != RowKind::kEquality) return Status::kBadConstraint;
  }
  Solution<T, kMaxRows> next;
  const auto element = [&](int i, int j) { return system.A[at(i)][at(j)]; };
  const int rank = factor.factor(element, system.count, tolerance);
  Values<T, kMaxRows> right;
  for (int i = 0; i < system.count; ++i) right[at(i)] = -system.b[at(i)];
  factor.solve(right, next.mu);
  next.redundant = system.count - rank;
  next.pivots = rank;
  for (int i = 0; i < system.count; ++i) {
    const Sum<T> a = row_times(system, i, next.mu, system.b[at(i)]);
    next.a[at(i)] = a.value;
    if (!a.is_zero(tolerance)) next.stop = Stop::kInconsistent;
    if (magnitude(a.value) > next.violation) next.violation = magnitude(a.value);
  }
  if (!all_finite(next.mu.data(), system.count) || !all_finite(next.a.data(), system.count)) {
    return Status::kOverflow;
  }
  solution = next;
  return next.stop == Stop::kConverged ? Status::kOk : Status::kNotConverged;
}

template <class T, int kMaxRows, template <class, int> class Factor = SymmetricFactor>
class EqualitySolver {
 public:
  Status solve(const System<T, kMaxRows>& system, Solution<T, kMaxRows>& solution,
               const T& tolerance = kTolerance<T>) {
    return solve_equalities(system, tolerance, factor_, solution);
  }

 private:
  Factor<T, kMaxRows> factor_;
};

}  // namespace lockstep::rows

#include "lockstep/restore_macros.hpp"
