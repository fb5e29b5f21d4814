// The border of the real-time contract: bad numbers are caught here, before anything is computed.
// Every value is looked at, whatever the others are, so the cost does not depend on the data.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "lockstep/body_data.hpp"
#include "lockstep/status.hpp"
#include "lockstep/trig.hpp"

namespace lockstep {

// How far a quaternion's squared length may be from one: rounding of a few thousand steps.
template <class T>
inline constexpr double kQuaternionTolerance = sizeof(T) == sizeof(float) ? 1e-4 : 1e-6;

// NaN - NaN and inf - inf are NaN, which equals nothing.
template <class T>
constexpr bool is_finite(const T& x) {
  return x - x == T(0);
}

// Adding one to the lowest place of the exponent carries into the sign bit if the exponent is all
// ones. Integers only, so that compilers look at several values at once.
template <class T>
constexpr bool all_finite(const T* values, int count) {
  if constexpr (std::is_floating_point_v<T>) {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    constexpr Bits kSign = Bits{1} << (8 * sizeof(T) - 1);
    constexpr Bits kInfinity = std::bit_cast<Bits>(std::numeric_limits<T>::infinity());
    constexpr Bits kLowest = Bits{1} << (std::numeric_limits<T>::digits - 1);
    Bits carry = 0;
    for (int i = 0; i < count; ++i) carry |= (std::bit_cast<Bits>(values[i]) & kInfinity) + kLowest;
    return (carry & kSign) == 0;
  } else {
    bool finite = true;
    for (int i = 0; i < count; ++i) finite &= is_finite(values[i]);
    return finite;
  }
}

template <class T>
constexpr bool is_unit_quaternion(const T* q) {
  const T error = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - T(1);
  bool unit = error <= T(kQuaternionTolerance<T>);
  unit &= -error <= T(kQuaternionTolerance<T>);
  return unit;
}

template <class View, class Input, class Wrenches, class Output>
Status check_border(const View& model, const Input& in, const Wrenches* external,
                    const Output& out) {
  const Counts counts = model.counts();
  if (in.q.size() != counts.q || in.v.size() != counts.v || in.tau.size() != counts.v ||
      (external != nullptr && external->cols() != model.body_count()) ||
      out.vdot.size() != counts.v || out.reaction.cols() != model.body_count() ||
      out.lambda.size() != counts.lambda) {
    return Status::kWrongSize;
  }

  bool finite = true, unit = true, small = true;
  const auto look = [&](const auto& values) {
    finite &= all_finite(values.data(), static_cast<int>(values.size()));
  };
  look(in.q), look(in.v), look(in.tau), look(in.gravity);
  if (external != nullptr) look(*external);

  model.backward([&]<JointType kJoint, class T>(int, const BodyData<T>& body) {
    const auto* q = in.q.data() + body.q;
    if constexpr (kJoint == JointType::kBall) unit &= is_unit_quaternion(q);
    if constexpr (kJoint == JointType::kFloating) unit &= is_unit_quaternion(q + 3);
    if constexpr (kJoint == JointType::kRevolute || kJoint == JointType::kPlanar) {
      const T angle = q[kJoint == JointType::kPlanar ? 2 : 0];
      small &= angle <= T(kMaxAngle<T>);
      small &= -angle <= T(kMaxAngle<T>);
    }
  });
  if (!finite) return Status::kNotFinite;
  if (!unit) return Status::kNotUnitQuaternion;
  if (!small) return Status::kAngleTooLarge;
  return Status::kOk;
}

}  // namespace lockstep
