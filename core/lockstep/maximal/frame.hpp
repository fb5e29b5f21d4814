// A frame fixed to a body, as it moves: all that constraints and loads know of a body, whatever
// its coordinates are. World axes, moments about the frame's own origin: what a constraint
// subtracts is as short as the mechanism's joints, not as long as the way from the world's origin.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>

#include "lockstep/border.hpp"
#include "lockstep/spatial.hpp"

namespace lockstep {

// The power of a wrench along a twist.
template <class T>
constexpr T dot(const Spatial<T>& wrench, const Spatial<T>& twist) {
  return dot(wrench.linear, twist.linear) + dot(wrench.angular, twist.angular);
}

namespace maximal {

constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

template <class T, int kSize>
using Vector = std::array<T, at(kSize)>;
template <class T, int kRows, int kColumns>
using Matrix = std::array<std::array<T, at(kColumns)>, at(kRows)>;

namespace detail {
template <class T>
constexpr bool is_finite3(const Vec3<T>& a) {
  return is_finite(a.x) && is_finite(a.y) && is_finite(a.z);
}
}  // namespace detail

template <class T>
struct Frame {
  Vec3<T> p;  // origin
  Mat3<T> R;  // columns are the frame's axes
  Vec3<T> v;  // velocity of the origin
  Vec3<T> w;  // angular velocity
};

template <class T, int kDimension>
struct FrameKinematics {
  Frame<T> frame;
  std::array<Spatial<T>, at(kDimension)> J;  // column i: the frame's twist at unit velocity i
  Spatial<T> bias;  // its acceleration (of the origin, angular) while the body's vdot is zero

  static constexpr int size() { return kDimension; }
};

// The same on a body of whatever type, where that is known only at run time.
template <class T, int kMaxDimension>
struct AnyKinematics {
  Frame<T> frame;
  std::array<Spatial<T>, at(kMaxDimension)> J;
  Spatial<T> bias;
  int dimension;

  constexpr int size() const { return dimension; }
};

// J^T f: the generalized force of a wrench at the frame's origin. Weight is {mass * g, 0} at the
// centre of mass.
template <class T, int kDimension>
constexpr Vector<T, kDimension> generalized_force(const FrameKinematics<T, kDimension>& k,
                                                  const Spatial<T>& wrench) {
  Vector<T, kDimension> force{};
  for (int i = 0; i < kDimension; ++i) force[at(i)] = dot(wrench, k.J[at(i)]);
  return force;
}

// What frames can be fixed to.
template <class B>
concept Framed = requires(const B& body, const typename B::Pose& pose,
                          const Vector<typename B::Scalar, B::kDimension>& velocity,
                          const Placement<typename B::Scalar>& X_BF) {
  {
    body.kinematics(pose, velocity, X_BF)
    } -> std::same_as<FrameKinematics<typename B::Scalar, B::kDimension>>;
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

}  // namespace maximal
}  // namespace lockstep
