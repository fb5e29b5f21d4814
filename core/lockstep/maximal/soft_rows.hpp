// Rows that yield, in maximal coordinates: a spring k, a damper d and an inertia m along a row that
// is phi off and moves at r. Taken at the end of a step (as implicit.hpp does), with a the row's
// acceleration,
//     f = -(k (phi + h (r + h a)) + d (r + h a) + m a),
// which is a row again, a + f / P + pull / P = 0 with P = m + h d + h^2 k: -1 / P on the diagonal
// of H, in the forest's own nodes (order.hpp), stable at any stiffness. h = 0 is the force as it
// is.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <algorithm>
#include <numbers>
#include <span>

#include "lockstep/maximal/state.hpp"

namespace lockstep::maximal {

// How much of a spring, a damper and an inertia a problem's P has.
template <class T>
struct SoftStep {
  T armature = T(1), damping = T(0), stiffness = T(0);
  bool operator==(const SoftStep&) const = default;

  // Of forces over a time h: velocities and positions at its end.
  static constexpr SoftStep over(const T& h) { return {T(1), h, h * h}; }
  // In a world without inertia: velocities at once, positions after h.
  static constexpr SoftStep drag(const T& h) { return {T(0), T(1), h}; }
  // Where nothing has time to act but inertia: explicit forces, impulses.
  static constexpr SoftStep at_once() { return {}; }

  // Never zero: a row that gives to forces without bound passes on the one that is asked for, to
  // the last bit.
  template <class Own>
  constexpr T P(const Own& own) const {
    constexpr T kLeast = T(1e-30);
    const T sum =
        armature * static_cast<T>(own.armature) +
        (damping * static_cast<T>(own.damping) + stiffness * static_cast<T>(own.stiffness));
    return sum > kLeast ? sum : kLeast;
  }
};

// Of mechanisms without any.
struct NoSoftRows {};

// Values and rates of rows that yield, which are no errors.
template <class Mechanism>
class SoftRows {
 public:
  using T = typename Mechanism::Scalar;

  // Takes them out of a state's rows, where zeros stay.
  void take(const Mechanism& mechanism, RowValues<Mechanism>& rows) {
    value_.resize(mechanism.counts().lambda), rate_.resize(mechanism.counts().lambda);
    for_rows(mechanism, [&](int row, const ConstraintPlace& place) {
      value_[row] = place.is_velocity(row - place.lambda) ? T(0) : rows.value[row];
      rate_[row] = rows.velocity_error[row];
      rows.value[row] = rows.velocity_error[row] = T(0);
    });
  }
  // Angles become those within half a turn of `near`: all rows' values, or none for zeros.
  void turn_near(const Mechanism& mechanism, std::span<const T> near) {
    if (near.empty()) return;
    for_rows(mechanism, [&](int row, const ConstraintPlace& place) {
      if (place.turn_parts == 0) return;
      const T turn = (T(2) * std::numbers::pi_v<T>) / static_cast<T>(place.turn_parts);
      const T off = value_[row] - near[at(row)];
      value_[row] = near[at(row)] + (off - turn * nearest_whole(T(off / turn)));
    });
  }
  std::span<const T> values() const {
    return {value_.data(), static_cast<std::size_t>(value_.size())};
  }
  const T& value(int row) const { return value_[row]; }
  const T& rate(int row) const { return rate_[row]; }

  // f(row, place), constraint by constraint.
  template <class F>
  static void for_rows(const Mechanism& mechanism, F&& f) {
    mechanism.constraints([&](const ConstraintPlace& place, const auto&) {
      if (!place.softness.yields() || place.joins) return;
      for (int i = 0; i < place.dimension; ++i) f(place.lambda + i, place);
    });
  }

  // Adds what a step of h asks of accelerations: pull / P.
  template <class Values>
  void add_pull(const Mechanism& mechanism, const T& h, const SoftStep<T>& step,
                Values& pull) const {
    for_rows(mechanism, [&](int row, const ConstraintPlace& place) {
      const auto own = place.softness.template in<T>();
      const T force = own.stiffness * (value_[row] + h * rate_[row]) + own.damping * rate_[row];
      pull[row] = pull[row] + force / step.P(own);
    });
  }
  // In a world without inertia.
  template <class Values>
  void add_drag(const Mechanism& mechanism, const SoftStep<T>& step, Values& pull) const {
    for_rows(mechanism, [&](int row, const ConstraintPlace& place) {
      const auto own = place.softness.template in<T>();
      pull[row] = pull[row] + own.stiffness * value_[row] / step.P(own);
    });
  }
  // By how far rows are off, over a step of h that began at rates `before`, has passed on `impulse`
  // and set out at rates `start`: what would end it with all their impulse, to first order. Dampers
  // feel the mean rate: under weight a body that they hold would climb if the end's were zero.
  template <class Before, class Impulse, class Values>
  void put_lack(const Mechanism& mechanism, const T& h, const Before& before, const Before& start,
                const Impulse& impulse, Values& lack) const {
    const auto step = SoftStep<T>::over(h);
    for_rows(mechanism, [&](int row, const ConstraintPlace& place) {
      const auto own = place.softness.template in<T>();
      const T mean = T(0.5) * (start[row] + rate_[row]);
      const T more = h * (own.stiffness * value_[row] + own.damping * mean) +
                     own.armature * (rate_[row] - before[row]);
      lack[row] = h * ((impulse[row] + more) / step.P(own));
    });
  }

 private:
  MultipliersOf<Mechanism> value_, rate_;
};

}  // namespace lockstep::maximal

#include "lockstep/restore_macros.hpp"
