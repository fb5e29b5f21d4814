// How a step goes, and how far it ends from the constraints, for steppers that may drift.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <cstdint>
#include <type_traits>

#include "lockstep/border.hpp"
#include "lockstep/integrate/integrator.hpp"
#include "lockstep/status.hpp"

namespace lockstep {

// How rows' errors are pulled back: by accelerations -position * phi - velocity * (J v + phi_t)
// (Baumgarte 1972), or by velocities -position * phi.
template <class T>
struct Gains {
  T position{}, velocity{};

  constexpr bool has_meaning() const {
    return is_finite(position) && is_finite(velocity) && position >= T(0) && velocity >= T(0);
  }
};

enum class Stabilization : std::uint8_t {
  kOff = 0,
  kBaumgarte = 1,
  kProjection = 2,
};

// Critically damped with the rate r / dt, from the errors at the start of a step, which are held
// for it: an order above the first would not survive the errors of Runge-Kutta's stages, which
// leave the constraints. From step to step errors then go by a matrix with determinant 1 - 2 r and
// trace 2 - 2 r - r^2 (Euler), or 1 - 2 r + r^2 / 2 and 2 - 2 r - r^2 / 2. Both fall fast at r =
// 1/2: the largest eigenvalues are 0.75 and 0.70.
template <class T>
constexpr Gains<T> default_gains(const T& dt) {
  const T rate = T(0.5) / dt;
  return {rate * rate, T(2) * rate};
}

template <class T>
struct StepSettings {
  T dt{};
  Integrator integrator = Integrator::kSemiImplicitEuler;
  Stabilization stabilization = Stabilization::kBaumgarte;
  Gains<T> gains{};    // of Baumgarte's terms; zero: default_gains
  T tolerance{};       // of projected rows, relative to poses and velocities; zero: some roundings
  int max_solves = 8;  // of a projection, for positions and again for velocities

  // The gains that act.
  constexpr Gains<T> pull() const {
    if (stabilization != Stabilization::kBaumgarte) return {};
    const bool given = gains.position != T(0) || gains.velocity != T(0);
    return given ? gains : default_gains(dt);
  }
  constexpr Status check() const {
    if (!is_finite(dt) || !(dt > T(0))) return Status::kBadTimeStep;
    return check_but_dt();
  }
  constexpr Status check_but_dt() const {
    if (!is_finite(tolerance) || !(tolerance >= T(0))) return Status::kBadTolerance;
    const bool good = integrator <= Integrator::kEulerMiddle &&
                      stabilization <= Stabilization::kProjection && gains.has_meaning();
    return good ? Status::kOk : Status::kBadConstraint;
  }
};

// How far a state is from its constraints: the largest row, in its own unit.
template <class T>
struct ConstraintErrors {
  T position{}, velocity{};

  template <class Other>
  constexpr explicit operator ConstraintErrors<Other>() const {
    return {static_cast<Other>(position), static_cast<Other>(velocity)};
  }
  // The larger of each; NaN if one is.
  constexpr void raise(const ConstraintErrors& other) {
    if (!(other.position <= position)) position = other.position;
    if (!(other.velocity <= velocity)) velocity = other.velocity;
  }
};

// The largest magnitude; NaN if there is one.
template <class Values>
auto largest(const Values& values) {
  using T = std::remove_cvref_t<decltype(values[0])>;
  T most(0);
  for (const T& value : values) {
    const T size = value < T(0) ? -value : value;
    if (!(size <= most)) most = size;
    if (most != most) break;
  }
  return most;
}

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
