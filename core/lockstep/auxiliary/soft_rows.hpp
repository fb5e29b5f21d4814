// Rows that yield: a spring k and a damper d along a row that is phi off and moves at r. Taken
// later in a step, as implicit joints are (implicit.hpp), with a the row's acceleration,
//     f = -(k (phi + g (r + h a)) + d (r + e a)),   g = h, e = dt,
// which is a row again, a + f / P + pull = 0 with P = e d + g h k: 1 / P on its diagonal, stable
// at any stiffness. Without a step (forward dynamics, Runge-Kutta) it is a force that is known.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <span>

#include "lockstep/implicit.hpp"
#include "lockstep/rows/row.hpp"

namespace lockstep {

// The rows of one loop or coupling.
template <class T>
struct SoftRows {
  int first = 0, count = 0;
  T stiffness{}, damping{};

  T force(const T& value, const T& rate) const { return -(stiffness * value + damping * rate); }

  // Of a step in velocities and impulses, that ends with the rate r': r' + p / P = target.
  T compliance(const T& dt) const { return T(1) / (dt * damping + dt * dt * stiffness); }
  T target(const T& value, const T& dt) const {
    return -(stiffness * value) / (damping + dt * stiffness);
  }

  // Of one in accelerations and forces; `response` is what the row gives to a unit force by the
  // tree alone. A spring that swings by more than a radian in the step is taken where the step's
  // motion ends (g = dt) and its damper where that has its mean rate (e = h): both take energy,
  // (k/2) (phi' - phi)^2 and dt d r_m^2, where a spring of the middle keeps what curves feed it.
  bool is_fast(const Implicit<T>& step, const T& response) const {
    return step.dt * step.dt * stiffness * response > T(1);
  }
  T compliance(const Implicit<T>& step, bool fast) const {
    const T g = fast ? step.dt : step.h, e = fast ? step.h : step.dt;
    return T(1) / (e * damping + g * step.h * stiffness);
  }
  // `value` and `rate` at the start of the step, over the compliance.
  T pull(const Implicit<T>& step, bool fast, const T& value, const T& rate) const {
    const T g = fast ? step.dt : step.h;
    return stiffness * (value + g * rate) + damping * rate;
  }
  // `value` and `rate` after h, where the row's acceleration was a.
  T pull_at_middle(const Implicit<T>& step, const T& value, const T& rate, const T& a) const {
    return stiffness * (value - step.h * step.h * a) + damping * (rate - step.h * a);
  }
};

// Which rows of a class with ModelRows' visit yield, in their order.
template <class T, class Rows>
constexpr std::span<const SoftRows<T>> soft_rows(const Rows& rows) {
  if constexpr (requires { rows.soft(); }) {
    return rows.soft();
  } else {
    return {};
  }
}

// Whether any may.
template <class Rows>
constexpr bool may_yield() {
  if constexpr (requires { Rows::kSoft; }) {
    return Rows::kSoft > 0;
  } else {
    return requires(const Rows& rows) { rows.soft(); };
  }
}

// f(i, own) for each row that yields.
template <class T, class Rows, class F>
void for_soft_rows(const Rows& rows, F&& f) {
  for (const SoftRows<T>& own : soft_rows<T>(rows)) {
    for (int i = own.first; i < own.first + own.count; ++i) f(i, own);
  }
}

namespace rows {

// Row i of a system of equalities has a force that is known: the others feel it, and it answers to
// none of them.
template <class T, int kMaxRows>
void prescribe(System<T, kMaxRows>& system, int i, const T& force) {
  for (int j = 0; j < system.count; ++j) {
    if (j == i) continue;
    system.b[at(j)] = system.b[at(j)] + system.A[at(j)][at(i)] * force;
    system.A[at(j)][at(i)] = system.A[at(i)][at(j)] = T(0);
  }
  system.A[at(i)][at(i)] = T(1);
  system.b[at(i)] = -force;
}

}  // namespace rows
}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
