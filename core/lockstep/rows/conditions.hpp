// What a solution of the rows must satisfy, as one map: mu is a solution if the nearest allowed
// point to mu - a / D is mu itself, for any D > 0. The distance times D measures the violation in
// units of a, and with D from A's diagonal the map is the step of projected Gauss-Seidel.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <limits>

#include "lockstep/rows/row.hpp"

namespace lockstep::rows {

enum class Friction : std::uint8_t {
  kCone,     // the length of the pair is bounded
  kPyramid,  // each row is bounded by itself
};

template <class T>
struct Bounds {
  T lower, upper;

  T clamp(const T& value) const { return value < lower ? lower : value > upper ? upper : value; }
};

// Of a friction row: what the present normal force allows.
template <class T, int kMaxRows>
Bounds<T> bounds(const System<T, kMaxRows>& system, const Values<T, kMaxRows>& mu, int i) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  const RowBound<T>& row = system.rows[at(i)];
  switch (row.kind) {
    case RowKind::kEquality: break;
    case RowKind::kUnilateral: return {T(0), kInfinity};
    case RowKind::kBoxed: return {row.lower, row.upper};
    case RowKind::kFriction: {
      const T normal = mu[at(row.normal)];
      const T most = row.coefficient * (normal > T(0) ? normal : T(0));
      return {-most, most};
    }
  }
  return {-kInfinity, kInfinity};
}

// Rows that move together: two friction rows of one contact, or one row.
template <class T, int kMaxRows>
struct Block {
  int first, size;
  T D;           // at least the largest eigenvalue of the block of A
  bool movable;  // D is large enough to divide by

  Block(const System<T, kMaxRows>& system, Friction friction, int i, const T& largest_diagonal)
      : first(i), size(1), D(system.A[at(i)][at(i)]) {
    if (friction == Friction::kCone && i + 1 < system.count && share_cone(system, i)) {
      const T other = system.A[at(i) + 1][at(i) + 1];
      const T across = magnitude(system.A[at(i)][at(i) + 1]);
      const T back = magnitude(system.A[at(i) + 1][at(i)]);
      D = (D > other ? D : other) + (across > back ? across : back);
      size = 2;
    }
    constexpr T kEpsilon = std::numeric_limits<T>::epsilon();
    movable = D > kEpsilon * kEpsilon * largest_diagonal;
    if (!movable) D = T(1);  // any positive number tells satisfied from violated
  }

  static bool share_cone(const System<T, kMaxRows>& system, int i) {
    const RowBound<T>&one = system.rows[at(i)], &two = system.rows[at(i) + 1];
    return one.kind == RowKind::kFriction && two.kind == RowKind::kFriction &&
           one.normal == two.normal && one.coefficient == two.coefficient;
  }

  // The nearest allowed point to mu - step * a / D, in the block's rows of `moved`.
  void move(const System<T, kMaxRows>& system, const Values<T, kMaxRows>& mu,
            const Values<T, kMaxRows>& a, const T& step, Values<T, kMaxRows>& moved) const {
    const Bounds<T> allowed = bounds(system, mu, first);
    if (size == 1) {
      moved[at(first)] = allowed.clamp(mu[at(first)] - step * a[at(first)] / D);
      return;
    }
    const T x = mu[at(first)] - step * a[at(first)] / D;
    const T y = mu[at(first) + 1] - step * a[at(first) + 1] / D;
    const T length = sqrt(x * x + y * y);
    const T shrink = length > allowed.upper ? allowed.upper / length : T(1);
    moved[at(first)] = shrink * x;
    moved[at(first) + 1] = shrink * y;
  }

  // How far the rows are from their conditions, in units of a.
  T violation(const Values<T, kMaxRows>& mu, const Values<T, kMaxRows>& moved) const {
    T largest = T(0);
    for (int i = first; i < first + size; ++i) {
      const T distance = D * magnitude(moved[at(i)] - mu[at(i)]);
      if (distance > largest) largest = distance;
    }
    return largest;
  }
};

template <class T, int kMaxRows>
T largest_diagonal(const System<T, kMaxRows>& system) {
  T largest = T(0);
  for (int i = 0; i < system.count; ++i) {
    if (system.A[at(i)][at(i)] > largest) largest = system.A[at(i)][at(i)];
  }
  return largest;
}

// A sum, and the sum of the magnitudes it is made of: what its rounding is relative to.
template <class T>
struct Sum {
  T value, scale;

  bool is_zero(const T& tolerance) const { return magnitude(value) <= tolerance * scale; }
};

// Row i of A x, added to `start`.
template <class T, int kMaxRows>
Sum<T> row_times(const System<T, kMaxRows>& system, int i, const Values<T, kMaxRows>& x,
                 const T& start) {
  Sum<T> sum = {start, magnitude(start)};
  for (int j = 0; j < system.count; ++j) {
    const T term = system.A[at(i)][at(j)] * x[at(j)];
    sum.value = sum.value + term;
    sum.scale = sum.scale + magnitude(term);
  }
  return sum;
}

// Fills in a and the violation for the solution's mu. Calls failed(block) where the tolerance is
// not met.
template <class T, int kMaxRows, class F>
void judge(const System<T, kMaxRows>& system, Friction friction, const T& tolerance,
           Solution<T, kMaxRows>& solution, F&& failed) {
  Values<T, kMaxRows> scale, moved;
  for (int i = 0; i < system.count; ++i) {
    const Sum<T> a = row_times(system, i, solution.mu, system.b[at(i)]);
    solution.a[at(i)] = a.value;
    scale[at(i)] = a.scale;
  }
  solution.violation = T(0);
  const T largest = largest_diagonal(system);
  for (int i = 0; i < system.count;) {
    const Block<T, kMaxRows> block(system, friction, i, largest);
    block.move(system, solution.mu, solution.a, T(1), moved);
    const T violation = block.violation(solution.mu, moved);
    if (violation > solution.violation) solution.violation = violation;
    const T within =
        block.size == 2 && scale[at(i) + 1] > scale[at(i)] ? scale[at(i) + 1] : scale[at(i)];
    if (!(violation <= tolerance * within)) failed(block);
    i += block.size;
  }
}

}  // namespace lockstep::rows

#include "lockstep/restore_macros.hpp"
