// Contacts over one time step, in velocities and impulses (Anitescu and Potra 1997): a bounded
// number of rows, solved once a step, whatever impacts within it. With w the normal velocity at the
// step's beginning, w+ at its end, and d the distance,
//   w+ >= -d / dt            while apart: it stops at the surface, not behind it
//   w+ >= correction (-d - slop) / dt   while too deep
//   w+ >= -e w               if it would arrive within the step, faster than bounce_speed
// w is without the step's own gravity: a body at rest has w = 0 and does not bounce, and with e = 1
// a ball under semi-implicit Euler gains nothing and loses nothing.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <span>

#include "lockstep/contact/contact_rows.hpp"
#include "lockstep/rows/row.hpp"

namespace lockstep::contact {

template <class T>
struct StepOptions {
  // the share of the depth beyond the slop that one step takes back; more makes deep bodies jump
  T correction = T(0.2);
  // m, of depth that stays: far below what can be seen, far above the rounding of float near 1 m,
  // so that bodies at rest keep their contacts without a push
  T slop = T(1e-4);
  // m/s, at most, from the correction: what it throws up rises 13 mm
  T correction_speed = T(0.5);
  // m/s: a slower arrival does not bounce; it would rise 0.1 mm
  T bounce_speed = T(0.05);

  constexpr Status check() const {
    bool good = correction <= T(1);
    for (const T& value : {correction, slop, correction_speed, bounce_speed}) {
      good = good && value >= T(0) && is_finite(value);
    }
    return good ? Status::kOk : Status::kBadConstraint;
  }
};

// What is left before a surface or a limit is met, and what of the speed it throws back.
template <class T>
struct Gap {
  T distance;  // m or rad, negative behind it
  T restitution = T(0);
};

// The least velocity away from it at the end of the step. `before` is that at its beginning, `free`
// that at its end if there were no contacts.
template <class T>
T least_velocity(const Gap<T>& gap, const T& before, const T& free, const T& dt,
                 const StepOptions<T>& options) {
  const T& d = gap.distance;
  T least = -d / dt;
  if (d <= T(0)) {
    const T push = options.correction * (-d - options.slop) / dt;
    const T most = push < options.correction_speed ? push : options.correction_speed;
    least = most > T(0) ? most : T(0);
  }
  const bool arrives = before < -options.bounce_speed && d + dt * free < T(0);
  const T bounce = arrives ? -gap.restitution * before : least;
  return bounce > least ? bounce : least;
}
template <class T>
T least_velocity(const Contact<T>& contact, const T& before, const T& free, const T& dt,
                 const StepOptions<T>& options) {
  const Gap<T> gap = {contact.distance, contact.material.restitution};
  return least_velocity(gap, before, free, dt, options);
}

// A contact's normal row on ground that yields as a spring with a damper: softness in m/N, and the
// time in s in which it settles. What bounces does not feel it.
template <class T>
struct SoftGround {
  T softness = T(0), settling = T(0);
};

// Turns a system of accelerations and forces, as anticipation leaves it, into one of velocities
// and impulses: b becomes velocity + dt b. The contacts' rows stand one after the other from
// `first` on and get their kinds and bounds; rows before them keep theirs. `velocity` is that of
// every row at the beginning of the step. A solution's mu is an impulse; mu / dt is the force.
// On any status but kOk the system is as it was.
template <class T, int kMaxRows>
Status to_impulses(std::span<const Contact<T>> contacts, int first,
                   const rows::Values<T, kMaxRows>& velocity, const T& dt,
                   const StepOptions<T>& options, rows::System<T, kMaxRows>& system,
                   const SoftGround<T>& ground = {}) {
  const int contact_rows = kRowsOfContact * static_cast<int>(contacts.size());
  if (system.count > kMaxRows || first < 0 || first + contact_rows != system.count) {
    return Status::kWrongSize;
  }
  if (!(dt > T(0)) || !is_finite(dt)) return Status::kBadTimeStep;
  if (const Status status = options.check(); status != Status::kOk) return status;
  if (!all_finite(velocity.data(), system.count) || !all_finite(system.b.data(), system.count)) {
    return Status::kNotFinite;
  }
  for (const Contact<T>& contact : contacts) {
    if (const Status status = Touch<T>{contact}.check(); status != Status::kOk) return status;
  }
  for (int i = 0; i < system.count; ++i) {
    system.b[rows::at(i)] = velocity[rows::at(i)] + dt * system.b[rows::at(i)];
  }
  int normal = first;
  for (const Contact<T>& contact : contacts) {
    T& b = system.b[rows::at(normal)];
    const T& before = velocity[rows::at(normal)];
    const T least = least_velocity(contact, before, b, dt, options);
    rows::RowBound<T>& row = system.rows[rows::at(normal)];
    row = {.kind = rows::RowKind::kUnilateral};
    const bool bounces = contact.material.restitution > T(0) && before < -options.bounce_speed;
    if (ground.softness > T(0) && !(least > T(0) && bounces)) {
      // what arrives within the step meets the spring alone
      const T time = contact.distance > T(0) ? dt : dt + ground.settling;
      b = b + contact.distance / time;
      row.compliance = ground.softness / (dt * time);
      T& own = system.A[rows::at(normal)][rows::at(normal)];
      own = own + row.compliance;
    } else {
      b = b - least;
    }
    for (int tangent = 1; tangent < kRowsOfContact; ++tangent) {
      system.rows[rows::at(normal + tangent)] = {.kind = rows::RowKind::kFriction,
                                                 .normal = normal,
                                                 .coefficient = contact.material.friction};
    }
    normal += kRowsOfContact;
  }
  return Status::kOk;
}

}  // namespace lockstep::contact

#include "lockstep/restore_macros.hpp"
