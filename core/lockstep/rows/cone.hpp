// From the forces of a friction pyramid to those of the true cone, by Newton's method on the map of
// conditions.hpp (Alart and Curnier 1991). With z = f - a / D of a contact's pair of friction rows,
// normal force N and coefficient m, f is z where |z| <= m N: the contact sticks, and a = 0. Beyond
// it slides, and f is m N e with e = z / |z|. Linearized, with p across e,
//   f = m N e + w p,   p . a + r w = 0,   r = D (|z| - m N) / (m N),
// so a sliding contact has two unknowns, N and w, and a pair that slides looks like one row that
// slides and one that yields by r. All rows change their places at once. About u^3 multiplications
// a round with u unknowns, no more than there are rows; two to four rounds are usual.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/rows/lemke.hpp"

namespace lockstep::rows {

template <class T, int kMaxRows>
class ConeNewton {
 public:
  using Rows = System<T, kMaxRows>;

  // Begins at forces mu. Rows that the path set aside stay so, but for friction's, which no others
  // rule out. `rows` must stay where they are while this is in use.
  void begin(const Rows& rows, const Lemke<T, kMaxRows>& path, const Values<T, kMaxRows>& mu) {
    rows_ = &rows;
    mu_ = mu;
    largest_ = largest_diagonal(rows);
    for (int i = 0; i < rows.count; ++i) {
      const bool friction = rows.rows[at(i)].kind == RowKind::kFriction;
      b_[at(i)] = friction ? rows.b[at(i)] : rows.b[at(i)] + path.lack(i);
      const Bounds<T> allowed = bounds(rows, mu, i);
      place_[at(i)] = !friction && path.is_set_aside(i) ? Place::kKept
                      : mu[at(i)] <= allowed.lower      ? Place::kLower
                      : mu[at(i)] >= allowed.upper      ? Place::kUpper
                                                        : Place::kFree;
    }
  }

  // True once all rows are content, after at most `most` pivots in all. Late rounds that go half
  // of their way lead out of circles.
  bool run(const T& tolerance, int most, GeneralFactor<T, kMaxRows>& factor, int& pivots) {
    for (int round = 0;; ++round) {
      if (place_all(tolerance, round > 0)) return true;
      if (pivots == most) return false;
      ++pivots;
      const Values<T, kMaxRows> before = mu_;
      settle();
      solve(tolerance, factor);
      if (round < 8 || round % 3 != 2) continue;
      for (int i = 0; i < rows_->count; ++i) mu_[at(i)] = T(0.5) * (before[at(i)] + mu_[at(i)]);
    }
  }

  const Values<T, kMaxRows>& mu() const { return mu_; }

 private:
  enum class Place : std::uint8_t {
    kFree,    // a = 0
    kLower,   // at the bound, a >= 0; one of friction moves with its normal force
    kUpper,   // at the bound, a <= 0
    kSlides,  // with its neighbour, against the slip
    kKept,    // set aside
  };

  // Where each row belongs by the forces and accelerations that there are, solved for where it was
  // or not. True if all are content with them.
  bool place_all(const T& tolerance, bool solved) {
    const Rows& rows = *rows_;
    Values<T, kMaxRows> moved;
    bool content = true;
    for (int i = 0; i < rows.count; ++i) {
      const Sum<T> a = row_times(rows, i, mu_, b_[at(i)]);
      a_[at(i)] = a.value;
      scale_[at(i)] = a.scale;
    }
    for (int i = 0; i < rows.count;) {
      const Block<T, kMaxRows> block(rows, Friction::kCone, i, largest_);
      const int next = i + block.size;
      block.move(rows, mu_, a_, T(1), moved);
      T scale = T(0);
      for (; i < next; ++i) scale = scale_[at(i)] > scale ? scale_[at(i)] : scale;
      const bool within = block.violation(mu_, moved) <= tolerance * scale;
      content &= within || place_[at(block.first)] == Place::kKept;
      if (block.size == 2) {
        place_pair(block, solved && !within && place_[at(block.first)] == Place::kFree);
      } else {
        place_row(block.first, tolerance);
      }
    }
    return content;
  }

  // Free rows go to the bound that their force is beyond or, where others settle them, that their
  // acceleration asks for; rows that leave a bound the wrong way become free.
  void place_row(int i, const T& tolerance) {
    Place& place = place_[at(i)];
    slope_[at(i)] = T(0);
    if (place == Place::kKept) return;
    const Bounds<T> allowed = bounds(*rows_, mu_, i);
    const bool still = magnitude(a_[at(i)]) <= tolerance * scale_[at(i)];
    const bool low = mu_[at(i)] < allowed.lower || (!still && a_[at(i)] > T(0));
    const bool high = mu_[at(i)] > allowed.upper || (!still && a_[at(i)] < T(0));
    if (!(allowed.lower < allowed.upper)) {
      place = a_[at(i)] < T(0) ? Place::kUpper : Place::kLower;
    } else if (place == Place::kFree) {
      if (low) place = Place::kLower;
      if (high && allowed.upper < kInfinity) place = Place::kUpper;
    } else if (place == Place::kLower ? high : low) {
      place = Place::kFree;
    }
    const T& coefficient = rows_->rows[at(i)].coefficient;
    if (rows_->rows[at(i)].kind != RowKind::kFriction || place == Place::kFree) return;
    slope_[at(i)] = place == Place::kUpper ? coefficient : -coefficient;
  }

  void place_pair(const Block<T, kMaxRows>& block, bool in_vain) {
    const int i = block.first;
    const T most = bounds(*rows_, mu_, i).upper;
    T x = mu_[at(i)] - a_[at(i)] / block.D, y = mu_[at(i) + 1] - a_[at(i) + 1] / block.D;
    T length = sqrt(x * x + y * y), beyond = block.D * (length - most);
    if (in_vain && length <= most) {
      // no force holds it: friction is against its slip
      x = -a_[at(i)], y = -a_[at(i) + 1];
      length = beyond = sqrt(x * x + y * y);
    }
    const bool slides = beyond > T(0) || !(most > T(0));
    place_[at(i)] = place_[at(i) + 1] = slides ? Place::kSlides : Place::kFree;
    slope_[at(i)] = slope_[at(i) + 1] = T(0);
    yield_[at(i)] = yield_[at(i) + 1] = kInfinity;
    if (!slides || !(length > T(0))) return;
    e_[at(i)] = x / length;
    e_[at(i) + 1] = y / length;
    for (const int row : {i, i + 1}) {
      slope_[at(row)] = rows_->rows[at(row)].coefficient * e_[at(row)];
    }
    // without a normal force there is nothing to turn
    if (most > T(0)) yield_[at(i)] = beyond / most;
  }

  // Forces where their places have them.
  void settle() {
    const Rows& rows = *rows_;
    for (const bool friction : {false, true}) {
      for (int i = 0; i < rows.count; ++i) {
        const RowBound<T>& row = rows.rows[at(i)];
        const Place place = place_[at(i)];
        if ((row.kind == RowKind::kFriction) != friction) continue;
        if (place == Place::kFree || place == Place::kKept) continue;
        if (friction) {
          const T& normal = mu_[at(row.normal)];
          mu_[at(i)] = slope_[at(i)] * (normal > T(0) ? normal : T(0));
        } else {
          const Bounds<T> allowed = bounds(rows, mu_, i);
          mu_[at(i)] = place == Place::kLower ? allowed.lower : allowed.upper;
        }
      }
    }
  }

  // An unknown: the force of a free row, with the friction that slides under it, or w of a pair.
  struct Unknown {
    int row;
    bool across;
  };
  // Of numbers of the pair's two rows, or of one row.
  T part(const Unknown& unknown, const Values<T, kMaxRows>& numbers) const {
    const int i = unknown.row;
    if (!unknown.across) return numbers[at(i)];
    return e_[at(i)] * numbers[at(i) + 1] - e_[at(i) + 1] * numbers[at(i)];
  }
  // How row i answers to an unknown.
  T response(int i, const Unknown& unknown) const {
    const Values<T, kMaxRows>& A = rows_->A[at(i)];
    T sum = part(unknown, A);
    for (int f = 0; !unknown.across && f < rows_->count; ++f) {
      if (rows_->rows[at(f)].normal == unknown.row) sum = sum + slope_[at(f)] * A[at(f)];
    }
    return sum;
  }

  // The forces that the linearized map has for these places.
  void solve(const T& tolerance, GeneralFactor<T, kMaxRows>& factor) {
    const Rows& rows = *rows_;
    std::array<Unknown, static_cast<std::size_t>(kMaxRows)> unknowns;
    int count = 0;
    for (int i = 0; i < rows.count; ++i) {
      a_[at(i)] = row_times(rows, i, mu_, b_[at(i)]).value;
      if (place_[at(i)] == Place::kFree) unknowns[at(count++)] = {i, false};
      if (place_[at(i)] == Place::kSlides && yield_[at(i)] < kInfinity) {
        unknowns[at(count++)] = {i, true};
      }
    }
    const auto element = [&](int r, int c) {
      const Unknown &row = unknowns[at(r)], &column = unknowns[at(c)];
      const int i = row.row;
      if (!row.across) return response(i, column);
      const T sum = e_[at(i)] * response(i + 1, column) - e_[at(i) + 1] * response(i, column);
      return r == c ? sum + yield_[at(i)] : sum;
    };
    factor.factor(element, count, tolerance);
    Values<T, kMaxRows> right, x;
    for (int r = 0; r < count; ++r) right[at(r)] = -part(unknowns[at(r)], a_);
    factor.solve(right, x);
    Values<T, kMaxRows> change;
    for (int i = 0; i < rows.count; ++i) change[at(i)] = T(0);
    for (int r = 0; r < count; ++r) {
      const int i = unknowns[at(r)].row;
      if (!unknowns[at(r)].across) {
        change[at(i)] = x[at(r)];
      } else {
        change[at(i)] = -e_[at(i) + 1] * x[at(r)];
        change[at(i) + 1] = e_[at(i)] * x[at(r)];
      }
    }
    for (int i = 0; i < rows.count; ++i) {
      const RowBound<T>& row = rows.rows[at(i)];
      mu_[at(i)] = mu_[at(i)] + change[at(i)];
      if (row.kind == RowKind::kFriction) {
        mu_[at(i)] = mu_[at(i)] + slope_[at(i)] * change[at(row.normal)];
      }
    }
  }

  static constexpr T kInfinity = std::numeric_limits<T>::infinity();

  const Rows* rows_;
  T largest_;
  std::array<Place, static_cast<std::size_t>(kMaxRows)> place_;
  Values<T, kMaxRows> mu_, b_, a_, scale_;
  Values<T, kMaxRows> slope_;      // of a sliding row's force over its normal row's
  Values<T, kMaxRows> e_, yield_;  // of a sliding pair; r on its first row, infinite where w = 0
};

}  // namespace lockstep::rows

#include "lockstep/restore_macros.hpp"
