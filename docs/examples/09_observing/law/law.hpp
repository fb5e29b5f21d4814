// A servo's law that feels what it runs into: computed torque, with the observer of generalized
// momentum beside it. Where a joint is pushed from outside by more than kMost it ends, and the
// servo goes safe. A servo that was stopped in motion may take that for a push, and wants a second
// Start.
#pragma once

#include "lockstep/inverse_dynamics.hpp"
#include "lockstep/observe/disturbance.hpp"
#include "robot.hpp"

namespace feeling {

using Scalar = LOCKSTEP_SCALAR;
inline constexpr Scalar kGain = 50, kMost = 10;  // 1/s; N m, above friction and errors of the model
inline lockstep::InverseDynamics<robot, Scalar> inverse;
inline lockstep::DisturbanceObserver<robot, Scalar> observer;
inline bool is_observing = false;

}  // namespace feeling

template <class Settings, class Configs, class Dofs, class Reference>
lockstep::Status law(const Settings& settings, const Configs& q, const Dofs& v,
                     const Reference& reference, Dofs& tau) {
  using namespace feeling;
  // so far tau is what the motors have done since the last tick
  lockstep::Status status = is_observing
                                ? observer.update(q, v, tau, settings.gravity, kGain, settings.dt)
                                : observer.start(q, v, settings.gravity);
  if (status != lockstep::Status::kOk) return status;
  const Dofs most = Dofs::Constant(v.size(), kMost);
  is_observing = lockstep::first_beyond(observer.external(), most) == lockstep::kNone;
  if (!is_observing) return lockstep::Status::kBeyondLimits;

  auto in = inverse.make_input();
  in.q = q, in.v = v, in.gravity = settings.gravity;
  in.vdot = reference.a + settings.kd * (reference.v - v) + settings.kp * (reference.q - q);
  return inverse.inverse_dynamics(in, tau);
}
