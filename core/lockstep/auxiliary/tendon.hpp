// A tendon: a line through points on several bodies, along which it slides without friction. Its
// row is the line that is left, length - sum |d| over the pieces, which its tension keeps from
// falling below zero. A piece pulls its ends together along e = d / |d|; the row's second rate
// while the ends do not accelerate is -(|d'|^2 - (e . d')^2) / |d|.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
#include <span>

#include "lockstep/auxiliary/soft_rows.hpp"
#include "lockstep/auxiliary/step_rows.hpp"
#include "lockstep/contact/segments.hpp"

namespace lockstep {

inline constexpr int kMaxTendonPoints = 8;

template <class T>
struct TendonPoint {
  int body = kWorld;
  Vec3<T> p;  // m, in the body's frame B, or in the world
};

template <class T>
struct Tendon {
  std::span<const TendonPoint<T>> points;  // the caller's, in their order along the line
  T length{};                              // m
  bool exact = false;                      // never slack: a belt, or a rod with one piece
  T rate{};                                // m/s, at which the length grows, as on a winch
  T stiffness{}, damping{};                // N/m, N s/m, of a line that yields; both zero: it does not

  constexpr Status check() const {
    if (points.size() > static_cast<std::size_t>(kMaxTendonPoints)) return Status::kTooManyRows;
    bool good = points.size() >= 2 && is_finite(length) && length >= T(0) && is_finite(rate) &&
                is_finite(stiffness) && stiffness >= T(0) && is_finite(damping) && damping >= T(0);
    for (const TendonPoint<T>& point : points) good = good && is_finite3(point.p);
    return good ? Status::kOk : Status::kBadConstraint;
  }
};

namespace auxiliary {

template <class T>
MovingFrame<T> moving(const TendonPoint<T>& point, const BodyMotion<T>& motion) {
  return {motion, {identity<T>().R, point.p}};
}

// A tendon that has more line left than it can use up within the step gets no row.
template <class Rows, class T>
Status add_tendon(Rows& rows, int number, const Tendon<T>& tendon,
                  const BoundedSettings<T>& settings) {
  if (const Status status = tendon.check(); status != Status::kOk) return status;
  for (const TendonPoint<T>& point : tendon.points) {
    if (!rows.has(point.body)) return Status::kBadFrame;
  }
  std::array<Term<T>, at(2 * kMaxTendonPoints - 2)> terms;
  std::size_t count = 0;
  T left = tendon.length, bias(0);
  for (std::size_t i = 0; i + 1 < tendon.points.size(); ++i) {
    const TendonPoint<T>&a = tendon.points[i], &b = tendon.points[i + 1];
    const MovingFrame<T> A = moving(a, rows.motion(a.body)), B = moving(b, rows.motion(b.body));
    const Vec3<T> d = B.frame().p - A.frame().p, d_rate = B.frame().v - A.frame().v;
    const T length = sqrt(dot(d, d));
    left = left - length;
    if (!(length > T(contact::kCoincident))) continue;  // a piece without direction does not pull
    const Vec3<T> e = (T(1) / length) * d;
    const T along = dot(e, d_rate);
    const Spatial<T> on_A = {e, {}}, on_B = {-e, {}};
    terms[count++] = wrench_term(a.body, A.on_body(on_A));
    terms[count++] = wrench_term(b.body, B.on_body(on_B));
    bias = bias + (A.bias(on_A) + B.bias(on_B)) - (dot(d_rate, d_rate) - along * along) / length;
  }
  const std::span<const Term<T>> used(terms.data(), count);
  const T velocity = rows.velocity_of(used) + tendon.rate;
  const RowKey key = {.of = RowOf::kTendon, .number = number};
  if (yields(tendon)) {
    const bool slack = !tendon.exact && left > T(0);
    // a slack line does not brake yet, and one without a spring does not pull before it is taut
    const SoftRows<T> own = {0, 1, tendon.stiffness, slack ? T(0) : tendon.damping};
    if (slack && (!(tendon.stiffness > T(0)) || left > settings.margin(velocity))) {
      return Status::kOk;
    }
    const auto kind = tendon.exact ? lockstep::rows::RowKind::kEquality
                                   : lockstep::rows::RowKind::kUnilateral;
    return rows.add(key, used, bias, {.kind = kind, .compliance = own.compliance(settings.dt)},
                    own.target(left, settings.dt) - tendon.rate);
  }
  if (tendon.exact) {
    const Gains<T> gains = settings.pull();
    const T pull = gains.position * left + gains.velocity * velocity;
    return rows.add(key, used, bias, {}, velocity - settings.dt * pull - tendon.rate);
  }
  if (left > settings.margin(velocity)) return Status::kOk;
  return rows.add(key, used, bias, {.kind = lockstep::rows::RowKind::kUnilateral},
                  least_velocity_at_limit(left, settings) - tendon.rate);
}

}  // namespace auxiliary
}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
