// What a body is to the solver (Baraff 1996, sections 4 and 5): a number of velocity components, a
// mass matrix, the forces that motion itself brings, and how the pose follows the velocity:
//   M(pose) vdot = inertial_force(pose, velocity) + applied force + J^T lambda.
// Our bodies have their origin at the centre of mass and velocities along the axes of the world:
// the linear momentum is m v without a term in the velocity, and the blocks of a constraint between
// any two of them need no turning. The price is one rotation of the inertia a step.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <concepts>

#include "lockstep/border.hpp"
#include "lockstep/constraint/frame.hpp"
#include "lockstep/joint_space.hpp"

namespace lockstep::maximal {

using namespace constraint;  // a mechanism is made of them, and of bodies
using constraint::Matrix, constraint::Vector, lockstep::at;

template <class B>
concept Body = requires(const B& body, const typename B::Pose& pose, typename B::Pose& moved,
                        const Vector<typename B::Scalar, B::kDimension>& velocity,
                        typename B::Scalar dt) {
  // parameters, and a pose, that have a meaning
  { body.check() } -> std::same_as<Status>;
  { body.check(pose) } -> std::same_as<Status>;
  // symmetric, positive definite
  {
    body.mass_matrix(pose)
    } -> std::same_as<Matrix<typename B::Scalar, B::kDimension, B::kDimension>>;
  {
    body.inertial_force(pose, velocity)
    } -> std::same_as<Vector<typename B::Scalar, B::kDimension>>;
  // pose (+) dt velocity, exactly where the velocity is constant; unchanged unless kOk
  { body.integrate(moved, velocity, dt) } -> std::same_as<Status>;
  // du/dt while pose (+) u moves with the velocity, to the third order in u: for Runge-Kutta
  {
    body.rate_along(velocity, velocity)
    } -> std::same_as<Vector<typename B::Scalar, B::kDimension>>;
};

// A body may also say where a time of free flight leads it, if it knows better than Runge-Kutta on
// inertial_force: Status fly(Pose& pose, Velocity& velocity, const Velocity& force, const T& h).

// The generalized force of gravity, from a body's mass at its origin; a body of a user's own may
// say otherwise with a weight of its own.
template <class B>
constexpr Vector<typename B::Scalar, B::kDimension> weight(
    const B& body, const typename B::Pose& pose, const Vec3<typename B::Scalar>& gravity) {
  if constexpr (requires { body.weight(pose, gravity); }) {
    return body.weight(pose, gravity);
  } else {
    using T = typename B::Scalar;
    return generalized_force(body.kinematics(pose, {}, identity<T>()), {body.mass * gravity, {}});
  }
}

namespace detail {

template <class T>
constexpr Vec3<T> vec3(const T* x) {
  return {x[0], x[1], x[2]};
}
template <class T>
constexpr void put(const Vec3<T>& a, T* x) {
  x[0] = a.x, x[1] = a.y, x[2] = a.z;
}

// The angular block of a mass matrix.
template <class T, class M>
constexpr void put_inertia(const Sym3<T>& I_W, M& mass) {
  mass[3][3] = I_W.xx, mass[4][4] = I_W.yy, mass[5][5] = I_W.zz;
  mass[3][4] = mass[4][3] = I_W.xy;
  mass[3][5] = mass[5][3] = I_W.xz;
  mass[4][5] = mass[5][4] = I_W.yz;
}

template <class T>
constexpr bool is_positive_definite(const Sym3<T>& S) {
  const T minor = S.xx * S.yy - S.xy * S.xy;
  const T determinant = S.xx * (S.yy * S.zz - S.yz * S.yz) - S.xy * (S.xy * S.zz - S.yz * S.xz) +
                        S.xz * (S.xy * S.yz - S.yy * S.xz);
  return S.xx > T(0) && minor > T(0) && determinant > T(0) && is_finite(determinant);
}

template <class T>
constexpr Status check_mass(const T& mass, const Sym3<T>& inertia) {
  const bool good = mass > T(0) && is_finite(mass) && is_positive_definite(inertia);
  return good ? Status::kOk : Status::kBadInertia;
}

template <class T>
constexpr Status check_pose(const Vec3<T>& p, const std::array<T, 4>& q) {
  if (!is_finite3(p) || !all_finite(q.data(), 4)) return Status::kNotFinite;
  return is_unit_quaternion(q.data()) ? Status::kOk : Status::kNotUnitQuaternion;
}

// pose <- moved, if it has a meaning.
template <class B>
constexpr Status keep(const B& body, const typename B::Pose& moved, typename B::Pose& pose) {
  const Status status = body.check(moved);
  if (status == Status::kOk) pose = moved;
  return status;
}
// The same, but turned first by a rotation vector along the body's own axes.
template <class B, class T>
Status turn_and_keep(const B& body, typename B::Pose moved, const TurnCoefficients<T>& turn,
                     const Vec3<T>& own, typename B::Pose& pose) {
  if (!is_finite(turn.theta2)) return Status::kNotFinite;
  if (!(turn.theta2 <= kMaxAngle<T> * kMaxAngle<T>)) return Status::kAngleTooLarge;
  turn_quaternion(pose.q.data(), turn, own, moved.q.data());
  return keep(body, moved, pose);
}
// The same along the axes of the world.
template <class B, class T>
Status turn_and_keep(const B& body, const typename B::Pose& moved, const Vec3<T>& turn,
                     typename B::Pose& pose) {
  const Vec3<T> own = transpose_times(quaternion_rotation(pose.q.data()), turn);
  return turn_and_keep(body, moved, TurnCoefficients<T>(turn), own, pose);
}

// du/dt where components 3 to 5 of u make the rotation exp(u) R0 and the others add.
template <class Velocity>
constexpr Velocity turning_rate(const Velocity& u, const Velocity& velocity) {
  using T = typename Velocity::value_type;
  const Vec3<T> turn = vec3(u.data() + 3), w = vec3(velocity.data() + 3), once = cross(turn, w);
  Velocity rate = velocity;
  put(w - T(0.5) * once + T(1.0 / 12) * cross(turn, once), rate.data() + 3);
  return rate;
}

// Of a positive definite one.
template <class T>
constexpr Sym3<T> inverse(const Sym3<T>& S) {
  const T xx = S.yy * S.zz - S.yz * S.yz, xy = S.xz * S.yz - S.xy * S.zz;
  const T xz = S.xy * S.yz - S.xz * S.yy;
  const T scale = T(1) / (S.xx * xx + S.xy * xy + S.xz * xz);
  Sym3<T> out;
  out.xx = scale * xx, out.xy = scale * xy, out.xz = scale * xz;
  out.yy = scale * (S.xx * S.zz - S.xz * S.xz), out.yz = scale * (S.xy * S.xz - S.xx * S.yz);
  out.zz = scale * (S.xx * S.yy - S.xy * S.xy);
  return out;
}

}  // namespace detail
}  // namespace lockstep::maximal

#include "lockstep/restore_macros.hpp"
