// Where each row of a path is: free, or at which bound; and what follows from it for the forces.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/rows/conditions.hpp"

namespace lockstep::rows {

enum class RowState : std::uint8_t {
  kPending,  // not looked at yet; its force is zero
  kFree,     // a = 0, the force is what it takes
  kLower,    // at the bound, a >= 0; a sliding row's bound moves
  kUpper,    // at the bound, a <= 0
  kIdle,     // between the bounds, redundant: a = 0 because the free rows see to it
  kGivenUp,  // redundant, and the other rows rule it out
};

template <class T, int kMaxRows>
struct ActiveSet : std::array<RowState, static_cast<std::size_t>(kMaxRows)> {
  using Rows = System<T, kMaxRows>;

  // Forces at a bound are exactly there.
  void settle(const Rows& rows, Values<T, kMaxRows>& mu) const {
    for (const bool friction : {false, true}) {
      for (int i = 0; i < rows.count; ++i) {
        if ((rows.rows[at(i)].kind == RowKind::kFriction) != friction) continue;
        const Bounds<T> allowed = bounds(rows, mu, i);
        mu[at(i)] = (*this)[at(i)] == RowState::kLower   ? allowed.lower
                    : (*this)[at(i)] == RowState::kUpper ? allowed.upper
                                                         : allowed.clamp(mu[at(i)]);
      }
    }
  }

  // How row i's acceleration answers to force j and to the friction that slides under j.
  T column_element(const Rows& rows, int i, int j) const {
    T sum = rows.A[at(i)][at(j)];
    for (int f = 0; f < rows.count; ++f) {
      if (rows.rows[at(f)].normal == j && slides(rows, f))
        sum = sum + slope(rows, f) * rows.A[at(i)][at(f)];
    }
    return sum;
  }
  bool slides(const Rows& rows, int i) const {
    return rows.rows[at(i)].kind == RowKind::kFriction &&
           ((*this)[at(i)] == RowState::kLower || (*this)[at(i)] == RowState::kUpper);
  }
  T slope(const Rows& rows, int i) const {
    const T coefficient = rows.rows[at(i)].coefficient;
    return (*this)[at(i)] == RowState::kUpper ? coefficient : -coefficient;
  }
};

}  // namespace lockstep::rows

#include "lockstep/restore_macros.hpp"
