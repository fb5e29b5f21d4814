// A rigid body: velocity of the centre of mass, then angular velocity, both along world axes.
#pragma once

#include "lockstep/hide_macros.hpp"

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

  Status integrate(Pose& pose, const Velocity& velocity, const T& dt) const {
    const Pose moved = {pose.p + dt * detail::vec3(velocity.data()), pose.q};
    return detail::turn_and_keep(*this, moved, dt * detail::vec3(velocity.data() + 3), pose);
  }
  constexpr Velocity rate_along(const Velocity& u, const Velocity& velocity) const {
    return detail::turning_rate(u, velocity);
  }

  // Pose and velocity after a time h of flight under a constant force. In the body's axes its
  // momentum obeys L' = L x w + moment, and what is constant in the world turns like moment' =
  // moment x w. Their power series give the angular velocity w, and Magnus' series the turn: an
  // error of the order h^5, like Runge-Kutta's. At the end the momentum itself gives w.
  Status fly(Pose& pose, Velocity& velocity, const Velocity& force, const T& h) const {
    const Vec3<T> v = detail::vec3(velocity.data()), w = detail::vec3(velocity.data() + 3);
    const Vec3<T> push = detail::vec3(force.data()), moment = detail::vec3(force.data() + 3);
    const Mat3<T> R = quaternion_rotation(pose.q.data());
    const Sym3<T> inverse = detail::inverse(inertia);
    const Vec3<T> own = transpose_times(R, w), L = inertia * own;
    const Vec3<T> w0 = h * own, L0 = h * L;
    const Vec3<T> m0 = (h * h) * transpose_times(R, moment), m1 = cross(m0, w0);
    const Vec3<T> L1 = cross(L0, w0) + m0, w1 = inverse * L1;
    const Vec3<T> L2 = T(0.5) * (cross(L1, w0) + cross(L0, w1) + m1), w2 = inverse * L2;
    const Vec3<T> m2 = T(0.5) * (cross(m1, w0) + cross(m0, w1));
    const Vec3<T> w3 =
        inverse * (T(1.0 / 3) * (cross(L2, w0) + cross(L1, w1) + cross(L0, w2) + m2));
    const Vec3<T> turn =
        w0 + T(0.5) * w1 + T(1.0 / 3) * w2 + T(0.25) * w3 + T(1.0 / 12) * cross(w0, w1 + w2);
    const Pose moved = {pose.p + h * v + (T(0.5) * h * h / mass) * push, pose.q};
    const Status status =
        detail::turn_and_keep(*this, moved, TurnCoefficients<T>(turn), turn, pose);
    const Mat3<T> R_end = quaternion_rotation(pose.q.data());
    detail::put(v + (h / mass) * push, velocity.data());
    detail::put(R_end * (inverse * transpose_times(R_end, R * L + h * moment)),
                velocity.data() + 3);
    return status;
  }

  constexpr Velocity weight(const Pose&, const Vec3<T>& gravity) const {
    Velocity force{};
    detail::put(mass * gravity, force.data());
    return force;
  }

  constexpr RigidKinematics<T> kinematics(const Pose& pose, const Velocity& velocity,
                                          const Placement<T>& X_BF) const {
    const Vec3<T> v = detail::vec3(velocity.data()), w = detail::vec3(velocity.data() + 3);
    const Mat3<T> R = quaternion_rotation(pose.q.data());
    const Vec3<T> arm = R * X_BF.p, swing = cross(w, arm);
    return {{pose.p + arm, R * X_BF.R, v + swing, w}, arm, {cross(w, swing), {}}};
  }
};

}  // namespace lockstep::maximal

#include "lockstep/restore_macros.hpp"
