// Rows that yield: a spring k and a damper d along a row that is phi off and moves at r. Taken
// where a step ends, as implicit joints are (implicit.hpp), with a the row's acceleration,
//     f = -(k (phi + h (r + h a)) + d (r + dt a)),
// which is a row again, a + f / P + pull = 0 with P = dt d + h^2 k: 1 / P on its diagonal, stable
// at any stiffness. Without a step (forward dynamics, Runge-Kutta) it is a force that is known.
#pragma once

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
  // tree alone. A spring that swings by more than a radian in the step is taken at its end, by the
  // midpoint too, which damps it: what curves would feed it otherwise.
  struct Yield {
    T compliance, pull;
  };
  Yield yield(const Implicit<T>& step, const T& value, const T& rate, const T& response) const {
    const bool fast = step.dt * step.dt * stiffness * response > T(1);
    const T h = fast ? step.dt : step.h;
    const T compliance = T(1) / (step.dt * damping + h * h * stiffness);
    return {compliance, compliance * (stiffness * value + (stiffness * h + damping) * rate)};
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
