// Rows on single joints of one coordinate: their limits, their greatest speed, dry friction,
// drives.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <limits>
#include <span>

#include "lockstep/auxiliary/step_rows.hpp"
#include "lockstep/joint_limits.hpp"

namespace lockstep {

// Of an emitted model, converted while compiling: one a body.
template <EmittedModel Model, class T>
inline constexpr auto kJointLimits = [] {
  std::array<JointLimits<T>, Model::kBodies.size()> bounds{};
  for (std::size_t i = 0; i < bounds.size(); ++i) bounds[i] = to_joint_limits<T>(Model::kBodies[i]);
  return bounds;
}();

// Moves a joint of one coordinate: with v' its velocity at the end of the step, it has the effort
//   gain (velocity + rate (position - q) - v'),   at most `effort` either way.
// With an infinite gain the joint has that velocity, with as much effort as it takes and has; with
// rate 1 / dt the position at the end is then the one given. With zero there is none.
template <class T>
struct Drive {
  int body = 0;
  T velocity = T(0);                              // rad/s or m/s
  T position = T(0);                              // rad or m
  T rate = T(0);                                  // 1/s
  T effort = std::numeric_limits<T>::infinity();  // N m or N, at most
  T gain = std::numeric_limits<T>::infinity();    // N m s/rad or N s/m

  constexpr Status check() const {
    const bool good = is_finite(velocity) && is_finite(position) && is_finite(rate) &&
                      rate >= T(0) && effort >= T(0) && gain > T(0);
    return good ? Status::kOk : Status::kBadConstraint;
  }
};

// The drive with the effort kp (position - q') + kd (velocity - v') at the end of a step of dt;
// kp + kd > 0. Stable whatever the gains.
template <class T>
constexpr Drive<T> pd_drive(int body, const T& kp, const T& kd, const T& position,
                            const T& velocity, const T& dt,
                            const T& effort = std::numeric_limits<T>::infinity()) {
  const T gain = kd + dt * kp;
  return {.body = body,
          .velocity = velocity * (kd / gain),
          .position = position,
          .rate = kp / gain,
          .effort = effort,
          .gain = gain};
}

namespace auxiliary {

template <class Rows, class T>
Status add_joint_row(Rows& rows, RowOf of, int body, const T& coefficient,
                     const lockstep::rows::RowBound<T>& row, const T& target) {
  return rows.add_joint({.of = of, .number = body}, body, coefficient, row, target);
}

// One end of a joint, `gap` away, and its greatest speed towards it. Whichever is nearer holds.
template <class Rows, class T>
Status add_limit(Rows& rows, RowOf of, int body, const T& inwards, const T& gap, const T& fastest,
                 const BoundedSettings<T>& settings) {
  const T speed = rows.v(body);
  const bool near = gap <= settings.margin(speed);
  const bool fast = -inwards * speed >= T(0.5) * fastest;
  if (!near && !fast) return Status::kOk;
  T least = near ? least_velocity_at_limit(gap, settings) : -fastest;
  least = least < -fastest ? -fastest : least > fastest ? fastest : least;
  return add_joint_row(rows, of, body, inwards, {.kind = lockstep::rows::RowKind::kUnilateral},
                       least);
}

// Of a joint with several coordinates nothing is read.
template <class Rows, class T>
Status add_bounds(Rows& rows, std::span<const JointLimits<T>> bounds,
                  const BoundedSettings<T>& settings) {
  Status status = Status::kOk;
  for (int i = 0; i < static_cast<int>(bounds.size()) && status == Status::kOk; ++i) {
    if (dof_count(rows.model().bodies()[at(i)].joint) != 1) continue;
    const JointLimits<T>& own = bounds[at(i)];
    const T q = rows.q(i);
    status = add_limit(rows, RowOf::kLower, i, T(1), T(q - own.lower), own.velocity, settings);
    if (status == Status::kOk) {
      status = add_limit(rows, RowOf::kUpper, i, T(-1), T(own.upper - q), own.velocity, settings);
    }
    if (status == Status::kOk && own.friction > T(0)) {
      const T most = settings.dt * own.friction;
      status = add_joint_row(
          rows, RowOf::kFriction, i, T(1),
          {.kind = lockstep::rows::RowKind::kBoxed, .lower = -most, .upper = most}, T(0));
    }
  }
  return status;
}

template <class Rows, class T>
Status add_drives(Rows& rows, std::span<const Drive<T>> drives,
                  const BoundedSettings<T>& settings) {
  for (const Drive<T>& drive : drives) {
    if (!rows.has(drive.body) || drive.body == kWorld) return Status::kBadFrame;
    if (dof_count(rows.model().bodies()[at(drive.body)].joint) != 1) return Status::kBadJoint;
    if (const Status status = drive.check(); status != Status::kOk) return status;
    const T most = settings.dt * drive.effort;
    lockstep::rows::RowBound<T> row;
    if (is_finite(most)) {
      row = {.kind = lockstep::rows::RowKind::kBoxed, .lower = -most, .upper = most};
    }
    if (is_finite(drive.gain)) row.compliance = T(1) / (settings.dt * drive.gain);
    const T target = drive.velocity + drive.rate * (drive.position - rows.q(drive.body));
    const Status status = add_joint_row(rows, RowOf::kDrive, drive.body, T(1), row, target);
    if (status != Status::kOk) return status;
  }
  return Status::kOk;
}

}  // namespace auxiliary
}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
