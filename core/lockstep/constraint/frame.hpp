// A frame fixed to a body, as it moves: all that constraints and loads know of a body, whatever
// its coordinates are. World axes, moments about the frame's own origin: what a constraint
// subtracts is as short as the mechanism's joints, not as long as the way from the world's origin.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
#include <concepts>
#include <cstddef>

#include "lockstep/border.hpp"
#include "lockstep/constraint/records.hpp"
#include "lockstep/spatial.hpp"

namespace lockstep {

// The power of a wrench along a twist.
template <class T>
constexpr T dot(const Spatial<T>& wrench, const Spatial<T>& twist) {
  return dot(wrench.linear, twist.linear) + dot(wrench.angular, twist.angular);
}

namespace constraint {

template <class T, int kSize>
using Vector = std::array<T, at(kSize)>;
template <class T, int kRows, int kColumns>
using Matrix = std::array<std::array<T, at(kColumns)>, at(kRows)>;

namespace detail {
// The first six columns of a frame's Jacobian: velocity of the body's origin, angular velocity.
// `arm` leads from the origin to the frame.
template <class T, std::size_t kSize>
constexpr void put_rigid_columns(const Vec3<T>& arm, std::array<Spatial<T>, kSize>& J) {
  const T o(0), one(1);
  J[0].linear = {one, o, o}, J[1].linear = {o, one, o}, J[2].linear = {o, o, one};
  J[3] = {{o, -arm.z, arm.y}, {one, o, o}};
  J[4] = {{arm.z, o, -arm.x}, {o, one, o}};
  J[5] = {{-arm.y, arm.x, o}, {o, o, one}};
}
}  // namespace detail

template <class T>
struct FrameMotion {
  Vec3<T> p;  // origin
  Mat3<T> R;  // columns are the frame's axes
  Vec3<T> v;  // velocity of the origin
  Vec3<T> w;  // angular velocity
};

template <class T, int kDimension>
struct FrameKinematics {
  using Scalar = T;
  FrameMotion<T> frame;
  std::array<Spatial<T>, at(kDimension)> J;  // column i: the frame's twist at unit velocity i
  Spatial<T> bias;  // its acceleration (of the origin, angular) while the body's vdot is zero

  static constexpr int size() { return kDimension; }
  constexpr const auto& columns() const { return J; }
  constexpr void pull(const Spatial<T>& wrench, T* force) const {  // J^T wrench
    for (std::size_t i = 0; i < J.size(); ++i) force[i] = dot(wrench, J[i]);
  }
};

// On a rigid body, where J is zeros, ones and the arm from the body's origin to the frame's.
template <class T>
struct RigidKinematics {
  using Scalar = T;
  FrameMotion<T> frame;
  Vec3<T> arm;
  Spatial<T> bias;

  static constexpr int size() { return 6; }
  constexpr std::array<Spatial<T>, 6> columns() const {
    std::array<Spatial<T>, 6> J{};
    detail::put_rigid_columns(arm, J);
    return J;
  }
  constexpr void pull(const Spatial<T>& wrench, T* force) const {
    const Vec3<T>& f = wrench.linear;
    const Vec3<T> moment = cross(arm, f) + wrench.angular;
    force[0] = f.x, force[1] = f.y, force[2] = f.z;
    force[3] = moment.x, force[4] = moment.y, force[5] = moment.z;
  }
};

// The same on a body of whatever type, where that is known only at run time.
template <class T, int kMaxDimension>
struct AnyKinematics {
  FrameMotion<T> frame;
  std::array<std::array<T, 6>, at(kMaxDimension)> J;  // unless it is rigid
  Spatial<T> bias;
  Vec3<T> arm;  // if it is
  int dimension = 0;
  bool rigid = false;

  template <class Kinematics>
  constexpr void take(const Kinematics& k) {
    frame = k.frame, bias = k.bias, dimension = k.size();
    rigid = requires { k.arm; };
    if constexpr (requires { k.arm; }) {
      arm = k.arm;
    } else {
      for (std::size_t i = 0; i < k.J.size(); ++i) store(k.J[i], J[i].data());
    }
  }
  constexpr int size() const { return dimension; }
  constexpr void pull(const Spatial<T>& wrench, T* force) const {
    if (rigid) return RigidKinematics<T>{{}, arm, {}}.pull(wrench, force);
    for (int i = 0; i < dimension; ++i) {
      force[i] = dot(wrench, load<Spatial<T>>(J[at(i)].data()));
    }
  }
};

template <class K, class T, int kDimension>
concept KinematicsOf = std::same_as<K, FrameKinematics<T, kDimension>> ||
    (kDimension == 6 && std::same_as<K, RigidKinematics<T>>);

// J^T f: the generalized force of a wrench at the frame's origin. Weight is {mass * g, 0} at the
// centre of mass.
template <class Kinematics, class T = typename Kinematics::Scalar>
constexpr Vector<T, Kinematics::size()> generalized_force(
    const Kinematics& k, const std::type_identity_t<Spatial<T>>& wrench) {
  Vector<T, Kinematics::size()> force{};
  k.pull(wrench, force.data());
  return force;
}

// What frames can be fixed to.
template <class B>
concept Framed = requires(const B& body, const typename B::Pose& pose,
                          const Vector<typename B::Scalar, B::kDimension>& velocity,
                          const Placement<typename B::Scalar>& X_BF) {
  requires KinematicsOf<decltype(body.kinematics(pose, velocity, X_BF)), typename B::Scalar,
                        B::kDimension>;
};

// The world: a body without coordinates, so that a constraint to it is like any other.
template <class T>
struct World {
  using Scalar = T;
  static constexpr int kDimension = 0;
  struct Pose {};

  constexpr FrameKinematics<T, 0> kinematics(const Pose&, const Vector<T, 0>&,
                                             const Placement<T>& X_WF) const {
    return {{X_WF.p, X_WF.R, {}, {}}, {}, {}};
  }
};

}  // namespace constraint
}  // namespace lockstep

#include "lockstep/restore_macros.hpp"
