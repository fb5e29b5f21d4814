// What stands between a commanded effort and a joint of one coordinate: delay, current loop, limit
// of effort, torque-speed line with back-EMF, gear, friction, backlash, a series spring. All in the
// joint's own units (drive_figures.hpp turns a motor's into them); each part left out does nothing,
// and with all left out the command goes through bit for bit. Linear parts are implicit: the
// motor's side of a spring is solved for the joint's velocity to come and handed on as a damper
// (implicit.hpp), so that springs of any stiffness are stable. Cost: constant.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
#include <cstddef>
#include <limits>

#include "lockstep/border.hpp"

namespace lockstep {

inline constexpr int kMostDelay = 15;  // steps

// Effort: N m or N. Parts in their order from the command to the joint.
template <class T>
struct Drivetrain {
  static constexpr T kInfinity = std::numeric_limits<T>::infinity();

  int delay = 0;           // steps from a command to the current loop's target
  T effort = kInfinity;    // of the greatest current
  T time_constant = T(0);  // s, of the current loop, a lag of first order
  // What the supply's voltage leaves: between -stall - back_emf w and stall - back_emf w.
  T stall = kInfinity;
  T back_emf = T(0);  // N m s/rad
  // What of the motor's power reaches the joint, and of the joint's the motor: a friction that
  // grows with the effort.
  T efficiency = T(1);
  // Dry friction stiction / (1 + (w / stribeck)^2) down to coulomb (Hess and Soom 1990); damping.
  T coulomb = T(0), stiction = T(0);
  T stribeck = T(0);  // rad/s or m/s; 0: coulomb as soon as it moves
  T damping = T(0);   // N m s/rad
  // The rotor is a mass of its own where it is tied to the joint by a spring, through backlash.
  T inertia = T(0);         // kg m^2, used with a spring alone: without one it is the armature
  T stiffness = T(0);       // N m/rad; 0: rigid
  T spring_damping = T(0);  // N m s/rad
  T backlash = T(0);        // rad, all of it

  constexpr bool is_elastic() const { return stiffness > T(0); }
  // Whether a row of dry friction, or a smooth one, has something to do at the joint.
  constexpr bool has_friction() const {
    return coulomb > T(0) || stiction > T(0) || efficiency < T(1);
  }
  constexpr bool is_lossy_at_joint() const { return has_friction() && !is_elastic(); }

  constexpr Status check() const {
    const auto from_zero = [](const T& x) { return x >= T(0) && is_finite(x); };
    bool good = delay >= 0 && delay <= kMostDelay && effort >= T(0) && stall >= T(0) &&
                efficiency > T(0) && efficiency <= T(1) && stiction >= coulomb;
    for (const T* x : {&time_constant, &back_emf, &coulomb, &stiction, &stribeck, &damping,
                       &inertia, &stiffness, &spring_damping, &backlash}) {
      good = good && from_zero(*x);
    }
    good = good && (is_finite(stall) || back_emf == T(0));
    if (is_elastic()) return good && inertia > T(0) ? Status::kOk : Status::kBadConstraint;
    const bool loose = spring_damping > T(0) || backlash > T(0);
    return good && !loose ? Status::kOk : Status::kBadConstraint;
  }
};

// What a drivetrain remembers. All zero: at rest, without current, the spring in its middle.
template <class T>
struct DrivetrainState {
  std::array<T, kMostDelay> waiting = {};  // commands, the next to act at `next`
  int next = 0;
  T current = T(0);  // as the effort that it makes
  T stretch = T(0);  // rad or m, the motor's side less the joint
  T rate = T(0);     // rad/s or m/s, of the motor's side

  // of the step to come, from `drive` to `follow`
  T effort = T(0), drag = T(0), friction = T(0);
};

// What a joint gets in a step: effort - gain v' with v' its velocity at the end, less dry friction
// of at most `friction` either way.
template <class T>
struct JointEffort {
  T effort = T(0), gain = T(0), friction = T(0);
};

// A friction for steps without rows: bounded by `most`, smooth about v = 0, with its slope
// most / knee there; it does not hold a joint still. It acts at the start of a step, and settles
// where dt most < 2 knee times the joint's inertia.
template <class T>
T smooth_friction(const T& most, const T& v, const T& knee) {
  const T x = v / knee;
  return -most * (x / sqrt(T(1) + x * x));
}

namespace devices {

template <class T>
constexpr T clamp(const T& x, const T& lower, const T& upper) {
  return x < lower ? lower : x > upper ? upper : x;
}
// x, less what is within +-half.
template <class T>
constexpr T dead_zone(const T& x, const T& half) {
  return x > half ? x - half : x < -half ? x + half : T(0);
}
template <class T>
constexpr T size_of(const T& x) {
  return x < T(0) ? -x : x;
}

template <class T>
T delayed(const Drivetrain<T>& train, DrivetrainState<T>& state, const T& command) {
  if (train.delay == 0) return command;
  T& place = state.waiting[static_cast<std::size_t>(state.next)];
  const T due = place;
  place = command;
  state.next = state.next + 1 < train.delay ? state.next + 1 : 0;
  return due;
}

// The current's effort, and in `drag` by how much it falls with velocity where the voltage bounds
// it.
template <class T>
T motor_effort(const Drivetrain<T>& train, DrivetrainState<T>& state, const T& command,
               const T& rate, const T& dt, T& drag) {
  T target = delayed(train, state, command);
  if (is_finite(train.effort)) target = clamp(target, T(-train.effort), train.effort);
  if (train.time_constant > T(0)) {
    target = state.current + dt / (dt + train.time_constant) * (target - state.current);
  }
  state.current = target;
  if (!is_finite(train.stall)) return target;
  const T slope = train.back_emf * rate;
  const T most = train.stall - slope, least = -train.stall - slope;
  if (target <= most && target >= least) return target;
  state.current = target > most ? most : least;
  drag = train.back_emf;
  return target > most ? train.stall : -train.stall;
}

// Dry friction of the bearings and, in proportion to the effort, of the gear's teeth: (1 - e) of it
// where the motor drives, (1/e - 1) where the joint drives the motor (less where it stands).
template <class T>
T dry_friction(const Drivetrain<T>& train, const T& effort, const T& rate) {
  T most = train.coulomb;
  if (train.stiction > train.coulomb) {
    const T more = train.stiction - train.coulomb;
    const T x = train.stribeck > T(0) ? rate / train.stribeck : T(0);
    if (train.stribeck > T(0)) {
      most = most + more / (T(1) + x * x);
    } else if (rate == T(0)) {
      most = train.stiction;
    }
  }
  if (train.efficiency < T(1)) {
    const T lost = T(1) - train.efficiency;
    const bool driven = effort * rate < T(0);
    most = most + size_of(effort) * (driven ? lost / train.efficiency : lost);
  }
  return most;
}

}  // namespace devices

// The step from (q, v) of the joint, under a command that arrives now. q is not asked for: what a
// spring knows of it is its stretch.
template <class T>
JointEffort<T> drive(const Drivetrain<T>& train, DrivetrainState<T>& state, const T& command,
                     const T& v, const T& dt) {
  const bool elastic = train.is_elastic();
  const T rate = elastic ? state.rate : v;
  T drag = T(0);
  const T effort = devices::motor_effort(train, state, command, rate, dt, drag);
  const T friction = devices::dry_friction(train, state.current, rate);
  state.effort = effort, state.friction = friction;
  state.drag = drag + train.damping;
  if (!elastic) {
    state.rate = v;
    return {effort, state.drag, friction};
  }

  // I w' = I w + dt (effort - drag w' - friction - spring),  spring = K + g (w' - v')
  const T half = T(0.5) * train.backlash;
  const T ahead = state.stretch + dt * (state.rate - v);
  if (train.backlash > T(0) && ahead <= half && -ahead <= half) return {};  // teeth apart
  const T offset = train.backlash == T(0) ? T(0) : ahead > T(0) ? half : -half;
  const T g = train.spring_damping + dt * train.stiffness;
  const T K = train.stiffness * (state.stretch - offset);
  const T& I = train.inertia;
  // friction either holds the rotor or slides, as it would with the joint's velocity of now
  const T push = I * state.rate + dt * (effort - (K - g * v));
  const T slides = devices::dead_zone(push, T(dt * friction));
  if (friction > T(0) && slides == T(0)) return {K, g, T(0)};
  const T slip = push > T(0) ? friction : -friction;
  const T P = I * state.rate + dt * (effort - slip - K);
  const T W = I + dt * (state.drag + g);
  return {K + g * (P / W), g * ((I + dt * state.drag) / W), T(0)};
}

// After the step: v at its end, and `acted`, the effort that the joint had of the drivetrain in it,
// effort - gain v'. The rotor has just that against it, so that nothing is lost between them.
template <class T>
void follow(const Drivetrain<T>& train, DrivetrainState<T>& state, const T& acted, const T& v,
            const T& dt) {
  const T rate = state.rate;
  if (!train.is_elastic()) {
    state.rate = v;
  } else {
    const T push = train.inertia * rate + dt * (state.effort - acted);
    state.rate =
        devices::dead_zone(push, T(dt * state.friction)) / (train.inertia + dt * state.drag);
    state.stretch = state.stretch + dt * (state.rate - v);
  }
}

}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
