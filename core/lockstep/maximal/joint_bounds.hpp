// Bounds on how two frames stand or move against each other: limits on an angle, a way or a
// distance as unilateral rows, and a drive of bounded force, at rest a dry friction, as a boxed
// one. The frames are those of the joint that leaves the coordinate free.
#pragma once

#include <limits>
#include <numbers>

#include "lockstep/constraint/gear.hpp"
#include "lockstep/constraint/joints.hpp"
#include "lockstep/constraint/prescribed.hpp"
#include "lockstep/maximal/bounded_rows.hpp"

namespace lockstep::maximal {

enum class Coordinate : std::uint8_t {
  kAngle,     // rad, from A's x to B's about A's z
  kAlong,     // m, of B's origin along A's z
  kDistance,  // m, of the origins
};
inline constexpr int kCoordinates = 3;

struct JointBoundRecord {
  int a = kWorld, b = kWorld;  // bodies
  Coordinate coordinate = Coordinate::kAngle;
  std::array<double, 12> X_A = {}, X_B = {};  // each frame in its body: R by columns, p
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  double restitution = 0;
  double force = 0;  // N, N m: at most, to keep the rate; not of a distance
  double rate = 0;
  constexpr bool operator==(const JointBoundRecord&) const = default;
};

template <class T>
struct JointBound {
  int a = kWorld, b = kWorld;
  Coordinate coordinate = Coordinate::kAngle;
  Placement<T> X_A = {}, X_B = {};
  T lower = -std::numeric_limits<T>::infinity(), upper = std::numeric_limits<T>::infinity();
  T restitution = T(0), force = T(0), rate = T(0);

  constexpr JointBound() = default;
  constexpr explicit JointBound(const JointBoundRecord& record)
      : a(record.a),
        b(record.b),
        coordinate(record.coordinate),
        X_A(placement(record.X_A)),
        X_B(placement(record.X_B)),
        lower(static_cast<T>(record.lower)),
        upper(static_cast<T>(record.upper)),
        restitution(static_cast<T>(record.restitution)),
        force(static_cast<T>(record.force)),
        rate(static_cast<T>(record.rate)) {}

  constexpr bool has_lower() const { return lower > -std::numeric_limits<T>::infinity(); }
  constexpr bool has_upper() const { return upper < std::numeric_limits<T>::infinity(); }

  // Of an angle: how far beyond one limit it may be before it is nearer to the other.
  constexpr T least_cosine() const {
    constexpr T kTurn = T(2) * std::numbers::pi_v<T>;
    const T half_gap = T(0.5) * (kTurn - (upper - lower));
    if (!has_lower() || !has_upper() || !(half_gap < kTurn / T(4))) return T(0);
    T s, c;
    sincos(half_gap, s, c);
    return c;
  }

  constexpr Status check(int bodies) const {
    if (a < kWorld || b < kWorld || a >= bodies || b >= bodies || a == b) return Status::kBadFrame;
    const bool distance = coordinate == Coordinate::kDistance;
    bool good =
        static_cast<int>(coordinate) < kCoordinates && is_placement(X_A) && is_placement(X_B);
    good = good && lower <= upper && restitution >= T(0) && restitution <= T(1);
    good = good && force >= T(0) && is_finite(force) && is_finite(rate);
    if (coordinate == Coordinate::kAngle) {
      good = good && (!has_lower() || is_within(lower, kMaxAngle<T>)) &&
             (!has_upper() || is_within(upper, kMaxAngle<T>));
    }
    // a distance is measured in the limit's own length, and has no row of its rate alone
    if (distance) good = good && (!has_lower() || lower > T(0)) && upper > T(0) && force == T(0);
    return good ? Status::kOk : Status::kBadConstraint;
  }

 private:
  static constexpr Placement<T> placement(const std::array<double, 12>& numbers) {
    const auto at3 = [&](std::size_t i) {
      return Vec3<T>{static_cast<T>(numbers[i]), static_cast<T>(numbers[i + 1]),
                     static_cast<T>(numbers[i + 2])};
    };
    return {{at3(0), at3(3), at3(6)}, at3(9)};
  }
};

namespace detail {

// The sine of what the angle is beyond the limit. More than a quarter turn away it says nothing,
// nor where the other limit is nearer: that is far.
template <class T>
struct AngleBeyond {
  using Scalar = T;
  static constexpr int kDimension = 1;

  T limit;
  T least_cosine = T(0);  // of what is not far

  constexpr Rows<T, 1> rows(const FrameMotion<T>& A, const FrameMotion<T>& B, const T& time) const {
    Rows<T, 1> row = FollowAngle<T, Ramp<T>>{{limit, T(0)}}.rows(A, B, time);
    T s, c;
    sincos(limit, s, c);
    const bool near = dot(c * A.R.x + s * A.R.y, B.R.x) > least_cosine;
    if (!near) row.value[0] = std::numeric_limits<T>::infinity();
    return row;
  }
};

}  // namespace detail

// Adds the limits that the coordinate is within `margin` of, and the drive. Calls limit(row, sign),
// the sign telling whether the row is along the coordinate, or drive(row).
template <class BoundedRows, class Mechanism, class State, class T, class Limit, class Drive>
void add_bound(BoundedRows& rows, const Mechanism& mechanism, const State& state,
               const JointBound<T>& bound, const T& margin, Limit&& limit, Drive&& drive) {
  const auto add = [&]<class C>(const C& constraint, const T& sign) {
    return rows.add(mechanism, state, Between<C>{bound.X_A, bound.X_B, constraint}, bound.a,
                    bound.b, sign);
  };
  const auto add_limit = [&](const T& at_limit, const T& sign) {
    const Ramp<T> there = {at_limit, T(0)};
    int row = kNone;
    switch (bound.coordinate) {
      case Coordinate::kAngle:
        row = add(detail::AngleBeyond<T>{at_limit, bound.least_cosine()}, sign);
        break;
      case Coordinate::kAlong: row = add(Follow<PointOnPlane<T>, Ramp<T>>{{}, there}, sign); break;
      case Coordinate::kDistance:
        row = add(FollowDistance<T, Ramp<T>>{at_limit, there}, sign);
        break;
    }
    if (row == kNone) return;
    if (rows.value(row) <= margin && rows.value(row) >= -std::numeric_limits<T>::max()) {
      limit(row, sign);
    } else {
      rows.remove_from(row);
    }
  };
  if (bound.has_lower()) add_limit(bound.lower, T(1));
  if (bound.has_upper()) add_limit(bound.upper, T(-1));
  if (!(bound.force > T(0))) return;
  const int row = bound.coordinate == Coordinate::kAngle
                      ? add(Gear<T>{T(1), bound.rate}, T(1))
                      : add(Follow<PointOnPlane<T>, Ramp<T>>{{}, {T(0), bound.rate}}, T(1));
  if (row != kNone) drive(row);
}

}  // namespace lockstep::maximal
