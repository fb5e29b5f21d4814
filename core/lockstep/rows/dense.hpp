// Dense factors that survive singular matrices: both pivot fully and stop where nothing but
// rounding is left. Pivots are compared relative to their row and column, because rows of forces
// and of moments do not share a unit. k^3/3 and 2k^3/3 multiplications.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <utility>

#include "lockstep/rows/row.hpp"

namespace lockstep::rows {

// P A P^T = L D L^T of a symmetric positive semidefinite A; reads the lower triangle.
template <class T, int kMaxRows>
class SymmetricFactor {
 public:
  // element(i, j) is A's. Returns the rank.
  template <class Element>
  int factor(const Element& element, int count, const T& tolerance) {
    count_ = count;
    for (int i = 0; i < count; ++i) order_[at(i)] = i;
    for (int i = 0; i < count; ++i) {
      for (int j = 0; j <= i; ++j) L_[at(i)][at(j)] = element(i, j);
      const T diagonal = L_[at(i)][at(i)];
      scale_[at(i)] = diagonal > T(0) ? T(1) / diagonal : T(0);
    }
    for (rank_ = 0; rank_ < count; ++rank_) {
      int best = rank_;
      for (int i = rank_ + 1; i < count; ++i) {
        if (share(i) > share(best)) best = i;
      }
      if (!(share(best) > tolerance)) break;
      swap(rank_, best);
      eliminate(rank_);
    }
    return rank_;
  }

  // A x = right, with zero for the rows beyond the rank.
  void solve(const Values<T, kMaxRows>& right, Values<T, kMaxRows>& x) const {
    Values<T, kMaxRows> y{};
    for (int i = 0; i < rank_; ++i) {
      T sum = right[at(order_[at(i)])];
      for (int p = 0; p < i; ++p) sum = sum - L_[at(i)][at(p)] * y[at(p)];
      y[at(i)] = sum;
    }
    for (int i = 0; i < rank_; ++i) y[at(i)] = y[at(i)] / L_[at(i)][at(i)];
    for (int i = rank_ - 1; i >= 0; --i) {
      for (int p = i + 1; p < rank_; ++p) y[at(i)] = y[at(i)] - L_[at(p)][at(i)] * y[at(p)];
    }
    for (int i = 0; i < count_; ++i) x[at(order_[at(i)])] = i < rank_ ? y[at(i)] : T(0);
  }

 private:
  // How much of row i's diagonal the pivots before have left.
  T share(int i) const { return L_[at(i)][at(i)] * scale_[at(i)]; }

  void swap(int i, int j) {
    if (i == j) return;
    std::swap(order_[at(i)], order_[at(j)]);
    std::swap(scale_[at(i)], scale_[at(j)]);
    for (int c = 0; c < i; ++c) std::swap(L_[at(i)][at(c)], L_[at(j)][at(c)]);
    for (int c = i + 1; c < j; ++c) std::swap(L_[at(c)][at(i)], L_[at(j)][at(c)]);
    for (int r = j + 1; r < count_; ++r) std::swap(L_[at(r)][at(i)], L_[at(r)][at(j)]);
    std::swap(L_[at(i)][at(i)], L_[at(j)][at(j)]);
  }

  void eliminate(int pivot) {
    if constexpr (kMaxRows == 1) return;  // g++ 12 sees rows beyond
    const T reciprocal = T(1) / L_[at(pivot)][at(pivot)];
    for (int i = pivot + 1; i < count_; ++i) {
      const T before = L_[at(i)][at(pivot)], factor = before * reciprocal;
      for (int j = pivot + 1; j < i; ++j) {  // those rows hold L already
        L_[at(i)][at(j)] = L_[at(i)][at(j)] - before * L_[at(j)][at(pivot)];
      }
      L_[at(i)][at(i)] = L_[at(i)][at(i)] - factor * before;
      L_[at(i)][at(pivot)] = factor;
    }
  }

  int count_ = 0, rank_ = 0;
  std::array<int, static_cast<std::size_t>(kMaxRows)> order_;
  Values<T, kMaxRows> scale_;
  Matrix<T, kMaxRows> L_;  // D on the diagonal
};

// P A Q = L U of any square A.
template <class T, int kMaxRows>
class GeneralFactor {
 public:
  // element(i, j) is A's. Returns the rank.
  template <class Element>
  int factor(const Element& element, int count, const T& tolerance) {
    count_ = count;
    for (int i = 0; i < count; ++i) {
      row_[at(i)] = column_[at(i)] = i;
      for (int j = 0; j < count; ++j) U_[at(i)][at(j)] = element(i, j);
    }
    equilibrate();
    for (rank_ = 0; rank_ < count; ++rank_) {
      int best_row = rank_, best_column = rank_;
      T best = T(0);
      for (int i = rank_; i < count; ++i) {
        for (int j = rank_; j < count; ++j) {
          const T candidate = share(i, j);
          if (candidate > best) best = candidate, best_row = i, best_column = j;
        }
      }
      if (!(best > tolerance)) break;
      swap(best_row, best_column);
      eliminate(rank_);
    }
    return rank_;
  }

  // A x = right, with zero for the columns beyond the rank; the rows beyond it are left alone.
  void solve(const Values<T, kMaxRows>& right, Values<T, kMaxRows>& x) const {
    Values<T, kMaxRows> y{};
    for (int i = 0; i < rank_; ++i) {
      T sum = right[at(row_[at(i)])];
      for (int p = 0; p < i; ++p) sum = sum - U_[at(i)][at(p)] * y[at(p)];
      y[at(i)] = sum;
    }
    for (int i = rank_ - 1; i >= 0; --i) {
      for (int p = i + 1; p < rank_; ++p) y[at(i)] = y[at(i)] - U_[at(i)][at(p)] * y[at(p)];
      y[at(i)] = y[at(i)] / U_[at(i)][at(i)];
    }
    for (int i = 0; i < count_; ++i) x[at(column_[at(i)])] = i < rank_ ? y[at(i)] : T(0);
  }

 private:
  // An element relative to the largest of its row, then of its column.
  T share(int i, int j) const {
    return magnitude(U_[at(i)][at(j)]) * row_scale_[at(i)] * column_scale_[at(j)];
  }

  void equilibrate() {
    column_scale_.fill(T(1));
    for (int i = 0; i < count_; ++i) {
      T largest = T(0);
      for (int j = 0; j < count_; ++j) largest = larger(largest, magnitude(U_[at(i)][at(j)]));
      row_scale_[at(i)] = largest > T(0) ? T(1) / largest : T(0);
    }
    for (int j = 0; j < count_; ++j) {
      T largest = T(0);
      for (int i = 0; i < count_; ++i) largest = larger(largest, share(i, j));
      column_scale_[at(j)] = largest > T(0) ? T(1) / largest : T(0);
    }
  }
  static T larger(const T& x, const T& y) { return x > y ? x : y; }

  void swap(int i, int j) {
    std::swap(U_[at(rank_)], U_[at(i)]);
    std::swap(row_[at(rank_)], row_[at(i)]);
    std::swap(row_scale_[at(rank_)], row_scale_[at(i)]);
    if (j == rank_) return;
    for (int r = 0; r < count_; ++r) std::swap(U_[at(r)][at(rank_)], U_[at(r)][at(j)]);
    std::swap(column_[at(rank_)], column_[at(j)]);
    std::swap(column_scale_[at(rank_)], column_scale_[at(j)]);
  }

  void eliminate(int pivot) {
    for (int i = pivot + 1; i < count_; ++i) {
      const T factor = U_[at(i)][at(pivot)] / U_[at(pivot)][at(pivot)];
      U_[at(i)][at(pivot)] = factor;
      for (int j = pivot + 1; j < count_; ++j) {
        U_[at(i)][at(j)] = U_[at(i)][at(j)] - factor * U_[at(pivot)][at(j)];
      }
    }
  }

  int count_ = 0, rank_ = 0;
  std::array<int, static_cast<std::size_t>(kMaxRows)> row_, column_;
  Values<T, kMaxRows> row_scale_, column_scale_;
  Matrix<T, kMaxRows> U_;  // L below the diagonal, which holds U's
};

}  // namespace lockstep::rows

#include "lockstep/restore_macros.hpp"
