// A point mass: three velocity components. Its frames do not turn.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/maximal/body.hpp"

namespace lockstep::maximal {

template <class T>
struct Particle {
  using Scalar = T;
  static constexpr int kDimension = 3;
  using Velocity = Vector<T, 3>;
  struct Pose {
    Vec3<T> p{};
  };

  T mass;

  constexpr Status check() const {
    return mass > T(0) && is_finite(mass) ? Status::kOk : Status::kBadInertia;
  }
  constexpr Status check(const Pose& pose) const {
    return is_finite3(pose.p) ? Status::kOk : Status::kNotFinite;
  }
  constexpr Matrix<T, 3, 3> mass_matrix(const Pose&) const {
    const T o(0);
    return {{{mass, o, o}, {o, mass, o}, {o, o, mass}}};
  }
  constexpr Velocity inertial_force(const Pose&, const Velocity&) const { return {}; }

  constexpr Status integrate(Pose& pose, const Velocity& v, const T& dt) const {
    return detail::keep(*this, {pose.p + dt * detail::vec3(v.data())}, pose);
  }
  constexpr Velocity rate_along(const Velocity&, const Velocity& v) const { return v; }

  // Exactly, under a constant force.
  constexpr Status fly(Pose& pose, Velocity& velocity, const Velocity& force, const T& h) const {
    const Vec3<T> v = detail::vec3(velocity.data()), dv = (h / mass) * detail::vec3(force.data());
    pose.p = pose.p + h * (v + T(0.5) * dv);
    detail::put(v + dv, velocity.data());
    return is_finite3(pose.p) ? Status::kOk : Status::kNotFinite;
  }

  constexpr FrameKinematics<T, 3> kinematics(const Pose& pose, const Velocity& v,
                                             const Placement<T>& X_BF) const {
    FrameKinematics<T, 3> k{};
    k.frame = {pose.p + X_BF.p, X_BF.R, detail::vec3(v.data()), {}};
    k.J[0].linear.x = k.J[1].linear.y = k.J[2].linear.z = T(1);
    return k;
  }
};

}  // namespace lockstep::maximal

#include "lockstep/restore_macros.hpp"
