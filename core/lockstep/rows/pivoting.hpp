// Direct solver for rows with bounds, after Baraff 1994, "Fast contact force computation"
// (Dantzig's method). One row after another is driven until its condition holds; rows that are done
// stay done, by changing place whenever a force reaches a bound or an acceleration zero. Friction
// is a pyramid: a sliding row's force follows its normal row's, so both move in one pivot, and the
// answer is exact. At most `pivots` pivots of about c^3 multiplications, c rows being free.
#pragma once

#include "lockstep/rows/conditions.hpp"
#include "lockstep/rows/dense.hpp"
#include "lockstep/rows/gauss_seidel.hpp"

namespace lockstep::rows {

template <class T>
struct PivotingOptions {
  int pivots = 0;  // at most; zero: eight a row, where two are usual
  T tolerance = kTolerance<T>;
  GaussSeidelOptions<T> fallback = {.sweeps = 200};
};

template <class T, int kMaxRows>
class PivotingSolver {
 public:
  using Rows = System<T, kMaxRows>;

  // Redundant rows get no multiplier where others can bear the load. kNotConverged is an answer
  // too; after any other failure the solution is as it was.
  Status solve(const Rows& system, const PivotingOptions<T>& options,
               Solution<T, kMaxRows>& solution) {
    if (const Status status = check(system); status != Status::kOk) return status;
    Solution<T, kMaxRows> next;
    next.gave_up = run(system, options, next);
    if (next.gave_up == GaveUp::kNo) {
      solution = next;
      return next.stop == Stop::kConverged ? Status::kOk : Status::kNotConverged;
    }
    Solution<T, kMaxRows> swept;
    if (all_finite(next.mu.data(), system.count)) swept.mu = next.mu;
    const Status status = gauss_seidel(system, options.fallback, swept);
    if (status != Status::kOk && status != Status::kNotConverged) return status;
    swept.pivots = next.pivots;
    swept.gave_up = next.gave_up;
    solution = swept;
    return status;
  }

 private:
  enum class Place : std::uint8_t {
    kPending,       // not looked at yet; its force is zero, or the bound next to it
    kFree,          // a = 0, the force is what it takes
    kLower,         // at the bound, a >= 0; a sliding row's bound moves
    kUpper,         // at the bound, a <= 0
    kIdle,          // between the bounds, redundant: a = 0 because the free rows see to it
    kContradicted,  // redundant, and the other rows rule it out
  };
  struct Event {
    int row = kNone;
    Place from = Place::kPending, to = Place::kPending;
    T step = std::numeric_limits<T>::infinity();
  };

  GaveUp run(const Rows& system, const PivotingOptions<T>& options, Solution<T, kMaxRows>& next) {
    tolerance_ = options.tolerance;
    const int most = options.pivots > 0 ? options.pivots : 8 * system.count;
    place_.fill(Place::kPending);
    for (int i = 0; i < system.count; ++i) next.mu[at(i)] = bounds(system, next.mu, i).clamp(T(0));
    for (int kind = 0; kind < kRowKinds; ++kind) {
      for (int d = 0; d < system.count; ++d) {
        if (static_cast<int>(system.rows[at(d)].kind) != kind) continue;
        const GaveUp failure = drive(system, d, most, next);
        if (failure != GaveUp::kNo) return failure;
      }
    }
    return finish(system, next);
  }

  // Moves row d's force, and the free rows' with it, until d has a place. With friction the way
  // may turn: it goes on where the row that changed its place last obeys its conditions.
  GaveUp drive(const Rows& system, int d, int most, Solution<T, kMaxRows>& next) {
    T sign = T(0);
    Event last;
    while (place_[at(d)] == Place::kPending) {
      const Sum<T> a = row_times(system, d, next.mu, system.b[at(d)]);
      const Bounds<T> allowed = bounds(system, next.mu, d);
      const bool still = a.is_zero(tolerance_);
      if (next.mu[at(d)] <= allowed.lower && (still || a.value > T(0))) {
        place_[at(d)] = Place::kLower;
        continue;
      }
      if (next.mu[at(d)] >= allowed.upper && (still || a.value < T(0))) {
        place_[at(d)] = Place::kUpper;
        continue;
      }
      if (!factor_free(system)) return GaveUp::kNoWayOn;
      if (last.row == kNone) sign = a.value < T(0) ? T(1) : T(-1);
      move(system, d, sign);
      if (last.row != kNone && turns_back(system, last)) {
        sign = -sign;
        for (T& delta : delta_mu_) delta = -delta;
      }
      const Sum<T> rate = row_times(system, d, delta_mu_, T(0));
      const bool redundant = rate.is_zero(tolerance_);
      if (still) {
        place_[at(d)] = redundant ? Place::kIdle : Place::kFree;
        continue;
      }
      last = first_event(system, d, next.mu);
      if (!redundant && (a.value < T(0)) == (rate.value > T(0))) {
        const T reach = -a.value / rate.value;
        if (reach <= last.step) last = {d, Place::kPending, Place::kFree, reach};
      }
      if (last.row == kNone) {
        if (!redundant) return GaveUp::kNoWayOn;
        place_[at(d)] = Place::kContradicted;
        continue;
      }
      if (next.pivots == most) return GaveUp::kPivotsUsedUp;
      ++next.pivots;
      step(system, last, next.mu);
      if (last.row == d && !stays(system, d, next.mu)) return GaveUp::kNoWayOn;
    }
    return GaveUp::kNo;
  }

  // Whether row i, if it is at a bound, does not leave it.
  bool stays(const Rows& system, int i, const Values<T, kMaxRows>& mu) const {
    const Sum<T> a = row_times(system, i, mu, system.b[at(i)]);
    if (a.is_zero(tolerance_)) return true;
    return a.value < T(0) ? place_[at(i)] != Place::kLower : place_[at(i)] != Place::kUpper;
  }

  // Whether the row of the last event moves against the place that it has gone to.
  bool turns_back(const Rows& system, const Event& last) const {
    const int i = last.row;
    const Sum<T> rate = row_times(system, i, delta_mu_, T(0));
    if (last.to == Place::kLower) return !rate.is_zero(tolerance_) && rate.value < T(0);
    if (last.to == Place::kUpper) return !rate.is_zero(tolerance_) && rate.value > T(0);
    if (last.from == Place::kIdle) return false;
    const T outward = last.from == Place::kLower ? -delta_mu_[at(i)] : delta_mu_[at(i)];
    const T away = widening_of(system, i) - outward;
    return away < T(0) && -away * system.A[at(i)][at(i)] > tolerance_ * rate.scale;
  }

  // What stops the motion first. Ties go to d, then to the earliest row.
  Event first_event(const Rows& system, int d, const Values<T, kMaxRows>& mu) const {
    Event first;
    const auto propose = [&](int row, Place to, const T& step) {
      if (step < first.step) first = {row, place_[at(row)], to, step > T(0) ? step : T(0)};
    };
    const auto reach_bounds = [&](int i) {
      const Bounds<T> allowed = bounds(system, mu, i);
      const T widening = widening_of(system, i);
      const T rise = delta_mu_[at(i)] - widening, fall = -delta_mu_[at(i)] - widening;
      if (rise > T(0)) propose(i, Place::kUpper, (allowed.upper - mu[at(i)]) / rise);
      if (fall > T(0)) propose(i, Place::kLower, (mu[at(i)] - allowed.lower) / fall);
    };
    reach_bounds(d);
    for (int i = 0; i < system.count; ++i) {
      if (place_[at(i)] == Place::kFree) reach_bounds(i);
      const bool lower = place_[at(i)] == Place::kLower, upper = place_[at(i)] == Place::kUpper;
      if (!lower && !upper && place_[at(i)] != Place::kIdle) continue;
      const Sum<T> rate = row_times(system, i, delta_mu_, T(0));
      if (rate.is_zero(tolerance_) || (lower && rate.value > T(0)) ||
          (upper && rate.value < T(0))) {
        continue;
      }
      T step = T(0);  // an idle row, at once
      if (lower || upper) step = -row_times(system, i, mu, system.b[at(i)]).value / rate.value;
      const Bounds<T> allowed = bounds(system, mu, i);
      // without a normal force there is no room between the bounds
      const T room = allowed.upper - allowed.lower + T(2) * step * widening_of(system, i);
      const Place other = rate.value < T(0) ? Place::kUpper : Place::kLower;
      propose(i, room > T(0) ? Place::kFree : other, step);
    }
    return first;
  }

  T widening_of(const Rows& system, int i) const {
    const Row<T>& row = system.rows[at(i)];
    return row.kind == RowKind::kFriction ? row.coefficient * delta_mu_[at(row.normal)] : T(0);
  }

  // The motion of all forces while d's changes by `sign`.
  void move(const Rows& system, int d, const T& sign) {
    Values<T, kMaxRows> right;
    for (int r = 0; r < list_count_; ++r) {
      right[at(r)] = -sign * column_element(system, list_[at(r)], d);
    }
    spread(system, right);
    delta_mu_[at(d)] = sign;
  }

  // Solves for the free rows' forces, and lets the sliding rows follow.
  void spread(const Rows& system, const Values<T, kMaxRows>& right) {
    Values<T, kMaxRows> x;
    factor_.solve(right, x);
    delta_mu_.fill(T(0));
    for (int r = 0; r < list_count_; ++r) delta_mu_[at(list_[at(r)])] = x[at(r)];
    for (int i = 0; i < system.count; ++i) {
      if (slides(system, i)) {
        delta_mu_[at(i)] = slope(system, i) * delta_mu_[at(system.rows[at(i)].normal)];
      }
    }
  }

  void step(const Rows& system, const Event& event, Values<T, kMaxRows>& mu) {
    for (int i = 0; i < system.count; ++i) {
      mu[at(i)] = mu[at(i)] + event.step * delta_mu_[at(i)];
    }
    place_[at(event.row)] = event.to;
    settle(system, mu);
  }

  // Forces at a bound are exactly there.
  void settle(const Rows& system, Values<T, kMaxRows>& mu) const {
    for (const bool friction : {false, true}) {
      for (int i = 0; i < system.count; ++i) {
        if ((system.rows[at(i)].kind == RowKind::kFriction) != friction) continue;
        const Bounds<T> allowed = bounds(system, mu, i);
        mu[at(i)] = place_[at(i)] == Place::kLower   ? allowed.lower
                    : place_[at(i)] == Place::kUpper ? allowed.upper
                                                     : allowed.clamp(mu[at(i)]);
      }
    }
  }

  // Sharpens the free rows, counts the redundant ones, and checks what came out.
  GaveUp finish(const Rows& system, Solution<T, kMaxRows>& next) {
    if (!factor_free(system)) return GaveUp::kNoWayOn;
    Values<T, kMaxRows> right;
    for (int r = 0; r < list_count_; ++r) {
      const int i = list_[at(r)];
      right[at(r)] = -row_times(system, i, next.mu, system.b[at(i)]).value;
    }
    spread(system, right);
    for (int i = 0; i < system.count; ++i) next.mu[at(i)] = next.mu[at(i)] + delta_mu_[at(i)];
    settle(system, next.mu);

    next.redundant = redundancy(system, next.mu);
    bool satisfied = all_finite(next.mu.data(), system.count);
    judge(system, Friction::kPyramid, T(4) * tolerance_, next, [&](const auto& block) {
      next.stop = Stop::kInconsistent;
      satisfied &= place_[at(block.first)] == Place::kContradicted;
    });
    return satisfied ? GaveUp::kNo : GaveUp::kNotSatisfied;
  }

  // How many of the rows that do not accelerate the others among them settle.
  int redundancy(const Rows& system, const Values<T, kMaxRows>& mu) {
    list_count_ = 0;
    for (int i = 0; i < system.count; ++i) {
      const bool still = row_times(system, i, mu, system.b[at(i)]).is_zero(tolerance_);
      if (still || place_[at(i)] == Place::kContradicted) list_[at(list_count_++)] = i;
    }
    const auto element = [&](int r, int c) { return system.A[at(list_[at(r)])][at(list_[at(c)])]; };
    return list_count_ - factor_.factor(element, list_count_, tolerance_);
  }

  bool factor_free(const Rows& system) {
    list_count_ = 0;
    for (int i = 0; i < system.count; ++i) {
      if (place_[at(i)] == Place::kFree) list_[at(list_count_++)] = i;
    }
    const auto element = [&](int r, int c) {
      return column_element(system, list_[at(r)], list_[at(c)]);
    };
    // what is free was found independent, so only exact zeros are refused here
    return factor_.factor(element, list_count_, T(0)) == list_count_;
  }

  // How row i's acceleration answers to force j and to the friction that slides under j.
  T column_element(const Rows& system, int i, int j) const {
    T sum = system.A[at(i)][at(j)];
    for (int f = 0; f < system.count; ++f) {
      if (system.rows[at(f)].normal == j && slides(system, f)) {
        sum = sum + slope(system, f) * system.A[at(i)][at(f)];
      }
    }
    return sum;
  }
  bool slides(const Rows& system, int i) const {
    return system.rows[at(i)].kind == RowKind::kFriction &&
           (place_[at(i)] == Place::kLower || place_[at(i)] == Place::kUpper);
  }
  T slope(const Rows& system, int i) const {
    const T coefficient = system.rows[at(i)].coefficient;
    return place_[at(i)] == Place::kUpper ? coefficient : -coefficient;
  }

  T tolerance_;
  int list_count_;
  std::array<int, static_cast<std::size_t>(kMaxRows)> list_;
  std::array<Place, static_cast<std::size_t>(kMaxRows)> place_;
  Values<T, kMaxRows> delta_mu_;
  GeneralFactor<T, kMaxRows> factor_;
};

}  // namespace lockstep::rows
