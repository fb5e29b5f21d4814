// The path of a relaxed system back to the true one: a = A mu + b + s d, with s so large that
// forces at their bounds solve it; then s goes to zero along solutions, and the path turns where a
// force reaches a bound or an acceleration zero (Lemke's method on the friction pyramid of Stewart
// and Trinkle 1996). A sliding row's force follows its normal row's. With symmetric A, b from
// velocities and d inside the cones' dual it ends at s = 0, also where rows are redundant. c^3 a
// turn. Most often a guess is right, and no path is needed.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/rows/active_set.hpp"
#include "lockstep/rows/conditions.hpp"
#include "lockstep/rows/dense.hpp"
#include "lockstep/rows/gauss_seidel.hpp"

namespace lockstep::rows {

inline constexpr int kGuessSweeps = 8, kGuessRounds = 8;

template <class T, int kMaxRows>
class Lemke {
 public:
  using Rows = System<T, kMaxRows>;

  // A few sweeps tell where the rows are likely to end; then all that are not content there move at
  // once (block principal pivoting, Judice and Pires 1994). Robots that stand or slide take a round
  // or two, each at the cost of a pivot. True if all are content. `rows` must stay where they are
  // while this is in use; at most `most` pivots.
  bool guess(const Rows& rows, const T& tolerance, int most, int& pivots) {
    begin(rows, tolerance);
    const T largest = largest_diagonal(rows);
    for (int i = 0; i < kGuessSweeps; ++i)
      detail::sweep(rows, Friction::kPyramid, {}, largest, mu_);
    for (int i = 0; i < rows.count; ++i) {
      const Bounds<T> allowed = bounds(rows, mu_, i);
      active_[at(i)] = mu_[at(i)] == allowed.lower   ? RowState::kLower
                       : mu_[at(i)] == allowed.upper ? RowState::kUpper
                                                     : RowState::kFree;
    }
    for (int round = 0; round < kGuessRounds && pivots < most; ++round) {
      ++pivots;
      solve_free();
      if (!move_discontent()) return true;
      active_.settle(rows, mu_);
    }
    return false;
  }

  // The same along the path, at most `most` pivots with those of the guess.
  GaveUp run(const Rows& rows, const T& tolerance, int most, int& pivots) {
    begin(rows, tolerance);
    most_ = most;
    active_.fill(RowState::kPending);
    for (int i = 0; i < rows.count; ++i) mu_[at(i)] = bounds(rows, mu_, i).clamp(T(0));
    nearest_ = mu_;
    nearest_relaxation_ = T(0);
    // a force that may have either sign starts from zero, by itself
    for (int i = 0; i < rows.count; ++i) {
      const Bounds<T> allowed = bounds(rows, mu_, i);
      if (!(allowed.lower < T(0) && allowed.upper > T(0))) continue;
      const GaveUp failure = drive(i, pivots);
      if (failure != GaveUp::kNo) return failure;
    }
    relax();
    return follow({}, pivots);
  }

  const Values<T, kMaxRows>& mu() const { return mu_; }
  // The point of the path at which the least was relaxed.
  const Values<T, kMaxRows>& nearest() const { return nearest_; }
  // Whether other rows rule row i out, by how much, and whether it keeps its force for that.
  bool is_contradicted(int i) const { return lack(i) != T(0); }
  const T& lack(int i) const { return lack_[at(i)]; }
  bool is_set_aside(int i) const { return active_[at(i)] == RowState::kGivenUp; }

  // Room for a matrix of the rows, between calls.
  GeneralFactor<T, kMaxRows>& factor() { return factor_; }

  // Takes the rounding of the way off the free rows.
  void sharpen() {
    solve_free();
    active_.settle(*rows_, mu_);
  }

 private:
  struct Event {
    int row = kNone;
    RowState from = RowState::kPending, to = RowState::kPending;
    T step = std::numeric_limits<T>::infinity();
  };

  void begin(const Rows& rows, const T& tolerance) {
    rows_ = &rows;
    tolerance_ = tolerance;
    lack_.fill(T(0));
    d_.fill(T(0));  // until relax
    mu_.fill(T(0));
  }

  // The forces with which the free rows do not accelerate.
  void solve_free() {
    list_count_ = 0;
    for (int i = 0; i < rows_->count; ++i) {
      if (active_[at(i)] == RowState::kFree) list_[at(list_count_++)] = i;
    }
    const auto element = [&](int r, int c) {
      return active_.column_element(*rows_, list_[at(r)], list_[at(c)]);
    };
    factor_.factor(element, list_count_, tolerance_);
    Values<T, kMaxRows> right, x;
    for (int r = 0; r < list_count_; ++r) right[at(r)] = -acceleration(list_[at(r)], T(0)).value;
    factor_.solve(right, x);
    spread(x);
    for (int i = 0; i < rows_->count; ++i) mu_[at(i)] = mu_[at(i)] + delta_mu_[at(i)];
  }

  // Free rows go to the bound that their force is beyond or, where others rule them out, that their
  // acceleration asks for; rows that leave a bound the wrong way become free. False if none moved.
  bool move_discontent() {
    bool moved = false;
    for (int i = 0; i < rows_->count; ++i) {
      const Bounds<T> allowed = bounds(*rows_, mu_, i);
      const RowState before = active_[at(i)];
      if (!(allowed.lower < allowed.upper)) {
        if (before == RowState::kFree) active_[at(i)] = RowState::kLower, moved = true;
        continue;
      }
      const Sum<T> a = acceleration(i, T(0));
      const bool still = a.is_zero(tolerance_);
      const bool low = mu_[at(i)] < allowed.lower || (!still && a.value > T(0));
      const bool high = mu_[at(i)] > allowed.upper || (!still && a.value < T(0));
      if (before == RowState::kFree) {
        if (low) active_[at(i)] = RowState::kLower;
        if (high && allowed.upper < kInfinity) active_[at(i)] = RowState::kUpper;
      } else if (before == RowState::kLower ? high : low) {
        active_[at(i)] = RowState::kFree;
      }
      moved |= active_[at(i)] != before;
    }
    return moved;
  }

  // Gives row i, whose force is zero, the force that it takes.
  GaveUp drive(int i, int& pivots) {
    const Sum<T> a = acceleration(i, T(0));
    const bool falls = a.value > T(0);
    const Event start = {i, falls ? RowState::kUpper : RowState::kLower, RowState::kFree, T(0)};
    d_.fill(T(0));
    d_[at(i)] = falls ? T(-1) : T(1);
    relaxation_ = magnitude(a.value);
    if (!a.is_zero(tolerance_)) return follow(start, pivots);
    if (!turn(start)) return GaveUp::kNoWayOn;
    const Sum<T> rate = row_times(*rows_, i, delta_mu_, T(0));
    if (rate.is_zero(tolerance_)) active_[at(i)] = RowState::kIdle;
    return GaveUp::kNo;
  }

  // Puts the pending rows at a bound, and relaxes all until they are content there. Irregular
  // numbers keep symmetric problems from meeting two events at once.
  void relax() {
    const Rows& rows = *rows_;
    d_.fill(T(0));
    for (const bool friction : {false, true}) {
      for (int i = 0; i < rows.count; ++i) {
        const RowBound<T>& row = rows.rows[at(i)];
        if (active_[at(i)] != RowState::kPending) continue;
        if ((row.kind == RowKind::kFriction) != friction) continue;
        const T D = rows.A[at(i)][at(i)];
        T size = irregular(i) * (D > T(0) ? sqrt(D) : T(1));
        bool upper = mu_[at(i)] > bounds(rows, mu_, i).lower;
        if (friction) {
          upper = acceleration(i, T(0)).value < T(0);
          // the normal row's d outweighs that of both friction rows
          size = irregular(i) * magnitude(d_[at(row.normal)]) / (T(4) + T(4) * row.coefficient);
        }
        active_[at(i)] = upper ? RowState::kUpper : RowState::kLower;
        d_[at(i)] = upper ? -size : size;
      }
    }
    relaxation_ = T(0);
    for (int i = 0; i < rows.count; ++i) {
      const Sum<T> a = acceleration(i, T(0));
      if (d_[at(i)] == T(0) || a.is_zero(tolerance_)) continue;
      if (-a.value / d_[at(i)] > relaxation_) relaxation_ = -a.value / d_[at(i)];
    }
    nearest_relaxation_ = relaxation_;
    nearest_ = mu_;
  }
  // Between a half and one.
  static T irregular(int i) {
    const std::uint32_t mixed = (static_cast<std::uint32_t>(i) + 1) * 2654435769u;
    return T(0.5) + static_cast<T>(static_cast<int>(mixed >> 17)) * T(0x1p-16);
  }

  // Follows the path from an event on until nothing is relaxed.
  GaveUp follow(Event last, int& pivots) {
    const Rows& rows = *rows_;
    const T negligible = tolerance_ * relaxation_;
    bool turns = true;
    while (relaxation_ > T(0)) {
      if (turns && !turn(last)) return GaveUp::kNoWayOn;
      Event next = first_event(last.row);
      const T end = delta_relaxation_ < T(0) ? relaxation_ / -delta_relaxation_ : kInfinity;
      // an event within rounding of the end is beyond it
      const T left = relaxation_ + next.step * delta_relaxation_;
      const bool ends = end < kInfinity && left <= negligible;
      if (!ends && next.row == kNone) {
        if (!set_aside()) return GaveUp::kNoWayOn;
        last = {}, turns = true;
        continue;
      }
      if (pivots == most_) return GaveUp::kPivotsUsedUp;
      ++pivots;
      const T step = ends ? end : next.step;
      for (int i = 0; i < rows.count; ++i) mu_[at(i)] = mu_[at(i)] + step * delta_mu_[at(i)];
      relaxation_ = ends ? T(0) : relaxation_ + step * delta_relaxation_;
      if (!ends) {
        active_[at(next.row)] = next.to;
        // without a normal force friction changes sides, and nothing else
        turns = next.from == RowState::kFree || next.to == RowState::kFree;
        last = next;
      }
      active_.settle(*rows_, mu_);
      if (relaxation_ < nearest_relaxation_) nearest_ = mu_, nearest_relaxation_ = relaxation_;
    }
    return GaveUp::kNo;
  }

  // The motion after an event: a row that becomes free moves off its bound, one that reached a
  // bound accelerates. Seen from there the relaxation is one more unknown, in the row's place.
  bool turn(const Event& last) {
    const Rows& rows = *rows_;
    const bool enters = last.to == RowState::kFree;
    if (enters) active_[at(last.row)] = last.from;
    list_count_ = 0;
    int slot = kNone;
    for (int i = 0; i < rows.count; ++i) {
      if (i == last.row) slot = list_count_;
      if (i == last.row || active_[at(i)] == RowState::kFree) list_[at(list_count_++)] = i;
    }
    const auto element = [&](int r, int c) {
      return c == slot ? d_[at(list_[at(r)])]
                       : active_.column_element(*rows_, list_[at(r)], list_[at(c)]);
    };
    const bool regular = factor_.factor(element, list_count_, T(0)) == list_count_;
    const T sign = slot != kNone && active_[at(last.row)] == RowState::kUpper ? T(-1) : T(1);
    Values<T, kMaxRows> right, x;
    for (int r = 0; r < list_count_; ++r) {
      right[at(r)] = slot == kNone ? d_[at(list_[at(r)])]
                     : enters      ? -sign * active_.column_element(*rows_, list_[at(r)], last.row)
                     : r == slot   ? sign
                                   : T(0);
    }
    factor_.solve(right, x);
    delta_relaxation_ = T(-1);
    if (slot != kNone) {
      delta_relaxation_ = x[at(slot)];
      x[at(slot)] = enters ? sign : T(0);
    }
    spread(x);
    if (enters) {
      if (active_.slides(*rows_, last.row))
        delta_mu_[at(last.row)] = delta_mu_[at(last.row)] + sign;
      active_[at(last.row)] = RowState::kFree;
    }
    return regular;
  }

  // What stops the motion first; ties go to the earliest row. The row of the last event is on its
  // way, whatever rounding says.
  Event first_event(int last) const {
    const Rows& rows = *rows_;
    Event first;
    const auto propose = [&](int row, RowState from, RowState to, const T& step) {
      if (step < first.step) first = {row, from, to, step > T(0) ? step : T(0)};
    };
    for (int i = 0; i < rows.count; ++i) {
      const RowState place = active_[at(i)];
      const Bounds<T> allowed = bounds(rows, mu_, i);
      const T widening = widening_of(i);
      if (place == RowState::kFree) {
        const T rise = delta_mu_[at(i)] - widening, fall = -delta_mu_[at(i)] - widening;
        if (rise > T(0)) propose(i, place, RowState::kUpper, (allowed.upper - mu_[at(i)]) / rise);
        if (fall > T(0)) propose(i, place, RowState::kLower, (mu_[at(i)] - allowed.lower) / fall);
      }
      const bool bound = place == RowState::kLower || place == RowState::kUpper;
      if (i == last || !(bound || place == RowState::kIdle)) continue;
      const Sum<T> rate = row_times(rows, i, delta_mu_, d_[at(i)] * delta_relaxation_);
      const RowState against = rate.value < T(0) ? RowState::kLower : RowState::kUpper;
      if (rate.is_zero(tolerance_) || (bound && place != against)) continue;
      const T step = bound ? -acceleration(i, relaxation_).value / rate.value : T(0);
      // without a normal force there is no room between the bounds
      const bool room = allowed.upper - allowed.lower + T(2) * step * widening > T(0);
      const RowState other = against == RowState::kLower ? RowState::kUpper : RowState::kLower;
      propose(i, against, room ? RowState::kFree : other, step);
    }
    return first;
  }

  // Forces that grow without end: their rows rule each other out. They keep what they lack, and
  // one of them its force.
  bool set_aside() {
    const Rows& rows = *rows_;
    const auto share = [&](int i) {
      return delta_mu_[at(i)] * delta_mu_[at(i)] * magnitude(rows.A[at(i)][at(i)]);
    };
    int most = kNone;
    for (int i = 0; i < rows.count; ++i) {
      if (active_[at(i)] != RowState::kFree) continue;
      const Sum<T> sum = row_times(rows, i, delta_mu_, T(0));
      if (!sum.is_zero(tolerance_)) return false;  // it is the relaxation that grows
      if (delta_mu_[at(i)] == T(0)) continue;
      if (most == kNone || share(i) > share(most)) most = i;
    }
    if (most == kNone) return false;
    for (int i = 0; i < rows.count; ++i) {
      if (active_[at(i)] != RowState::kFree || share(i) < tolerance_ * tolerance_ * share(most))
        continue;
      lack_[at(i)] = lack_[at(i)] + relaxation_ * d_[at(i)];
      d_[at(i)] = T(0);
    }
    active_[at(most)] = RowState::kGivenUp;
    return true;
  }

  Sum<T> acceleration(int i, const T& relaxation) const {
    const T start = rows_->b[at(i)] + lack_[at(i)] + relaxation * d_[at(i)];
    return row_times(*rows_, i, mu_, start);
  }

  T widening_of(int i) const {
    const RowBound<T>& row = rows_->rows[at(i)];
    return row.kind == RowKind::kFriction ? row.coefficient * delta_mu_[at(row.normal)] : T(0);
  }

  // The listed forces change by x, and the sliding rows follow.
  void spread(const Values<T, kMaxRows>& x) {
    const Rows& rows = *rows_;
    delta_mu_.fill(T(0));
    for (int r = 0; r < list_count_; ++r) delta_mu_[at(list_[at(r)])] = x[at(r)];
    for (int i = 0; i < rows.count; ++i) {
      if (active_.slides(*rows_, i))
        delta_mu_[at(i)] = active_.slope(*rows_, i) * delta_mu_[at(rows.rows[at(i)].normal)];
    }
  }

  static constexpr T kInfinity = std::numeric_limits<T>::infinity();

  const Rows* rows_;
  T tolerance_, relaxation_, delta_relaxation_, nearest_relaxation_;
  int most_, list_count_;
  std::array<int, static_cast<std::size_t>(kMaxRows)> list_;
  ActiveSet<T, kMaxRows> active_;
  Values<T, kMaxRows> mu_, delta_mu_, d_, lack_, nearest_;
  GeneralFactor<T, kMaxRows> factor_;
};

}  // namespace lockstep::rows

#include "lockstep/restore_macros.hpp"
