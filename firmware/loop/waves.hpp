// Motions and torques that host and chip compute alike without talking: a sine a degree of freedom.
// The angle is kept in turns of 2^-32, so step 10^9 is as exact as step 1.
#pragma once

#include <cstdint>

#include "lockstep/border.hpp"
#include "lockstep/eigen.hpp"
#include "lockstep/problem.hpp"
#include "lockstep/trig.hpp"

namespace lockstep::firmware {

template <class View, class T>
struct Waves {
  using Dofs = typename Problem<View, T>::Dofs;
  using Phases = Vector<std::uint32_t, View::kMaxDofs, View::kIsStatic>;

  Dofs offset, amplitude;   // rad, m, N m or N
  Phases increment, phase;  // turns of 2^-32: a step's, and step 0's. Above half a turn is backward

  void stop(Eigen::Index dofs) {
    offset.setZero(dofs), amplitude.setZero(dofs);
    increment.setZero(dofs), phase.setZero(dofs);
  }

  bool is_finite() const {
    const int count = static_cast<int>(offset.size());
    return all_finite(offset.data(), count) && all_finite(amplitude.data(), count);
  }

  // The value at a step, and its first and second derivative by time.
  struct Sample {
    T value, rate, acceleration;
  };
  Sample at(Eigen::Index i, std::uint64_t step, T dt) const {
    constexpr T kTurn = T(6.283185307179586476925286766559L);
    constexpr T kUnit = kTurn / T(4294967296.0L);
    const std::uint32_t turns = phase[i] + increment[i] * static_cast<std::uint32_t>(step);
    T s, c;
    sincos(T(static_cast<std::int32_t>(turns)) * kUnit, s, c);
    const T omega = T(static_cast<std::int32_t>(increment[i])) * kUnit / dt;
    const T swing = amplitude[i] * omega;
    return {offset[i] + amplitude[i] * s, swing * c, -(swing * omega) * s};
  }
};

}  // namespace lockstep::firmware
