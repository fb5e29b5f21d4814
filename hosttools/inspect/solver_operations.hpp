// The most that a solve can take: additions, multiplications, divisions and square roots, counted
// along the loops of the code. Comparisons, changes of sign and copies are not counted. `bounded`
// rows and `equalities`; a boxed row without bounds is an equality.
#pragma once

#include <cstdint>

#include "lockstep/rows/equality.hpp"
#include "lockstep/rows/pivoting.hpp"

namespace lockstep::host {

namespace detail {

using Operations = std::int64_t;

// Row i of A x, with the sum of magnitudes.
constexpr Operations row_operations(Operations columns) { return 3 * columns; }

// A block's D, its move, its violation and the tolerance, a row.
inline constexpr Operations kBlockOperations = 3 + 7 + 2 + 1;

constexpr Operations judge_operations(Operations rows) {
  return rows * (row_operations(rows) + kBlockOperations);
}

// Every number is looked at once: the system's, the start's and the answer's.
constexpr Operations check_operations(Operations rows) { return rows * (rows + 5); }

constexpr Operations reduction_operations(Operations bounded, Operations equalities) {
  const Operations rows = bounded + equalities;
  Operations sum = equalities * (equalities + 2) + bounded;
  for (Operations p = bounded; p < rows; ++p) {
    const Operations left = p + 1 - bounded;
    sum += 2 * left * left + 1 + (p + 1) + (rows - 1) * 2 * (p + 1);
  }
  return sum;
}

constexpr Operations lift_operations(Operations bounded, Operations equalities) {
  return equalities * row_operations(bounded);
}

constexpr Operations sweep_operations(Operations bounded) {
  // blocks are made in both passes, normal rows' and friction's
  return bounded * (row_operations(bounded) + kBlockOperations + 3);
}

// GeneralFactor: scales, search, elimination, and one solve.
constexpr Operations factor_operations(Operations rows) {
  Operations sum = 2 * rows * rows + 2 * rows;
  for (Operations left = 1; left <= rows; ++left) {
    sum += 2 * left * left + (left - 1) * (1 + 2 * (left - 1));
  }
  return sum + 2 * rows * rows + rows;
}

// A turn of the path and the search for the next event. Sliding friction adds to its normal row's
// column, so a matrix of c rows takes at most two operations more a row and friction row.
constexpr Operations pivot_operations(Operations bounded) {
  const Operations turn = factor_operations(bounded) + 4 * bounded * bounded + 4 * bounded;
  const Operations event = bounded * (2 * row_operations(bounded) + 20);
  return turn + event + 3 * bounded + 4;
}

// What a round on the cone may take more than a pivot: rows are looked at twice, and where pairs
// slide an element is made of six of A's.
constexpr Operations more_of_cone_round(Operations bounded) {
  return bounded * (10 * bounded + kBlockOperations + 20);
}

// SymmetricFactor: scales, search, elimination, and one solve.
constexpr Operations symmetric_operations(Operations rows) {
  Operations sum = rows;
  for (Operations left = 1; left <= rows; ++left) {
    sum += 2 * (left - 1) + 2 + (left - 1) * (left + 1);
  }
  return sum + 2 * rows * (rows - 1) + rows;
}

}  // namespace detail

// EqualitySolver with SymmetricFactor: all of it is spent where no row is redundant.
constexpr std::int64_t equality_operations(int equalities) {
  const std::int64_t rows = equalities;
  return rows * (rows + 1) + detail::symmetric_operations(rows) +
         rows * (detail::row_operations(rows) + 1) + 2 * rows;
}

// The same with GeneralFactor, and targets and forces: what Newton's method takes in each solve.
constexpr std::int64_t coupled_operations(int equalities) {
  const std::int64_t rows = equalities;
  return rows * (rows + 1) + detail::factor_operations(rows) +
         rows * (detail::row_operations(rows) + 1) + 5 * rows;
}

// The comparisons that decide which way it goes, with those that see whether numbers are finite.
constexpr std::int64_t equality_comparisons(int equalities) {
  const std::int64_t rows = equalities;
  return rows * (rows - 1) / 2 + 2 * rows * (rows + 1) + 10 * rows + 2;
}

constexpr std::int64_t gauss_seidel_operations(int bounded, int equalities, int sweeps) {
  return detail::check_operations(bounded + equalities) +
         detail::reduction_operations(bounded, equalities) +
         sweeps * detail::sweep_operations(bounded) + detail::lift_operations(bounded, equalities) +
         detail::judge_operations(bounded + equalities);
}

// What the cones of contacts may take more than their pyramids: rounds, and for every attempt its
// sweeps and a judgement.
constexpr std::int64_t cone_operations(int bounded, int equalities, int pivots) {
  const std::int64_t rows = bounded + equalities;
  int attempts = (pivots + rows::kConeRounds - 1) / rows::kConeRounds;
  if (attempts > rows::kConeAttempts) attempts = rows::kConeAttempts;
  const int most = attempts * rows::kConeRounds;
  std::int64_t sum = (pivots < most ? pivots : most) * detail::more_of_cone_round(bounded);
  for (int i = 0; i < attempts; ++i)
    sum += rows::cone_sweeps(i) * detail::sweep_operations(bounded);
  return sum + (attempts + 1) *
                   (detail::lift_operations(bounded, equalities) + detail::judge_operations(rows) +
                    detail::judge_operations(bounded) + 10 * bounded + rows);
}

// With the guess's and the fall-back's sweeps. Rows that start by themselves and rows that are set
// aside turn the path once more each; the guess and the path are both sharpened and judged. Where
// contacts rub, cone_operations come to these.
constexpr std::int64_t pivoting_operations(int bounded, int equalities, int pivots, int sweeps) {
  const std::int64_t rows = bounded + equalities;
  const std::int64_t judged =
      detail::pivot_operations(bounded) + 2 * detail::lift_operations(bounded, equalities) +
      2 * detail::judge_operations(rows) + rows * (detail::row_operations(rows) + 1) +
      detail::factor_operations(rows);
  return gauss_seidel_operations(bounded, equalities, sweeps) +
         rows::kGuessSweeps * detail::sweep_operations(bounded) +
         (pivots + 2 * bounded + 1) * detail::pivot_operations(bounded) +
         bounded * (4 * detail::row_operations(bounded) + 30) + 2 * judged;
}

}  // namespace lockstep::host
