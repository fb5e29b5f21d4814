// A rigid body that may also grow and shrink, uniformly about its centre of mass (Baraff 1996,
// section 4): a material point is at p + s R r. Velocity: of the centre of mass, angular, rate of
// s. A negative s is a mirror image; at s = 0 the mass matrix is singular.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/maximal/body.hpp"

namespace lockstep::maximal {

template <class T>
struct ScalingBody {
  using Scalar = T;
  static constexpr int kDimension = 7;
  using Velocity = Vector<T, 7>;
  struct Pose {
    Vec3<T> p{};
    std::array<T, 4> q{T(0), T(0), T(0), T(1)};  // x y z w
    T scale{1};
  };

  T mass;
  Sym3<T> inertia;  // about the centre of mass, in body axes, at scale one

  constexpr Status check() const { return detail::check_mass(mass, inertia); }
  constexpr Status check(const Pose& pose) const {
    return is_finite(pose.scale) ? detail::check_pose(pose.p, pose.q) : Status::kNotFinite;
  }

  constexpr Matrix<T, 7, 7> mass_matrix(const Pose& pose) const {
    Matrix<T, 7, 7> M{};
    M[0][0] = M[1][1] = M[2][2] = mass;
    const Sym3<T> I_W = rotate(quaternion_rotation(pose.q.data()), inertia);
    const T ss = pose.scale * pose.scale;
    detail::put_inertia(
        Sym3<T>{ss * I_W.xx, ss * I_W.xy, ss * I_W.xz, ss * I_W.yy, ss * I_W.yz, ss * I_W.zz}, M);
    M[6][6] = T(0.5) * (inertia.xx + inertia.yy + inertia.zz);  // sum of m r^2
    return M;
  }

  // From the angular momentum s^2 I w and the kinetic energy's slope in s, s w . I w.
  constexpr Velocity inertial_force(const Pose& pose, const Velocity& velocity) const {
    const Vec3<T> w = detail::vec3(velocity.data() + 3);
    const Mat3<T> R = quaternion_rotation(pose.q.data());
    const Vec3<T> sIw = pose.scale * (R * (inertia * transpose_times(R, w)));
    Velocity force{};
    detail::put(pose.scale * cross(sIw, w) - T(2) * velocity[6] * sIw, force.data() + 3);
    force[6] = dot(w, sIw);
    return force;
  }

  Status integrate(Pose& pose, const Velocity& velocity, const T& dt) const {
    const Pose moved = {pose.p + dt * detail::vec3(velocity.data()), pose.q,
                        pose.scale + dt * velocity[6]};
    return detail::turn_and_keep(*this, moved, dt * detail::vec3(velocity.data() + 3), pose);
  }
  constexpr Velocity rate_along(const Velocity& u, const Velocity& velocity) const {
    return detail::turning_rate(u, velocity);
  }

  // The frame's origin moves with the material, its axes stay of length one.
  constexpr FrameKinematics<T, 7> kinematics(const Pose& pose, const Velocity& velocity,
                                             const Placement<T>& X_BF) const {
    const Vec3<T> v = detail::vec3(velocity.data()), w = detail::vec3(velocity.data() + 3);
    const Mat3<T> R = quaternion_rotation(pose.q.data());
    const Vec3<T> unscaled = R * X_BF.p, arm = pose.scale * unscaled;
    const Vec3<T> swing = cross(w, arm), growth = velocity[6] * unscaled;
    FrameKinematics<T, 7> k{};
    k.frame = {pose.p + arm, R * X_BF.R, v + swing + growth, w};
    constraint::detail::put_rigid_columns(arm, k.J);
    k.J[6].linear = unscaled;
    k.bias.linear = cross(w, swing + T(2) * growth);
    return k;
  }
};

}  // namespace lockstep::maximal

#include "lockstep/restore_macros.hpp"
