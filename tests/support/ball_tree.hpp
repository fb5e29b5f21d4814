// The trees of Bender 2007, section 6: boxes of wood, one on top, below it a binary tree of them on
// ball joints; joint i holds body i + 1. Lengths grow by half with every level above the lowest.
// Nothing holds the top; a torque across it sets the tree moving. Arithmetic that constants may
// use: the same tree on a host and in flash.
#pragma once

#include <bit>
#include <span>

#include "lockstep/constraint/joints.hpp"
#include "lockstep/maximal/records.hpp"
#include "lockstep/maximal/rigid_body.hpp"

namespace lockstep::test {

// All that such a tree is made of.
template <class T>
struct BallTreeTypes {
  using Scalar = T;
  using Bodies = maximal::TypeList<maximal::RigidBody<T>>;
  using Constraints = maximal::TypeList<maximal::Between<maximal::Ball<T>>>;
};

inline constexpr double kTreeTorque = 10;  // N m, about the world's y

namespace detail {

using Quaternion = std::array<double, 4>;  // x y z w

constexpr Quaternion times(const Quaternion& a, const Quaternion& b) {
  return {a[3] * b[0] + b[3] * a[0] + a[1] * b[2] - a[2] * b[1],
          a[3] * b[1] + b[3] * a[1] + a[2] * b[0] - a[0] * b[2],
          a[3] * b[2] + b[3] * a[2] + a[0] * b[1] - a[1] * b[0],
          a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
}

constexpr int depth_of(int body) { return std::bit_width(static_cast<unsigned>(body)); }

constexpr double tree_length(int joints, int body) {
  double length = 0.1;
  for (int level = depth_of(body); level < depth_of(joints); ++level) length *= 1.5;
  return length;
}

// A box along x, 4 cm wide and high, of 600 kg/m^3.
constexpr maximal::BodyRecord box(double length) {
  constexpr double kSide = 0.04, kDensity = 600;
  const double mass = kDensity * kSide * kSide * length;
  const double across = mass / 12 * (length * length + kSide * kSide);
  return {.type = 0, .numbers = {mass, mass / 6 * kSide * kSide, 0, 0, across, 0, across}};
}

constexpr maximal::ConstraintRecord ball(int parent, double end, int child, double begin) {
  maximal::ConstraintRecord record = {.type = 0, .a = parent, .b = child};
  for (const std::size_t first : {0u, 12u}) {
    for (const std::size_t diagonal : {0u, 4u, 8u}) record.numbers[first + diagonal] = 1;
  }
  record.numbers[9] = end, record.numbers[21] = begin;
  return record;
}

}  // namespace detail

// `bodies` has one more than `joints`, x seven numbers for each of them: poses at rest.
constexpr void make_ball_tree(std::span<maximal::BodyRecord> bodies,
                              std::span<maximal::ConstraintRecord> joints, std::span<double> x) {
  constexpr double kHalf = 0.70710678118654752;                                 // a right angle
  constexpr double kSine = 0.25881904510252076, kCosine = 0.96592582628906829;  // 30 degrees
  const int count = static_cast<int>(joints.size());
  for (int i = 0; i <= count; ++i) {
    const double length = detail::tree_length(count, i);
    detail::Quaternion q = {0, kHalf, 0, kHalf};  // the top hangs
    Vec3<double> begin = {};
    if (i > 0) {
      // siblings spread to both sides, each level across the one above
      const std::size_t parent = static_cast<std::size_t>(i / 2) * 7;
      const double above = detail::tree_length(count, i / 2);
      for (std::size_t c = 0; c < 4; ++c) q[c] = x[parent + 3 + c];
      begin = Vec3<double>{x[parent], x[parent + 1], x[parent + 2]} +
              0.5 * above * quaternion_rotation(q.data()).x;
      q = detail::times(detail::times(q, {kHalf, 0, 0, kHalf}),
                        {0, 0, i % 2 == 0 ? kSine : -kSine, kCosine});
      joints[static_cast<std::size_t>(i - 1)] = detail::ball(i / 2, above / 2, i, -length / 2);
    }
    bodies[static_cast<std::size_t>(i)] = detail::box(length);
    const Vec3<double> centre = begin + 0.5 * length * quaternion_rotation(q.data()).x;
    const std::size_t own = static_cast<std::size_t>(i) * 7;
    x[own] = centre.x, x[own + 1] = centre.y, x[own + 2] = centre.z;
    for (std::size_t c = 0; c < 4; ++c) x[own + 3 + c] = q[c];
  }
}

}  // namespace lockstep::test
