// A rigid body: velocity of the centre of mass, then angular velocity, both along world axes.
#pragma once

#include "lockstep/maximal/body.hpp"

namespace lockstep::maximal {

template <class T>
struct RigidBody {
  using Scalar = T;
  static constexpr int kDimension = 6;
  using Velocity = Vector<T, 6>;
  struct Pose {
    Vec3<T> p{};                                 // centre of mass
    std::array<T, 4> q{T(0), T(0), T(0), T(1)};  // x y z w
  };

  T mass;
  Sym3<T> inertia;  // about the centre of mass, in body axes

  constexpr Status check() const { return detail::check_mass(mass, inertia); }
  constexpr Status check(const Pose& pose) const { return detail::check_pose(pose.p, pose.q); }

  constexpr Matrix<T, 6, 6> mass_matrix(const Pose& pose) const {
    Matrix<T, 6, 6> M{};
    M[0][0] = M[1][1] = M[2][2] = mass;
    detail::put_inertia(rotate(quaternion_rotation(pose.q.data()), inertia), M);
    return M;
  }

  constexpr Velocity inertial_force(const Pose& pose, const Velocity& velocity) const {
    const Vec3<T> w = detail::vec3(velocity.data() + 3);
    const Mat3<T> R = quaternion_rotation(pose.q.data());
    Velocity force{};
    detail::put(cross(R * (inertia * transpose_times(R, w)), w), force.data() + 3);
    return force;
  }

  Status advance(Pose& pose, const Velocity& velocity, const T& dt) const {
    const Pose moved = {pose.p + dt * detail::vec3(velocity.data()), pose.q};
    return detail::turn_and_keep(*this, moved, dt * detail::vec3(velocity.data() + 3), pose);
  }
  constexpr Velocity rate_along(const Velocity& u, const Velocity& velocity) const {
    return detail::turning_rate(u, velocity);
  }

  // Pose and velocity after a time h of flight under a constant force. Momentum is known at any
  // time, and from it the angular velocity of any rotation: only that is left to Runge-Kutta.
  Status fly(Pose& pose, Velocity& velocity, const Velocity& force, const T& h) const {
    const Vec3<T> v = detail::vec3(velocity.data()), w = detail::vec3(velocity.data() + 3);
    const Vec3<T> push = detail::vec3(force.data()), moment = detail::vec3(force.data() + 3);
    const Mat3<T> R = quaternion_rotation(pose.q.data());
    const Vec3<T> L = R * (inertia * transpose_times(R, w));
    const Sym3<T> inverse = detail::inverse(inertia), mobility = rotate(R, inverse);
    struct Stage {
      T time, weight;
    };
    Vec3<T> rate = w, sum = w;
    const T half = h * T(0.5);
    for (const Stage& stage : {Stage{half, T(2)}, Stage{half, T(2)}, Stage{h, T(1)}}) {
      const Vec3<T> turn = stage.time * rate;
      const Vec3<T> back = detail::nearly_turned(L + stage.time * moment, -turn);
      const Vec3<T> now = detail::nearly_turned(mobility * back, turn);
      const Vec3<T> once = cross(turn, now);
      rate = now - T(0.5) * once + T(1.0 / 12) * cross(turn, once);
      sum = sum + stage.weight * rate;
    }
    const Pose moved = {pose.p + h * v + (h * half / mass) * push, pose.q};
    const Status status = detail::turn_and_keep(*this, moved, (h / T(6)) * sum, pose);
    const Mat3<T> R_end = quaternion_rotation(pose.q.data());
    detail::put(v + (h / mass) * push, velocity.data());
    detail::put(R_end * (inverse * transpose_times(R_end, L + h * moment)), velocity.data() + 3);
    return status;
  }

  constexpr FrameKinematics<T, 6> kinematics(const Pose& pose, const Velocity& velocity,
                                             const Placement<T>& X_BF) const {
    const Vec3<T> v = detail::vec3(velocity.data()), w = detail::vec3(velocity.data() + 3);
    const Mat3<T> R = quaternion_rotation(pose.q.data());
    const Vec3<T> arm = R * X_BF.p, swing = cross(w, arm);
    FrameKinematics<T, 6> k{};
    k.frame = {pose.p + arm, R * X_BF.R, v + swing, w};
    detail::put_rigid_columns(arm, k.J);
    k.bias.linear = cross(w, swing);
    return k;
  }
};

}  // namespace lockstep::maximal
