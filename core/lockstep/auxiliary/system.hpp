// The k x k system of auxiliary rows (Baraff 1996, section 8.1): forces mu give the rows the
// accelerations A mu + b. Rows that the tree holds by itself come as exact zeros of A.
#pragma once

#include <array>
#include <cstddef>

namespace lockstep::auxiliary {

template <class T, int kMaxRows>
struct System {
  int count = 0;
  std::array<std::array<T, static_cast<std::size_t>(kMaxRows)>, static_cast<std::size_t>(kMaxRows)>
      A;
  std::array<T, static_cast<std::size_t>(kMaxRows)> b;
};

template <class T, int kMaxRows>
struct Forces {
  std::array<T, static_cast<std::size_t>(kMaxRows)> mu{};
  int redundant = 0;  // rows whose force is zero because the others hold them
  T residual{};       // the largest acceleration that a row is left with
};

template <class T>
constexpr T magnitude(const T& x) {
  return x < T(0) ? T(-x) : x;
}

// A mu + b = 0 by elimination with the largest diagonal first, measured against the row's own
// response. What is left of a redundant row is rounding: its force is zero.
template <class T, int kMaxRows>
void solve_equalities(const System<T, kMaxRows>& system, const T& tolerance,
                      Forces<T, kMaxRows>& forces) {
  const auto count = static_cast<std::size_t>(system.count);
  auto A = system.A;
  auto x = system.b;
  std::array<std::size_t, static_cast<std::size_t>(kMaxRows)> order{};
  std::array<bool, static_cast<std::size_t>(kMaxRows)> done{};
  std::size_t rank = 0;
  for (; rank < count; ++rank) {
    std::size_t pivot = count;
    T largest = tolerance;
    for (std::size_t i = 0; i < count; ++i) {
      const T own = magnitude(system.A[i][i]);
      if (done[i] || !(own > T(0))) continue;
      const T left = magnitude(A[i][i]) / own;
      if (left > largest) pivot = i, largest = left;
    }
    if (pivot == count) break;
    done[pivot] = true;
    order[rank] = pivot;
    const T reciprocal = T(1) / A[pivot][pivot];
    for (std::size_t i = 0; i < count; ++i) {
      if (done[i]) continue;
      const T factor = A[i][pivot] * reciprocal;
      for (std::size_t j = 0; j < count; ++j) {
        if (!done[j]) A[i][j] = A[i][j] - factor * A[pivot][j];
      }
      x[i] = x[i] - factor * x[pivot];
    }
  }
  forces.mu.fill(T(0));
  for (std::size_t r = rank; r-- > 0;) {
    const std::size_t i = order[r];
    T sum = -x[i];
    for (std::size_t s = r + 1; s < rank; ++s) sum = sum - A[i][order[s]] * forces.mu[order[s]];
    forces.mu[i] = sum / A[i][i];
  }
  forces.redundant = static_cast<int>(count - rank);
  forces.residual = T(0);
  for (std::size_t i = 0; i < count; ++i) {
    T left = system.b[i];
    for (std::size_t j = 0; j < count; ++j) left = left + system.A[i][j] * forces.mu[j];
    const T size = magnitude(left);
    if (size > forces.residual) forces.residual = size;
  }
}

}  // namespace lockstep::auxiliary
