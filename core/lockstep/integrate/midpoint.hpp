// The implicit midpoint rule: positions, Coriolis terms and gravity are those of the step's middle,
//     v_m = v + dt/2 vdot,   q_m = q (+) dt/2 v_m,   vdot = the accelerations at (q_m, v_m),
// of second order and the same forwards and backwards in time, so that a passive robot keeps its
// energy where explicit Coriolis terms feed it. Solved by repetition: each solve takes away a share
// of the error of the order dt |d vdot / d v|, for a robot at 1 ms one to thirty per cent; a step
// that is too long for that is taken in parts.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <limits>

#include "lockstep/implicit.hpp"
#include "lockstep/integrate/integrator.hpp"
#include "lockstep/integrate/settings.hpp"
#include "lockstep/status.hpp"

namespace lockstep {

inline constexpr int kMidpointSolves = 12;
inline constexpr int kMidpointParts = 16;  // at most
// rad, m in a step: what goes farther is taken in halves from the start. A robot that whirls is off
// in its energy by the square of that, until it is calm again.
inline constexpr double kMidpointReach = 0.02;

// Where a step takes its joints. Runge-Kutta has them as they are, and drives hold their efforts.
template <class T>
constexpr void begin_step(const T& dt, Integrator integrator, Implicit<T>& step) {
  const bool as_they_are = integrator == Integrator::kRungeKutta4;
  step.dt = as_they_are ? T(0) : dt;
  step.h = integrator == Integrator::kMidpoint ? dt * T(0.5) : step.dt;
  if (as_they_are) step.drives = {};
}

// `vdot` is a first guess and becomes the acceleration; `rate` becomes v_m; `before` is room.
//   move(rate, time)  the state at the start, moved with constant rates for a time, velocities too
//   solve()           vdot becomes the accelerations there
// kStoppedShort: the solves were not enough. Stops at any other status that is not kOk.
template <class V, class T, class Move, class Solve>
Status midpoint(const V& v, V& rate, V& vdot, V& before, const T& dt, Move&& move, Solve&& solve) {
  constexpr T kSmall =
      sizeof(T) == sizeof(float) ? T(16) * std::numeric_limits<T>::epsilon() : T(1e-10);
  const T half = dt * T(0.5), small = kSmall * (T(1) + largest(v));
  for (int i = 0; i < kMidpointSolves; ++i) {
    before = vdot;
    rate = v + half * vdot;
    Status status = move(rate, half);
    if (status == Status::kOk) status = solve();
    if (status != Status::kOk) return status;
    before = dt * (vdot - before);
    if (largest(before) <= small) {
      rate = v + half * vdot;
      return Status::kOk;
    }
  }
  return Status::kStoppedShort;
}

// A step in one part (of what whirls in two), in two, in four, ... and, if the middle of the
// shortest is not found either, by Euler: kStoppedShort. `step(dt, integrator)` moves the state,
// unless its status is not kOk; `before` is room.
template <class State, class T, class Step>
Status midpoint_in_parts(State& state, State& before, const T& dt, Step&& step) {
  before = state;
  const bool whirls = dt * largest(before.v) > T(kMidpointReach);
  for (int parts = whirls ? 2 : 1; parts <= kMidpointParts; parts *= 2) {
    Status status = Status::kOk;
    for (int i = 0; i < parts && status == Status::kOk; ++i) {
      status = step(dt / T(parts), Integrator::kMidpoint);
    }
    if (status == Status::kOk) return status;
    state = before;
    if (status != Status::kStoppedShort) return status;
  }
  const Status status = step(dt, Integrator::kSemiImplicitEuler);
  return status == Status::kOk ? Status::kStoppedShort : status;
}

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
