// The equality rows solved away (Schur complement): a smaller system of the bounded rows, in which
// a force's effect includes that of the equality forces that follow it. Loops then hold exactly
// while contacts are looked for. e pivots of at most k^2 multiplications for e equality rows; a
// pivot is the largest left, relative to its row and column, and redundant rows get no force.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <utility>

#include "lockstep/rows/conditions.hpp"

namespace lockstep::rows {

template <class T, int kMaxRows>
class SchurComplement {
 public:
  using Rows = System<T, kMaxRows>;

  void reduce(const Rows& system, const T& tolerance) {
    arrange(system);
    equilibrate();
    for (pivoted_ = count_; pivoted_ > rest_.count; --pivoted_) {
      if (!bring_largest(tolerance)) break;
      eliminate(pivoted_ - 1);
    }
    for (int i = 0; i < rest_.count && pivoted_ < count_; ++i) {
      const int row = order_[at(i)];
      if (magnitude(rest_.A[at(i)][at(i)]) > tolerance * system.A[at(row)][at(row)]) continue;
      // nothing but rounding: the equality rows settle it
      for (int j = 0; j < rest_.count; ++j) rest_.A[at(i)][at(j)] = rest_.A[at(j)][at(i)] = T(0);
    }
  }

  // The bounded rows, in their order.
  const Rows& rest() const { return rest_; }

  void restrict(const Values<T, kMaxRows>& mu, Values<T, kMaxRows>& rest) const {
    for (int i = 0; i < rest_.count; ++i) rest[at(i)] = mu[at(order_[at(i)])];
  }

  // All of the forces, of those of the bounded rows.
  void lift(const Values<T, kMaxRows>& rest, Values<T, kMaxRows>& mu) const {
    for (int i = 0; i < count_; ++i) {
      T force = T(0);
      if (i < rest_.count) {
        force = rest[at(i)];
      } else if (i >= pivoted_) {
        force = row_times(rest_, i, rest, rest_.b[at(i)]).value;
      }
      mu[at(order_[at(i)])] = force;
    }
  }

  // Where row i is among the bounded rows; beyond them if it is not.
  int index(int i) const { return index_[at(i)]; }

  // Whether no force of the bounded rows moves row i.
  bool settled(int i) const {
    const int place = index(i);
    return place >= rest_.count || !(rest_.A[at(place)][at(place)] > T(0));
  }

 private:
  static bool is_bounded(const RowBound<T>& row) {
    constexpr T kInfinity = std::numeric_limits<T>::infinity();
    return row.kind != RowKind::kEquality &&
           !(row.kind == RowKind::kBoxed && row.lower == -kInfinity && row.upper == kInfinity);
  }

  void arrange(const Rows& system) {
    count_ = 0;
    for (const bool bounded : {true, false}) {
      for (int i = 0; i < system.count; ++i) {
        if (is_bounded(system.rows[at(i)]) != bounded) continue;
        index_[at(i)] = count_;
        order_[at(count_++)] = i;
      }
      if (bounded) rest_.count = count_;
    }
    for (int i = 0; i < count_; ++i) {
      const int row = order_[at(i)];
      rest_.rows[at(i)] = system.rows[at(row)];
      if (rest_.rows[at(i)].kind == RowKind::kFriction) {
        rest_.rows[at(i)].normal = index_[at(system.rows[at(row)].normal)];
      }
      rest_.b[at(i)] = system.b[at(row)];
      for (int j = 0; j < count_; ++j) {
        rest_.A[at(i)][at(j)] = system.A[at(row)][at(order_[at(j)])];
      }
    }
  }

  void equilibrate() {
    column_scale_.fill(T(1));
    for (const bool of_rows : {true, false}) {
      for (int i = rest_.count; i < count_; ++i) {
        T largest = T(0);
        for (int j = rest_.count; j < count_; ++j) {
          const T element = magnitude(of_rows ? rest_.A[at(i)][at(j)]
                                              : rest_.A[at(j)][at(i)] * row_scale_[at(j)]);
          if (element > largest) largest = element;
        }
        (of_rows ? row_scale_ : column_scale_)[at(i)] = largest > T(0) ? T(1) / largest : T(0);
      }
    }
  }

  // Swaps the largest element that is left into the last row and column that are left.
  bool bring_largest(const T& tolerance) {
    const int last = pivoted_ - 1;
    int row = last, column = last;
    T largest = T(0);
    for (int i = rest_.count; i < pivoted_; ++i) {
      for (int j = rest_.count; j < pivoted_; ++j) {
        const T share = magnitude(rest_.A[at(i)][at(j)]) * row_scale_[at(i)] * column_scale_[at(j)];
        if (share > largest) largest = share, row = i, column = j;
      }
    }
    if (!(largest > tolerance)) return false;
    std::swap(rest_.A[at(row)], rest_.A[at(last)]);
    std::swap(rest_.b[at(row)], rest_.b[at(last)]);
    std::swap(row_scale_[at(row)], row_scale_[at(last)]);
    for (int i = 0; i < count_; ++i)
      std::swap(rest_.A[at(i)][at(column)], rest_.A[at(i)][at(last)]);
    std::swap(column_scale_[at(column)], column_scale_[at(last)]);
    std::swap(order_[at(column)], order_[at(last)]);
    return true;
  }

  // Row p, whose acceleration is zero, becomes force p's dependence on the forces before it.
  void eliminate(int p) {
    const T factor = T(-1) / rest_.A[at(p)][at(p)];
    for (int j = 0; j < p; ++j) rest_.A[at(p)][at(j)] = rest_.A[at(p)][at(j)] * factor;
    rest_.b[at(p)] = rest_.b[at(p)] * factor;
    for (int i = 0; i < count_; ++i) {
      if (i == p) continue;
      const T effect = rest_.A[at(i)][at(p)];
      for (int j = 0; j < p; ++j) {
        rest_.A[at(i)][at(j)] = rest_.A[at(i)][at(j)] + effect * rest_.A[at(p)][at(j)];
      }
      rest_.b[at(i)] = rest_.b[at(i)] + effect * rest_.b[at(p)];
    }
  }

  int count_ = 0, pivoted_ = 0;  // rows from pivoted_ on give forces
  std::array<int, static_cast<std::size_t>(kMaxRows)> order_, index_;
  Values<T, kMaxRows> row_scale_, column_scale_;
  Rows rest_;
};

}  // namespace lockstep::rows

#include "lockstep/restore_macros.hpp"
