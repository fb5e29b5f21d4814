// How an application runs: what the host says before it starts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "lockstep/border.hpp"
#include "lockstep/integrate/integrator.hpp"
#include "lockstep/link/messages.hpp"
#include "lockstep/problem.hpp"
#include "loop/limiter.hpp"
#include "loop/waves.hpp"

namespace lockstep::firmware {

// A vector as messages take it.
template <class Values>
auto span_of(Values& values) {
  return std::span(values.data(), static_cast<std::size_t>(values.size()));
}

// The longest messages: five vectors of a controller, the reactions of all bodies.
template <class T>
constexpr std::size_t payload_bytes(int configs, int dofs, int bodies) {
  return 64 + sizeof(T) * static_cast<std::size_t>(std::max(5 * configs, dofs + 6 * bodies));
}

template <class View, class T>
struct Settings {
  using Dofs = typename Problem<View, T>::Dofs;

  T dt = T(0.001);  // s
  typename Problem<View, T>::Gravity gravity{T(0), T(0), T(-9.81)};
  T kp = T(100), kd = T(20);  // 1/s^2, 1/s: critically damped at 10 rad/s
  Integrator integrator = Integrator::kSemiImplicitEuler;
  // Where a plant's torques come from: each frame brings them, and they hold until the next; waves
  // are torques; or waves are motions, and the controller follows them, or springs hold to them.
  link::DriveMode drive = link::DriveMode::kFrames;
  bool free_running = false;  // a tick of the board a step; otherwise a frame says when to step
  std::uint32_t watchdog_ticks = 100;  // without a command until it is safe; 0: never
  std::uint16_t publish_every = 0;     // ticks; 0: never
  std::uint16_t missed_allowed = 10, missed_forgotten = 1000;  // MissedTicks
  link::SafePolicy safe = link::SafePolicy::kOff;
  Limits<Dofs> limits;
  Waves<View, T> waves;

  // Takes over what a message says; any status but kOk means that it makes no sense.
  Status take(const link::Configure<T>& message) {
    dt = message.dt;
    gravity = {message.gravity[0], message.gravity[1], message.gravity[2]};
    kp = message.kp;
    kd = message.kd;
    integrator = static_cast<Integrator>(message.integrator);
    drive = message.drive;
    free_running = message.free_running;
    watchdog_ticks = message.watchdog_ticks;
    publish_every = message.publish_every;
    missed_allowed = message.missed_allowed;
    missed_forgotten = message.missed_forgotten;
    safe = message.safe;
    if (!is_finite(dt) || !is_finite(kp) || !is_finite(kd) || !all_finite(gravity.data(), 3)) {
      return Status::kNotFinite;
    }
    const bool makes_sense = dt > 0 && kp >= 0 && kd >= 0;
    return makes_sense ? Status::kOk : Status::kMalformed;
  }

  // Without limits and waves, for a robot of so many degrees of freedom.
  void resize(Eigen::Index dofs) {
    limits.remove(dofs);
    waves.stop(dofs);
  }
};

}  // namespace lockstep::firmware
