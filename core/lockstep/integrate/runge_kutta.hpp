// Classical Runge-Kutta, four stages, over whatever can move: its stages add up in the tangent
// space of the configuration at the start (Munthe-Kaas 1999), so that the order holds for what
// turns in space too.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/border.hpp"

namespace lockstep {

// `rate` and `vdot` are the velocities and accelerations at the start, and room; the sums are room.
//   move(rate, vdot, time)  the state at the start, moved with constant rates for a time
//   solve()                 vdot becomes the accelerations there
//   along(time, rate)       the velocities there, as rates of the tangent vector time * rate
// Stops at a status that is not kOk and returns it; lanes go on while one of them is well.
template <class V, class T, class Move, class Solve, class Along>
StatusOf<T> runge_kutta(V& rate, V& rate_sum, V& vdot, V& vdot_sum, const T& dt, Move&& move,
                        Solve&& solve, Along&& along) {
  const auto add = [](V& sum, const T& weight, const V& term) {
    for (int i = 0; i < static_cast<int>(sum.size()); ++i) {
      sum.data()[i] = sum.data()[i] + weight * term.data()[i];
    }
  };
  struct Stage {
    T time, weight;
  };
  rate_sum = rate, vdot_sum = vdot;
  const T half = dt * T(0.5);
  StatusOf<T> status = each_lane<T>([](int) { return Status::kOk; });
  for (const Stage& stage : {Stage{half, T(2)}, Stage{half, T(2)}, Stage{dt, T(1)}}) {
    status = first_failure(status, move(rate, vdot, stage.time));
    if (!all_failed(status)) status = first_failure(status, solve());
    if (all_failed(status)) return status;
    along(stage.time, rate);
    add(rate_sum, stage.weight, rate);
    add(vdot_sum, stage.weight, vdot);
  }
  return first_failure(status, move(rate_sum, vdot_sum, dt / T(6)));
}

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
