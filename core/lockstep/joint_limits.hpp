// What bounds a joint of one coordinate: its limits, its greatest speed, its dry friction.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <limits>

#include "lockstep/border.hpp"
#include "lockstep/model.hpp"

namespace lockstep {

template <class T>
struct JointLimits {
  T lower = -std::numeric_limits<T>::infinity();  // rad or m
  T upper = std::numeric_limits<T>::infinity();
  T velocity = std::numeric_limits<T>::infinity();  // rad/s or m/s, either way
  T friction = T(0);                                // N m or N

  constexpr Status check() const {
    const bool good = lower <= upper && velocity >= T(0) && friction >= T(0) && is_finite(friction);
    return good ? Status::kOk : Status::kBadConstraint;
  }
  constexpr bool has_lower() const { return lower > -std::numeric_limits<T>::infinity(); }
  constexpr bool has_upper() const { return upper < std::numeric_limits<T>::infinity(); }
  constexpr bool has_velocity() const { return velocity < std::numeric_limits<T>::infinity(); }
};

// What T cannot hold does not bound.
template <class T>
constexpr JointLimits<T> to_joint_limits(const JointLimits<double>& limits) {
  const auto narrow = [](double x) {
    constexpr double kMost = static_cast<double>(std::numeric_limits<T>::max());
    constexpr T kInfinity = std::numeric_limits<T>::infinity();
    return x > kMost ? kInfinity : x < -kMost ? -kInfinity : static_cast<T>(x);
  };
  return {narrow(limits.lower), narrow(limits.upper), narrow(limits.velocity),
          narrow(limits.friction)};
}
template <class T>
constexpr JointLimits<T> to_joint_limits(const Body& body) {
  return to_joint_limits<T>(JointLimits<double>{body.limits.lower, body.limits.upper,
                                                body.limits.velocity, body.friction});
}

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
