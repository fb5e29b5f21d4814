// What of a compiled robot bounds the motion of its plant, beside the loops and couplings that
// always hold: limits, greatest speeds and dry friction of joints, shapes that touch each other and
// the ground. A robot without any of it runs as a tree.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

#include "lockstep/auxiliary/joint_rows.hpp"
#include "lockstep/hash.hpp"

namespace lockstep::firmware {

// As contact::HeightField.
struct Field {
  double x = 0, y = 0, spacing = 1;  // m
  int columns = 0, rows = 0;
  std::span<const double> heights = {};  // m

  constexpr bool operator==(const Field& other) const {
    return x == other.x && y == other.y && spacing == other.spacing && columns == other.columns &&
           rows == other.rows && std::ranges::equal(heights, other.heights);
  }
};

struct Bounds {
  bool position = false, velocity = false, friction = false;  // of joints
  RowSolver solver = RowSolver::kNewton;                      // of the rows
  int contacts = 0;                                           // the most at once; the deepest act
  bool ground = false;                                        // a level plane
  double height = 0;                                          // m, of the plane
  Field field = {};                                           // instead of the plane
  double ground_friction = 0.8, ground_restitution = 0;
  double ground_stiffness = 0, ground_damping = 0;  // N/m, N s/m of each contact; 0: rigid
  constexpr bool operator==(const Bounds&) const = default;
};

// Names a robot and what bounds it: a host that thinks of other bounds speaks of another robot.
constexpr std::uint64_t hash_with(std::uint64_t model_hash, const Bounds& bounds) {
  if (bounds == Bounds()) return model_hash;
  Hash hash(model_hash);
  hash.add(static_cast<std::uint8_t>(bounds.position | bounds.velocity << 1 | bounds.friction << 2 |
                                     bounds.ground << 3 | static_cast<int>(bounds.solver) << 4));
  hash.add(static_cast<std::uint32_t>(bounds.contacts));
  hash.add(bounds.height);
  hash.add(bounds.ground_friction);
  hash.add(bounds.ground_restitution);
  if (bounds.ground_stiffness > 0) {
    hash.add(bounds.ground_stiffness);
    hash.add(bounds.ground_damping);
  }
  if (const Field& field = bounds.field; !field.heights.empty()) {
    for (const double x : {field.x, field.y, field.spacing}) hash.add(x);
    hash.add(static_cast<std::uint32_t>(field.columns));
    for (const double height : field.heights) hash.add(height);
  }
  return hash.value();
}

template <class T>
constexpr NewtonOptions<T> newton_options(const Bounds& bounds) {
  NewtonOptions<T> options;
  if (bounds.ground_stiffness > 0) {
    options.softness = static_cast<T>(1 / bounds.ground_stiffness);
    options.settling = static_cast<T>(bounds.ground_damping / bounds.ground_stiffness);
  }
  return options;
}

template <class T, class Acting>
constexpr JointLimits<T> joint_bounds(const Body& body, const Acting& acting) {
  const JointLimits<T> all = to_joint_limits<T>(body);
  JointLimits<T> bounds;
  if (acting.position) bounds.lower = all.lower, bounds.upper = all.upper;
  if (acting.velocity) bounds.velocity = all.velocity;
  if (acting.friction) bounds.friction = all.friction;
  return bounds;
}

// For either end of a joint or its speed that way, and for its friction.
template <class T>
constexpr int most_rows(const JointLimits<T>& own) {
  const bool fast = own.has_velocity();
  return (fast || own.has_lower()) + (fast || own.has_upper()) + (own.friction > T(0));
}

}  // namespace lockstep::firmware
