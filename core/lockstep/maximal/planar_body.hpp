// A rigid body in the plane z = 0: velocity of the centre of mass, then the angular velocity about
// z. Constraint rows out of the plane would be empty: use those of constraints/joints.hpp for
// planar bodies, or any other that holds only x, y and the angle.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/maximal/body.hpp"

namespace lockstep::maximal {

template <class T>
struct PlanarBody {
  using Scalar = T;
  static constexpr int kDimension = 3;
  using Velocity = Vector<T, 3>;
  struct Pose {
    T x{}, y{}, angle{};
  };

  T mass;
  T inertia;  // about the centre of mass and z

  constexpr Status check() const {
    const bool good = mass > T(0) && inertia > T(0) && is_finite(mass) && is_finite(inertia);
    return good ? Status::kOk : Status::kBadInertia;
  }
  constexpr Status check(const Pose& pose) const {
    if (!(is_finite(pose.x) && is_finite(pose.y) && is_finite(pose.angle)))
      return Status::kNotFinite;
    return is_within(pose.angle, kMaxAngle<T>) ? Status::kOk : Status::kAngleTooLarge;
  }
  constexpr Matrix<T, 3, 3> mass_matrix(const Pose&) const {
    const T o(0);
    return {{{mass, o, o}, {o, mass, o}, {o, o, inertia}}};
  }
  constexpr Velocity inertial_force(const Pose&, const Velocity&) const { return {}; }

  constexpr Status integrate(Pose& pose, const Velocity& velocity, const T& dt) const {
    const Pose moved = {pose.x + dt * velocity[0], pose.y + dt * velocity[1],
                        wind_back(pose.angle + dt * velocity[2])};
    return detail::keep(*this, moved, pose);
  }
  constexpr Velocity rate_along(const Velocity&, const Velocity& velocity) const {
    return velocity;
  }

  constexpr FrameKinematics<T, 3> kinematics(const Pose& pose, const Velocity& velocity,
                                             const Placement<T>& X_BF) const {
    TurnZ<T> R;
    sincos(pose.angle, R.s, R.c);
    const Vec3<T> arm = R * X_BF.p, across = {-arm.y, arm.x, T(0)};
    const T w = velocity[2];
    FrameKinematics<T, 3> k{};
    k.frame = {Vec3<T>{pose.x, pose.y, T(0)} + arm,
               {R * X_BF.R.x, R * X_BF.R.y, R * X_BF.R.z},
               Vec3<T>{velocity[0], velocity[1], T(0)} + w * across,
               {T(0), T(0), w}};
    k.J[0].linear.x = k.J[1].linear.y = T(1);
    k.J[2] = {across, {T(0), T(0), T(1)}};
    k.bias.linear = {-(w * w) * arm.x, -(w * w) * arm.y, T(0)};
    return k;
  }
};

}  // namespace lockstep::maximal

#include "lockstep/restore_macros.hpp"
