// Direct solver for rows with bounds: equality rows are solved away, a guess or a path (lemke.hpp)
// leads to the forces of the others with friction in pyramids, Newton's method from there to its
// cones (cone.hpp) where one slides, and every row is checked: the answer is exact. Where they end
// early, Gauss-Seidel goes on from their best point. At most `pivots` pivots of about c^3
// multiplications, c rows being free.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/rows/cone.hpp"
#include "lockstep/rows/equality.hpp"
#include "lockstep/rows/gauss_seidel.hpp"
#include "lockstep/rows/lemke.hpp"
#include "lockstep/rows/schur_complement.hpp"

namespace lockstep {

enum class RowSolver : std::uint8_t {
  kPivoting = 0,     // exact; falls back to Gauss-Seidel
  kGaussSeidel = 1,  // starts from the last step's forces
  kNewton = 2,       // the same, and in linear time
};

}  // namespace lockstep

namespace lockstep::rows {

// Newton's rounds an attempt, as long as there are pivots, and the sweeps before it: none,
// 16, 64...
inline constexpr int kConeAttempts = 4, kConeRounds = 32;
constexpr int cone_sweeps(int attempt) { return attempt > 0 ? 4 << (2 * attempt) : 0; }

// For a guess, a path of 16 a row, and rounds on the cone; two in all are usual.
constexpr int most_pivots(int bounded) { return bounded > 0 ? kGuessRounds + 16 * bounded : 0; }

template <class T>
struct PivotingOptions {
  int pivots = 0;  // at most; zero: most_pivots
  T tolerance = kTolerance<T>;
  GaussSeidelOptions<T> fallback = {.sweeps = 200};

  constexpr Status check() const {
    if (pivots < 0) return Status::kBadConstraint;
    const Status status = check_tolerance(tolerance);
    return status == Status::kOk ? fallback.check() : status;
  }
};

// The choice, and how each goes.
template <class T>
struct SolverOptions {
  RowSolver solver = RowSolver::kPivoting;
  PivotingOptions<T> pivoting = {};
  GaussSeidelOptions<T> gauss_seidel = {};

  constexpr Status check() const {
    if (solver > RowSolver::kNewton) return Status::kBadConstraint;
    const Status status = pivoting.check();
    return status == Status::kOk ? gauss_seidel.check() : status;
  }
};

template <class T, int kMaxRows>
class PivotingSolver {
 public:
  using Rows = System<T, kMaxRows>;

  // Redundant rows may get any share of the load. kNotConverged is an answer too; after any other
  // failure the solution is as it was.
  Status solve(const Rows& system, const PivotingOptions<T>& options,
               Solution<T, kMaxRows>& solution) {
    Status status = options.check();
    if (status == Status::kOk) status = check(system);
    if (status != Status::kOk) return status;
    schur_.reduce(system, options.tolerance);
    const int most = options.pivots > 0 ? options.pivots : most_pivots(schur_.rest().count);
    const Rows& rest = schur_.rest();
    Solution<T, kMaxRows> next;
    if (!lemke_.guess(rest, options.tolerance, most, next.pivots) ||
        !is_on_pyramids(system, options.tolerance, next)) {
      next.gave_up = lemke_.run(rest, options.tolerance, most, next.pivots);
      if (next.gave_up == GaveUp::kNo && !(has_digits(rest, lemke_.nearest()) &&
                                           is_on_pyramids(system, options.tolerance, next))) {
        next.gave_up = GaveUp::kNotSatisfied;
      }
    }
    Values<T, kMaxRows> start;
    if (next.gave_up != GaveUp::kNo) {
      start = lemke_.nearest();
      if (!has_digits(rest, start)) start.fill(T(0));
    } else {
      schur_.restrict(next.mu, start);
    }
    if (has_cones(rest) && (next.gave_up != GaveUp::kNo ||
                            !is_satisfied(system, Friction::kCone, options.tolerance, next))) {
      find_on_cones(system, options.tolerance, most, start, next);
    }
    if (next.gave_up == GaveUp::kNo) {
      next.redundant = redundancy(system, options.tolerance, next.mu);
      solution = next;
      return next.stop == Stop::kConverged ? Status::kOk : Status::kNotConverged;
    }
    Solution<T, kMaxRows> swept;
    schur_.lift(start, swept.mu);
    if (!all_finite(swept.mu.data(), system.count)) swept.mu.fill(T(0));
    status = detail::sweep_all(system, schur_, options.fallback, swept);
    if (status != Status::kOk && status != Status::kNotConverged) return status;
    swept.pivots = next.pivots;
    swept.sweeps += next.sweeps;
    swept.gave_up = next.gave_up;
    solution = swept;
    return status;
  }

  // Rows without bounds alone.
  Status solve_equalities(const Rows& system, const T& tolerance, Solution<T, kMaxRows>& solution) {
    return rows::solve_equalities(system, tolerance, lemke_.factor(), solution);
  }

  // By the solver that was chosen. Gauss-Seidel starts from the solution's mu.
  Status solve_as_chosen(const Rows& system, const SolverOptions<T>& options,
                         Solution<T, kMaxRows>& solution) {
    if (const Status status = options.check(); status != Status::kOk) return status;
    if (options.solver == RowSolver::kGaussSeidel) {
      return gauss_seidel(system, options.gauss_seidel, schur_, solution);
    }
    return solve(system, options.pivoting, solution);
  }

 private:
  // Sharpened or, where that moves a row out of its place, as the path left it.
  bool is_on_pyramids(const Rows& system, const T& tolerance, Solution<T, kMaxRows>& next) {
    const Values<T, kMaxRows> rough = lemke_.mu();
    lemke_.sharpen();
    for (const bool sharp : {true, false}) {
      schur_.lift(sharp ? lemke_.mu() : rough, next.mu);
      if (is_satisfied(system, Friction::kPyramid, tolerance, next)) return true;
    }
    return false;
  }

  bool is_satisfied(const Rows& system, Friction friction, const T& tolerance,
                    Solution<T, kMaxRows>& next) const {
    next.stop = Stop::kConverged;
    bool satisfied = all_finite(next.mu.data(), system.count);
    judge(system, friction, T(4) * tolerance, next, [&](const auto& block) {
      next.stop = Stop::kInconsistent;
      for (int i = block.first; i < block.first + block.size; ++i) satisfied &= contradicted(i);
    });
    return satisfied;
  }

  // Rows that contradict each other may be balanced by forces so large that rounding is all that is
  // left of what they add up to: next to such forces everything is zero. Boxes may ask for large
  // ones. NaN has none.
  static bool has_digits(const Rows& rows, const Values<T, kMaxRows>& mu) {
    constexpr T kRounding = T(32) * std::numeric_limits<T>::epsilon();
    T asked(0), most(0);
    for (int i = 0; i < rows.count; ++i) {
      const RowBound<T>& row = rows.rows[at(i)];
      const T force = mu[at(i)], own = magnitude(force) * rows.A[at(i)][at(i)];
      const bool boxed = row.kind == RowKind::kBoxed && (force == row.lower || force == row.upper);
      const T given = boxed ? own : magnitude(rows.b[at(i)]);
      if (given > asked) asked = given;
      if (!boxed && !(own <= most)) most = own;
    }
    return kRounding * most <= asked;
  }

  static bool has_cones(const Rows& rows) {
    for (int i = 0; i + 1 < rows.count; ++i) {
      if (Block<T, kMaxRows>::share_cone(rows, i)) return true;
    }
    return false;
  }

  // From `start`, the forces of the bounded rows on the pyramids. Where Newton's rounds turn in
  // circles they begin again from sweeps, which start from nothing; `start` is then what these have
  // reached.
  void find_on_cones(const Rows& system, const T& tolerance, int most, Values<T, kMaxRows>& start,
                     Solution<T, kMaxRows>& next) {
    const Rows& rest = schur_.rest();
    const T largest = largest_diagonal(rest);
    for (int attempt = 0; attempt < kConeAttempts && next.pivots < most; ++attempt) {
      const int sweeps = cone_sweeps(attempt);
      if (attempt == 1) start.fill(T(0));
      for (int i = 0; i < sweeps; ++i) detail::sweep(rest, Friction::kCone, {}, largest, start);
      next.sweeps += sweeps;
      const int rounds = most - next.pivots < kConeRounds ? most - next.pivots : kConeRounds;
      cone_.begin(rest, lemke_, start);
      if (cone_.run(tolerance, next.pivots + rounds, lemke_.factor(), next.pivots)) {
        schur_.lift(cone_.mu(), next.mu);
        const bool satisfied = is_satisfied(system, Friction::kCone, tolerance, next);
        next.gave_up = satisfied ? GaveUp::kNo : GaveUp::kNotSatisfied;
        return;
      }
    }
    if (next.gave_up == GaveUp::kNo) next.gave_up = GaveUp::kOffTheCone;
  }

  bool contradicted(int row) const {
    return schur_.settled(row) || lemke_.is_contradicted(schur_.index(row));
  }

  // How many of the rows that do not accelerate the others among them settle.
  int redundancy(const Rows& system, const T& tolerance, const Values<T, kMaxRows>& mu) {
    int count = 0;
    std::array<int, static_cast<std::size_t>(kMaxRows)> list;
    for (int i = 0; i < system.count; ++i) {
      const bool still = row_times(system, i, mu, system.b[at(i)]).is_zero(tolerance);
      if (still || contradicted(i)) list[at(count++)] = i;
    }
    const auto element = [&](int r, int c) { return system.A[at(list[at(r)])][at(list[at(c)])]; };
    return count - lemke_.factor().factor(element, count, tolerance);
  }

  SchurComplement<T, kMaxRows> schur_;
  Lemke<T, kMaxRows> lemke_;
  ConeNewton<T, kMaxRows> cone_;
};

}  // namespace lockstep::rows

#include "lockstep/restore_macros.hpp"
