// The border of the real-time contract: bad numbers are caught here, before anything is computed.
// Every value is looked at, whatever the others are, so the cost does not depend on the data.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
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

template <class T>
constexpr bool is_rotation(const Mat3<T>& R, const T& tolerance) {
  const auto near = [&](const T& a, const T& b) { return is_within(T(a - b), tolerance); };
  return near(dot(R.x, R.x), T(1)) && near(dot(R.y, R.y), T(1)) && near(dot(R.x, R.y), T(0)) &&
         near(dot(cross(R.x, R.y), R.z), T(1));
}

// Whether R is a rotation, to rounding.
template <class T>
constexpr bool is_placement(const Placement<T>& X) {
  constexpr T kTolerance = sizeof(T) == sizeof(float) ? T(1e-5) : T(1e-9);
  return is_finite3(X.p) && is_rotation(X.R, kTolerance);
}

// The numbers of a model may have been rounded to float, whatever they are computed with.
inline constexpr double kModelRounding = 1e-5;

// Whether no moment about the centre of mass is negative: then no motion has a negative energy. The
// triangle inequality is the doctor's business: robots' files break it and move all the same.
template <class T>
constexpr bool is_inertia(const T& mass, const Vec3<T>& h, const Sym3<T>& I_B) {
  constexpr double kDigits = 0.01;  // lost by an exporter
  const bool heavy = mass > T(0);
  if (!(I_B.xx >= T(0) && I_B.yy >= T(0) && I_B.zz >= T(0))) return false;
  if (!heavy && dot(h, h) > T(0)) return false;
  const Vec3<T> c = heavy ? Vec3<T>{h.x / mass, h.y / mass, h.z / mass} : Vec3<T>{};
  const T x2 = h.x * c.x, y2 = h.y * c.y, z2 = h.z * c.z;
  const T trace = I_B.xx + I_B.yy + I_B.zz, scale = trace > T(0) ? trace : T(1);
  const T margin = T(kModelRounding) * trace + T(kDigits) * (trace - T(2) * (x2 + y2 + z2));
  const T xx = (I_B.xx - y2 - z2 + margin) / scale, xy = (I_B.xy + h.x * c.y) / scale;
  const T yy = (I_B.yy - x2 - z2 + margin) / scale, xz = (I_B.xz + h.x * c.z) / scale;
  const T zz = (I_B.zz - x2 - y2 + margin) / scale, yz = (I_B.yz + h.y * c.z) / scale;
  // every principal minor
  const T yyzz = yy * zz - yz * yz;
  return xx >= T(0) && yy >= T(0) && zz >= T(0) && xx * yy >= xy * xy && xx * zz >= xz * xz &&
         yyzz >= T(0) && xx * yyzz >= xy * (xy * zz - yz * xz) + xz * (xz * yy - xy * yz);
}

// Whether a body alone has a meaning, wherever it stands in a model.
template <class T>
constexpr Status check_body(const BodyData<T>& body) {
  T zero = T(0);  // unless a number is not finite
  const auto look = [&](const T& value) { zero = zero + (value - value); };
  for_each_scalar(body, look);
  look(body.armature), look(body.spin.x), look(body.spin.y), look(body.spin.z);
  look(body.ratio), look(body.tied_inertia), look(body.stiffness), look(body.rest);
  if (!(zero == T(0)) || !(body.mass >= T(0)) || !is_inertia(body.mass, body.h, body.inertia) ||
      !(body.armature >= T(0)) || !(body.tied_inertia >= body.armature)) {
    return Status::kBadInertia;
  }
  const bool can_spring = body.stiffness == T(0) || dof_count(body.joint) == 1;
  if (!(body.stiffness >= T(0)) || !can_spring) return Status::kBadJoint;
  for (const Mat3<T>* R : {&body.X_PJ.R, &body.R_LB}) {
    if (!is_rotation(*R, T(kModelRounding))) return Status::kBadJoint;
  }
  return Status::kOk;
}

template <class T>
constexpr Truth<T> is_unit_quaternion(const T* q) {
  return is_within(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - T(1),
                   T(kQuaternionTolerance<T>));
}

// A status; for lanes one a lane.
template <class T>
using StatusOf = std::conditional_t<kIsLanes<T>, std::array<Status, kLanesOf<T>>, Status>;

// The statuses that f(lane) gives.
template <class T, class F>
constexpr StatusOf<T> each_lane(F&& f) {
  if constexpr (kIsLanes<T>) {
    StatusOf<T> result;
    for (int k = 0; k < kLanesOf<T>; ++k) result[static_cast<std::size_t>(k)] = f(k);
    return result;
  } else {
    return f(0);
  }
}

constexpr Status status_of(Status status, int) { return status; }
template <std::size_t kLanes>
constexpr Status status_of(const std::array<Status, kLanes>& statuses, int lane) {
  return statuses[static_cast<std::size_t>(lane)];
}

// Whether nothing is left to go on with; what each lane says first that is not kOk.
constexpr bool all_failed(Status status) { return !has_moved(status); }
constexpr Status first_failure(Status first, Status next) {
  return has_moved(first) && next != Status::kOk ? next : first;
}
template <std::size_t kLanes>
constexpr bool all_failed(const std::array<Status, kLanes>& statuses) {
  bool all = true;
  for (const Status status : statuses) all &= all_failed(status);
  return all;
}
template <std::size_t kLanes>
constexpr std::array<Status, kLanes> first_failure(std::array<Status, kLanes> first,
                                                   const std::array<Status, kLanes>& next) {
  for (std::size_t k = 0; k < kLanes; ++k) first[k] = first_failure(first[k], next[k]);
  return first;
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

#include "lockstep/restore_macros.hpp"
