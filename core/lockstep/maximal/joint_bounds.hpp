// Bounds on how two frames stand or move against each other: limits on an angle, a way or a
// distance as unilateral rows, and a drive of bounded force, at rest a dry friction, as a boxed
// one. The frames are those of the joint that leaves the coordinate free.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <limits>
#include <numbers>

#include "lockstep/constraint/gear.hpp"
#include "lockstep/constraint/joints.hpp"
#include "lockstep/constraint/prescribed.hpp"
#include "lockstep/joint_limits.hpp"
#include "lockstep/maximal/bounded_rows.hpp"

namespace lockstep::maximal {

enum class Coordinate : std::uint8_t {
  kAngle,     // rad, from A's x to B's about A's z
  kAlong,     // m, of B's origin along A's z
  kDistance,  // m, of the origins
};
inline constexpr int kCoordinates = 3;

template <class T>
struct JointBound {
  int a = kWorld, b = kWorld;  // bodies
  Coordinate coordinate = Coordinate::kAngle;
  Placement<T> X_A = {}, X_B = {};  // each frame in its body
  JointLimits<T> limits = {};       // friction: at most, to keep the rate; not of a distance
  T restitution = T(0), rate = T(0);

  // Of an angle: how far beyond one limit it may be before it is nearer to the other.
  constexpr T least_cosine() const {
    constexpr T kTurn = T(2) * std::numbers::pi_v<T>;
    const T half_gap = T(0.5) * (kTurn - (limits.upper - limits.lower));
    if (!limits.has_lower() || !limits.has_upper() || !(half_gap < kTurn / T(4))) return T(0);
    T s, c;
    sincos(half_gap, s, c);
    return c;
  }

  constexpr Status check(int bodies) const {
    if (a < kWorld || b < kWorld || a >= bodies || b >= bodies || a == b) return Status::kBadFrame;
    const auto& [lower, upper, velocity, friction] = limits;
    bool good =
        static_cast<int>(coordinate) < kCoordinates && is_placement(X_A) && is_placement(X_B);
    good = good && restitution >= T(0) && restitution <= T(1) && is_finite(rate);
    if (coordinate == Coordinate::kAngle) {
      good = good && (!limits.has_lower() || is_within(lower, kMaxAngle<T>)) &&
             (!limits.has_upper() || is_within(upper, kMaxAngle<T>));
    }
    // a distance is measured in the limit's own length, and has no row of its rate alone
    if (coordinate == Coordinate::kDistance) {
      good = good && (!limits.has_lower() || lower > T(0)) && upper > T(0) && friction == T(0);
    }
    good = good && !limits.has_velocity();  // which only joint space knows
    return good ? limits.check() : Status::kBadConstraint;
  }
};

template <class T>
constexpr JointBound<T> to_joint_bound(const JointBound<double>& bound) {
  const auto cast3 = [](const Vec3<double>& v) {
    return Vec3<T>{static_cast<T>(v.x), static_cast<T>(v.y), static_cast<T>(v.z)};
  };
  const auto cast = [&](const Placement<double>& X) {
    return Placement<T>{{cast3(X.R.x), cast3(X.R.y), cast3(X.R.z)}, cast3(X.p)};
  };
  return {bound.a,
          bound.b,
          bound.coordinate,
          cast(bound.X_A),
          cast(bound.X_B),
          to_joint_limits<T>(bound.limits),
          static_cast<T>(bound.restitution),
          static_cast<T>(bound.rate)};
}

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
  if (bound.limits.has_lower()) add_limit(bound.limits.lower, T(1));
  if (bound.limits.has_upper()) add_limit(bound.limits.upper, T(-1));
  if (!(bound.limits.friction > T(0))) return;
  const int row = bound.coordinate == Coordinate::kAngle
                      ? add(Gear<T>{T(1), bound.rate}, T(1))
                      : add(Follow<PointOnPlane<T>, Ramp<T>>{{}, {T(0), bound.rate}}, T(1));
  if (row != kNone) drive(row);
}

}  // namespace lockstep::maximal

#include "lockstep/restore_macros.hpp"
