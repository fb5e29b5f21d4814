// Projected Gauss-Seidel: row after row is set to its best allowed value while the others stand.
// Friction keeps to the true cone. A may be unsymmetric, redundant or contradictory. Equality rows
// are solved away first and hold at every sweep. It starts from the solution's mu, so that the last
// tick's answer saves sweeps. k^2 multiplications a sweep over k bounded rows.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/rows/conditions.hpp"
#include "lockstep/rows/schur_complement.hpp"

namespace lockstep::rows {

template <class T>
struct GaussSeidelOptions {
  int sweeps = 50;              // at most
  T relaxation = T(1);          // between 0 and 2; above 1 it steps further than each row asks
  T tolerance = kTolerance<T>;  // zero: all of the sweeps

  constexpr Status check() const {
    if (sweeps < 0 || !(relaxation > T(0) && relaxation < T(2))) return Status::kBadConstraint;
    return check_tolerance(tolerance);
  }
};

namespace detail {

// One sweep; true if every row moved by less than the tolerance. Normal rows go before the friction
// that they bound.
template <class T, int kMaxRows>
bool sweep(const System<T, kMaxRows>& system, Friction cone, const GaussSeidelOptions<T>& options,
           const T& largest_diagonal, Values<T, kMaxRows>& mu) {
  bool settled = true;
  Values<T, kMaxRows> a, moved;
  for (const bool friction : {false, true}) {
    for (int i = 0; i < system.count;) {
      const Block<T, kMaxRows> block(system, cone, i, largest_diagonal);
      i += block.size;
      if ((system.rows[at(block.first)].kind == RowKind::kFriction) != friction) continue;
      T scale = T(0);
      for (int r = block.first; r < i; ++r) {
        const Sum<T> sum = row_times(system, r, mu, system.b[at(r)]);
        a[at(r)] = sum.value;
        if (sum.scale > scale) scale = sum.scale;
      }
      block.move(system, mu, a, block.movable ? options.relaxation : T(0), moved);
      settled &= block.violation(mu, moved) <= options.tolerance * scale;
      for (int r = block.first; r < i; ++r) mu[at(r)] = moved[at(r)];
    }
  }
  return settled;
}

// Sweeps over the bounded rows, then judges all of them.
template <class T, int kMaxRows>
Status sweep_all(const System<T, kMaxRows>& system, const SchurComplement<T, kMaxRows>& schur,
                 const GaussSeidelOptions<T>& options, Solution<T, kMaxRows>& solution) {
  const System<T, kMaxRows>& rest = schur.rest();
  Solution<T, kMaxRows> next;
  Values<T, kMaxRows> mu;
  schur.restrict(solution.mu, mu);
  next.stop = Stop::kSweepsUsedUp;
  const T largest = largest_diagonal(rest);
  while (next.stop == Stop::kSweepsUsedUp && next.sweeps < options.sweeps) {
    if (sweep(rest, Friction::kCone, options, largest, mu)) next.stop = Stop::kConverged;
    ++next.sweeps;
  }
  schur.lift(mu, next.mu);
  judge(system, Friction::kCone, options.tolerance, next, [&](const Block<T, kMaxRows>& block) {
    const bool beyond_help = !block.movable || schur.settled(block.first);
    if (beyond_help && next.stop == Stop::kConverged) next.stop = Stop::kInconsistent;
  });
  if (!all_finite(next.mu.data(), system.count) || !all_finite(next.a.data(), system.count)) {
    return Status::kOverflow;
  }
  solution = next;
  return next.stop == Stop::kConverged ? Status::kOk : Status::kNotConverged;
}

}  // namespace detail

// kNotConverged is an answer too: the solution holds what the sweeps reached. After any other
// failure it is as it was. `schur` is room as large as the system.
template <class T, int kMaxRows>
Status gauss_seidel(const System<T, kMaxRows>& system, const GaussSeidelOptions<T>& options,
                    SchurComplement<T, kMaxRows>& schur, Solution<T, kMaxRows>& solution) {
  Status status = options.check();
  if (status == Status::kOk) status = check(system);
  if (status != Status::kOk) return status;
  if (!all_finite(solution.mu.data(), system.count)) return Status::kNotFinite;
  schur.reduce(system, kTolerance<T>);
  return detail::sweep_all(system, schur, options, solution);
}
}  // namespace lockstep::rows

#include "lockstep/restore_macros.hpp"
