// Direct solver for rows with bounds: equality rows are solved away, a guess or a path (path.hpp)
// leads to the forces of the others, and every row is checked. Friction is a pyramid, and the
// answer is exact. Where the path ends early, Gauss-Seidel goes on from its best point. At most
// `pivots` pivots of about c^3 multiplications, c rows being free.
#pragma once

#include "lockstep/rows/conditions.hpp"
#include "lockstep/rows/gauss_seidel.hpp"
#include "lockstep/rows/lemke.hpp"
#include "lockstep/rows/schur_complement.hpp"

namespace lockstep {

enum class RowSolver : std::uint8_t {
  kPivoting = 0,     // friction in a pyramid; falls back to Gauss-Seidel
  kGaussSeidel = 1,  // friction in a cone; starts from the last step's forces
};

}  // namespace lockstep

namespace lockstep::rows {

// For a guess, and a path of 16 a row; two in all are usual.
constexpr int most_pivots(int bounded) { return bounded > 0 ? kGuessRounds + 16 * bounded : 0; }

template <class T>
struct PivotingOptions {
  int pivots = 0;  // at most; zero: most_pivots
  T tolerance = kTolerance<T>;
  GaussSeidelOptions<T> fallback = {.sweeps = 200};
};

// The choice, and how each goes.
template <class T>
struct SolverOptions {
  RowSolver solver = RowSolver::kPivoting;
  PivotingOptions<T> pivoting = {};
  GaussSeidelOptions<T> gauss_seidel = {};
};

template <class T, int kMaxRows>
class PivotingSolver {
 public:
  using Rows = System<T, kMaxRows>;

  // Redundant rows may get any share of the load. kNotConverged is an answer too; after any other
  // failure the solution is as it was.
  Status solve(const Rows& system, const PivotingOptions<T>& options,
               Solution<T, kMaxRows>& solution) {
    if (const Status status = check(system); status != Status::kOk) return status;
    schur_.reduce(system, options.tolerance);
    const int most = options.pivots > 0 ? options.pivots : most_pivots(schur_.rest().count);
    Solution<T, kMaxRows> next;
    if (!lemke_.guess(schur_.rest(), options.tolerance, most, next.pivots) ||
        !is_satisfied(system, options.tolerance, next)) {
      next.gave_up = lemke_.run(schur_.rest(), options.tolerance, most, next.pivots);
      if (next.gave_up == GaveUp::kNo && !is_satisfied(system, options.tolerance, next)) {
        next.gave_up = GaveUp::kNotSatisfied;
      }
    }
    if (next.gave_up == GaveUp::kNo) {
      solution = next;
      return next.stop == Stop::kConverged ? Status::kOk : Status::kNotConverged;
    }
    Solution<T, kMaxRows> swept;
    schur_.lift(lemke_.nearest(), swept.mu);
    if (!all_finite(swept.mu.data(), system.count)) swept.mu.fill(T(0));
    const Status status = detail::sweep_all(system, schur_, options.fallback, swept);
    if (status != Status::kOk && status != Status::kNotConverged) return status;
    swept.pivots = next.pivots;
    swept.gave_up = next.gave_up;
    solution = swept;
    return status;
  }

  // By the solver that was chosen. Gauss-Seidel starts from the solution's mu.
  Status solve_as_chosen(const Rows& system, const SolverOptions<T>& options,
                         Solution<T, kMaxRows>& solution) {
    switch (options.solver) {
      case RowSolver::kPivoting: return solve(system, options.pivoting, solution);
      case RowSolver::kGaussSeidel:
        return gauss_seidel(system, options.gauss_seidel, schur_, solution);
    }
    return Status::kBadConstraint;
  }

 private:
  // Sharpened or, where that moves a row out of its place, as the path left it.
  bool is_satisfied(const Rows& system, const T& tolerance, Solution<T, kMaxRows>& next) {
    const Values<T, kMaxRows> rough = lemke_.mu();
    lemke_.sharpen();
    bool satisfied = false;
    for (const bool sharp : {true, false}) {
      if (satisfied) break;
      schur_.lift(sharp ? lemke_.mu() : rough, next.mu);
      next.stop = Stop::kConverged;
      satisfied = all_finite(next.mu.data(), system.count);
      judge(system, Friction::kPyramid, T(4) * tolerance, next, [&](const auto& block) {
        next.stop = Stop::kInconsistent;
        satisfied &= contradicted(block.first);
      });
    }
    next.redundant = redundancy(system, tolerance, next.mu);
    return satisfied;
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
    return count - lemke_.rank(element, count);
  }

  SchurComplement<T, kMaxRows> schur_;
  Lemke<T, kMaxRows> lemke_;
};

}  // namespace lockstep::rows
