// A rigid body that may also stretch along its own axes: a material point is at p + R S r with
// S = diag(s). Velocity: of the centre of mass, angular, rates of s. The axes need not be principal
// ones. Forces by d'Alembert: with K the sum of m r r^T, a field N r of accelerations makes the
// generalized force -N K, read off along each motion of the body.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/maximal/body.hpp"

namespace lockstep::maximal {

template <class T>
struct StretchingBody {
  using Scalar = T;
  static constexpr int kDimension = 9;
  using Velocity = Vector<T, 9>;
  struct Pose {
    Vec3<T> p{};
    std::array<T, 4> q{T(0), T(0), T(0), T(1)};  // x y z w
    Vec3<T> scale{T(1), T(1), T(1)};
  };

  T mass;
  Sym3<T> inertia;  // about the centre of mass, in body axes, at scale one

  // The sum of m r r^T must be positive definite too, or a scale has no inertia: a flat body.
  constexpr Status check() const {
    const bool solid = detail::is_positive_definite(second_moment());
    return solid ? detail::check_mass(mass, inertia) : Status::kBadInertia;
  }
  constexpr Status check(const Pose& pose) const {
    return is_finite3(pose.scale) ? detail::check_pose(pose.p, pose.q) : Status::kNotFinite;
  }

  constexpr Matrix<T, 9, 9> mass_matrix(const Pose& pose) const {
    const Sym3<T> K = second_moment();
    const Vec3<T>& s = pose.scale;
    const Mat3<T> R = quaternion_rotation(pose.q.data());
    const T xx = s.x * s.x * K.xx, yy = s.y * s.y * K.yy, zz = s.z * s.z * K.zz;
    const Sym3<T> I_B = {yy + zz, -(s.x * s.y * K.xy), -(s.x * s.z * K.xz),
                         xx + zz, -(s.y * s.z * K.yz), xx + yy};
    // angular momentum of a rate of s.x, s.y, s.z: sum of m S r x (r along that axis)
    const Mat3<T> L = R * Mat3<T>{{T(0), s.z * K.xz, -(s.y * K.xy)},
                                  {-(s.z * K.yz), T(0), s.x * K.xy},
                                  {s.y * K.yz, -(s.x * K.xz), T(0)}};
    Matrix<T, 9, 9> M{};
    M[0][0] = M[1][1] = M[2][2] = mass;
    detail::put_inertia(rotate(R, I_B), M);
    M[6][6] = K.xx, M[7][7] = K.yy, M[8][8] = K.zz;
    const Vec3<T>* columns[] = {&L.x, &L.y, &L.z};
    for (std::size_t c = 0; c < 3; ++c) {
      M[3][6 + c] = M[6 + c][3] = columns[c]->x;
      M[4][6 + c] = M[6 + c][4] = columns[c]->y;
      M[5][6 + c] = M[6 + c][5] = columns[c]->z;
    }
    return M;
  }

  // While vdot = 0 a point accelerates, in body axes, by w x (w x S r) + 2 w x S' r.
  constexpr Velocity inertial_force(const Pose& pose, const Velocity& velocity) const {
    const Mat3<T> R = quaternion_rotation(pose.q.data());
    const Vec3<T> w = transpose_times(R, detail::vec3(velocity.data() + 3));
    const Vec3<T>& s = pose.scale;
    const T o(0);
    const auto acceleration = [&](const Vec3<T>& stretched, const Vec3<T>& rate) {
      return cross(w, cross(w, stretched) + T(2) * rate);
    };
    const Mat3<T> N = {acceleration({s.x, o, o}, {velocity[6], o, o}),
                       acceleration({o, s.y, o}, {o, velocity[7], o}),
                       acceleration({o, o, s.z}, {o, o, velocity[8]})};
    const Mat3<T> P = N * second_moment().full();  // column j: sum of m a r_j
    const Vec3<T> moment = {s.y * P.y.z - s.z * P.z.y, s.z * P.z.x - s.x * P.x.z,
                            s.x * P.x.y - s.y * P.y.x};
    Velocity force{};
    detail::put(-(R * moment), force.data() + 3);
    force[6] = -P.x.x, force[7] = -P.y.y, force[8] = -P.z.z;
    return force;
  }

  Status integrate(Pose& pose, const Velocity& velocity, const T& dt) const {
    const Pose moved = {pose.p + dt * detail::vec3(velocity.data()), pose.q,
                        pose.scale + dt * detail::vec3(velocity.data() + 6)};
    return detail::turn_and_keep(*this, moved, dt * detail::vec3(velocity.data() + 3), pose);
  }
  constexpr Velocity rate_along(const Velocity& u, const Velocity& velocity) const {
    return detail::turning_rate(u, velocity);
  }

  // The frame's origin moves with the material; its axes turn with the body and are not sheared.
  constexpr FrameKinematics<T, 9> kinematics(const Pose& pose, const Velocity& velocity,
                                             const Placement<T>& X_BF) const {
    const Vec3<T> v = detail::vec3(velocity.data()), w = detail::vec3(velocity.data() + 3);
    const Mat3<T> R = quaternion_rotation(pose.q.data());
    const Vec3<T> x = X_BF.p.x * R.x, y = X_BF.p.y * R.y, z = X_BF.p.z * R.z;
    const Vec3<T> arm = pose.scale.x * x + pose.scale.y * y + pose.scale.z * z;
    const Vec3<T> swing = cross(w, arm);
    const Vec3<T> growth = velocity[6] * x + velocity[7] * y + velocity[8] * z;
    FrameKinematics<T, 9> k{};
    k.frame = {pose.p + arm, R * X_BF.R, v + swing + growth, w};
    constraint::detail::put_rigid_columns(arm, k.J);
    k.J[6].linear = x, k.J[7].linear = y, k.J[8].linear = z;
    k.bias.linear = cross(w, swing + T(2) * growth);
    return k;
  }

 private:
  constexpr Sym3<T> second_moment() const {
    const T half = T(0.5) * (inertia.xx + inertia.yy + inertia.zz);
    return {half - inertia.xx, -inertia.xy, -inertia.xz,
            half - inertia.yy, -inertia.yz, half - inertia.zz};
  }
};

}  // namespace lockstep::maximal

#include "lockstep/restore_macros.hpp"
