// A contact as three rows over frames on its bodies: along the normal and two tangents. It is a
// frame constraint like any other, so bodies in maximal coordinates and trees in joint space both
// take it: Between<Touch<T>> with both frames at the bodies' origins.
// The rows' velocity is that of A less that of B at the contact. Their bias follows the point as it
// travels: with the centre of what rolls, with the corner that slides. Without it a fast wheel
// would seem to lift off with w^2 r.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/constraint/constraint.hpp"
#include "lockstep/contact/contact_list.hpp"

namespace lockstep::contact {

inline constexpr int kRowsOfContact = 3;  // normal, two tangents

// Along which a contact's rows measure.
template <class T>
std::array<Vec3<T>, 3> directions(const Vec3<T>& normal) {
  const Vec3<T> t = across(normal);
  return {normal, t, cross(normal, t)};
}

template <class T>
struct Touch {
  using Scalar = T;
  static constexpr int kDimension = kRowsOfContact;

  Contact<T> contact;

  constexpr Status check() const {
    constexpr T kTolerance = sizeof(T) == sizeof(float) ? T(1e-5) : T(1e-9);
    const Vec3<T>& n = contact.normal;
    const bool good = is_finite3(contact.point) && is_finite(contact.distance) &&
                      is_finite(contact.rolling_a) && is_finite(contact.rolling_b) &&
                      is_within(T(dot(n, n) - T(1)), kTolerance);
    return good ? contact.material.check() : Status::kBadConstraint;
  }

  constraint::Rows<T, 3> rows(const constraint::FrameMotion<T>& A,
                              const constraint::FrameMotion<T>& B, const T&) const {
    const Vec3<T>& n = contact.normal;
    const Vec3<T> arm_A = contact.point - A.p, arm_B = contact.point - B.p;
    const Vec3<T> carried_A = cross(A.w, arm_A + contact.rolling_a * n);
    const Vec3<T> carried_B = cross(B.w, arm_B - contact.rolling_b * n);
    const Vec3<T> turning = cross(A.w, carried_A) - cross(B.w, carried_B);
    constraint::Rows<T, 3> rows;
    rows.value[0] = contact.distance;
    for (std::size_t i = 0; const Vec3<T>& direction : directions(n)) {
      rows.a[i] = {direction, cross(arm_A, direction)};
      rows.b[i] = {-direction, -cross(arm_B, direction)};
      rows.bias[i++] = dot(direction, turning);
    }
    return rows;
  }
};

// Both frames at the origins of their bodies.
template <class T>
constexpr constraint::Between<Touch<T>> touching(const Contact<T>& contact) {
  return {identity<T>(), identity<T>(), {contact}};
}

// How fast the rows move.
template <class T>
std::array<T, 3> velocities(const constraint::Rows<T, 3>& rows, const constraint::FrameMotion<T>& A,
                            const constraint::FrameMotion<T>& B) {
  std::array<T, 3> result;
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = dot(rows.a[i], {A.v, A.w}) + dot(rows.b[i], {B.v, B.w});
  }
  return result;
}

}  // namespace lockstep::contact

#include "lockstep/restore_macros.hpp"
