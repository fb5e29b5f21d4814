#pragma once

#include "lockstep/maximal/body.hpp"

// A bead on the wire y = k x^2 / 2: one velocity, that of x.
template <class T>
struct Bead {
  using Scalar = T;
  static constexpr int kDimension = 1;
  using Velocity = lockstep::maximal::Vector<T, 1>;
  struct Pose {
    T x;
  };

  T mass, k;

  lockstep::Status check() const {
    return mass > T(0) ? lockstep::Status::kOk : lockstep::Status::kBadInertia;
  }
  lockstep::Status check(const Pose& pose) const {
    return lockstep::is_finite(pose.x) ? lockstep::Status::kOk : lockstep::Status::kNotFinite;
  }
  lockstep::maximal::Matrix<T, 1, 1> mass_matrix(const Pose& pose) const {
    const T slope = k * pose.x;
    return {{{mass * (T(1) + slope * slope)}}};
  }
  Velocity inertial_force(const Pose& pose, const Velocity& v) const {
    return {-mass * k * k * pose.x * v[0] * v[0]};
  }
  lockstep::Status integrate(Pose& pose, const Velocity& v, const T& dt) const {
    const Pose moved = {pose.x + dt * v[0]};
    const lockstep::Status status = check(moved);
    if (status == lockstep::Status::kOk) pose = moved;
    return status;
  }
  Velocity rate_along(const Velocity&, const Velocity& v) const { return v; }

  // where constraints take hold: place, velocity, Jacobian, acceleration at vdot = 0
  lockstep::maximal::FrameKinematics<T, 1> kinematics(const Pose& pose, const Velocity& v,
                                                      const lockstep::Placement<T>& X) const {
    const T x = pose.x, o(0);
    lockstep::maximal::FrameKinematics<T, 1> kinematics{};
    kinematics.J[0].linear = {T(1), k * x, o};
    kinematics.frame.p = lockstep::Vec3<T>{x, T(0.5) * k * x * x, o} + X.p;
    kinematics.frame.R = X.R;
    kinematics.frame.v = v[0] * kinematics.J[0].linear;
    kinematics.bias.linear = {o, k * v[0] * v[0], o};
    return kinematics;
  }
};
