// How a bounded step goes.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <limits>

#include "lockstep/contact/contact_step.hpp"
#include "lockstep/integrate/settings.hpp"
#include "lockstep/rows/pivoting.hpp"

namespace lockstep {

template <class T>
struct NewtonOptions {
  int iterations = 20;  // solves of the tree, at most
  // at most, that take out what the costs have and rows have not: compliance, lift
  int rounds = 4;
  T tolerance = sizeof(T) == sizeof(float) ? T(2e-5) : T(1e-5);  // m/s or rad/s
  // of the ground, along the normal: m/N, and the time in s in which it settles
  T softness = T(0), settling = T(0);

  constexpr Status check() const {
    const bool good = iterations > 0 && rounds >= 0 && softness >= T(0) && is_finite(softness) &&
                      settling >= T(0) && is_finite(settling);
    return good ? rows::check_tolerance(tolerance) : Status::kBadConstraint;
  }
};

template <class T>
struct BoundedSettings {
  T dt{};
  Gains<T> gains{};  // of loops, couplings and exact tendons; zero: default_gains
  // of contacts; limits of joints and tendons yield and come back as contacts do
  contact::StepOptions<T> contact = {};
  // m/s or rad/s: what a body at rest could meet within the step at this speed gets rows
  T reach = T(10);
  int most_contacts = std::numeric_limits<int>::max();  // the deepest, where there is room

  RowSolver solver = RowSolver::kNewton;
  rows::PivotingOptions<T> pivoting = {};
  rows::GaussSeidelOptions<T> gauss_seidel = {};
  NewtonOptions<T> newton = {};

  constexpr rows::SolverOptions<T> row_solver() const { return {solver, pivoting, gauss_seidel}; }
  constexpr Gains<T> pull() const { return StepSettings<T>{.dt = dt, .gains = gains}.pull(); }
  // How far away something is met that comes near with a speed.
  constexpr T margin(const T& speed) const { return dt * (reach + T(2) * rows::magnitude(speed)); }
  // How many contacts act where there is room for so many rows.
  constexpr int contacts_within(int rows) const {
    const int most = rows / contact::kRowsOfContact;
    return most < most_contacts ? most : most_contacts;
  }
  constexpr Status check() const {
    if (!is_finite(dt) || !(dt > T(0))) return Status::kBadTimeStep;
    const bool good =
        gains.has_meaning() && is_finite(reach) && reach >= T(0) && most_contacts >= 0;
    if (!good) return Status::kBadConstraint;
    Status status = contact.check();
    if (status == Status::kOk) status = newton.check();
    return status == Status::kOk ? row_solver().check() : status;
  }
};

// The least velocity of something that is `distance` away from its end and must not pass it.
template <class T>
T least_velocity_at_limit(const T& distance, const BoundedSettings<T>& settings) {
  return contact::least_velocity(contact::Gap<T>{distance}, T(0), T(0), settings.dt,
                                 settings.contact);
}

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
