// The border of the real-time contract: bad numbers are caught here, before anything is computed.
// Every value is looked at, whatever the others are, so the cost does not depend on the data.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "lockstep/body_data.hpp"
#include "lockstep/lanes.hpp"
#include "lockstep/status.hpp"
#include "lockstep/trig.hpp"

namespace lockstep {

// How far a quaternion's squared length may be from one: rounding of a few thousand steps.
template <class T>
inline constexpr NumberOf<T> kQuaternionTolerance = sizeof(NumberOf<T>) == sizeof(float)
                                                        ? NumberOf<T>(1e-4)
                                                        : NumberOf<T>(1e-6);

// NaN - NaN and inf - inf are NaN, which equals nothing.
template <class T>
constexpr Truth<T> is_finite(const T& x) {
  return x - x == T(0);
}

// Adding one to the lowest place of the exponent carries into the sign bit if the exponent is all
// ones. Integers only, so that compilers look at several values at once.
template <class T>
constexpr Truth<T> all_finite(const T* values, int count) {
  if constexpr (std::is_floating_point_v<T>) {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    constexpr Bits kSign = Bits{1} << (8 * sizeof(T) - 1);
    constexpr Bits kInfinity = std::bit_cast<Bits>(std::numeric_limits<T>::infinity());
    constexpr Bits kLowest = Bits{1} << (std::numeric_limits<T>::digits - 1);
    Bits carry = 0;
    for (int i = 0; i < count; ++i) carry |= (std::bit_cast<Bits>(values[i]) & kInfinity) + kLowest;
    return (carry & kSign) == 0;
  } else {
    Truth<T> finite = true;
    for (int i = 0; i < count; ++i) finite &= is_finite(values[i]);
    return finite;
  }
}

template <class T>
constexpr Truth<T> is_within(const T& x, const T& bound) {
  Truth<T> within = x <= bound;
  within &= -x <= bound;
  return within;
}

template <class T>
constexpr bool is_finite3(const Vec3<T>& a) {
  return is_finite(a.x) && is_finite(a.y) && is_finite(a.z);
}

// Whether R is a rotation, to rounding.
template <class T>
constexpr bool is_placement(const Placement<T>& X) {
  constexpr T kTolerance = sizeof(T) == sizeof(float) ? T(1e-5) : T(1e-9);
  const auto near = [&](const T& a, const T& b) { return is_within(T(a - b), kTolerance); };
  const Vec3<T>&x = X.R.x, &y = X.R.y, &z = X.R.z;
  return is_finite3(X.p) && near(dot(x, x), T(1)) && near(dot(y, y), T(1)) &&
         near(dot(x, y), T(0)) && near(dot(cross(x, y), z), T(1));
}

template <class T>
constexpr Truth<T> is_unit_quaternion(const T* q) {
  return is_within(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - T(1),
                   T(kQuaternionTolerance<T>));
}

// What was found of the numbers handed in.
template <class T>
struct Border {
  Truth<T> finite = true, unit = true, small = true;

  Truth<T> passed() const { return finite & unit & small; }
  Status status(int lane) const {
    if (!holds(finite, lane)) return Status::kNotFinite;
    if (!holds(unit, lane)) return Status::kNotUnitQuaternion;
    if (!holds(small, lane)) return Status::kAngleTooLarge;
    return Status::kOk;
  }
};

template <class View, class Input, class Wrenches, class Output>
bool fits(const View& model, const Input& in, const Wrenches* external, const Output& out) {
  const Counts counts = model.counts();
  return in.q.size() == counts.q && in.v.size() == counts.v && in.tau.size() == counts.v &&
         (external == nullptr || external->cols() == model.body_count()) &&
         out.vdot.size() == counts.v && out.reaction.cols() == model.body_count() &&
         out.lambda.size() == counts.lambda;
}

// Whether a joint's coordinates have a meaning.
template <JointType kJoint, class T>
void check_joint(const T* q, Border<T>& border) {
  if constexpr (kJoint == JointType::kBall) border.unit &= is_unit_quaternion(q);
  if constexpr (kJoint == JointType::kFloating) border.unit &= is_unit_quaternion(q + 3);
  if constexpr (kJoint == JointType::kRevolute || kJoint == JointType::kPlanar) {
    border.small &= is_within(q[kJoint == JointType::kPlanar ? 2 : 0], T(kMaxAngle<T>));
  }
}

template <class T, class View, class Input, class Wrenches>
Border<T> check_border(const View& model, const Input& in, const Wrenches* external) {
  Border<T> border;
  const auto look = [&](const auto& values) {
    border.finite &= all_finite(values.data(), static_cast<int>(values.size()));
  };
  look(in.q), look(in.v), look(in.tau), look(in.gravity);
  if (external != nullptr) look(*external);

  model.backward([&]<JointType kJoint>(int, const BodyData<T>& body) {
    check_joint<kJoint>(in.q.data() + body.q, border);
  });
  return border;
}

// The same of a configuration alone.
template <class T, class View>
Border<T> check_configuration(const View& model, const T* q) {
  Border<T> border;
  border.finite &= all_finite(q, model.counts().q);
  model.backward([&]<JointType kJoint>(int, const BodyData<T>& body) {
    check_joint<kJoint>(q + body.q, border);
  });
  return border;
}

}  // namespace lockstep
