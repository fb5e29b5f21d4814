// The shapes of a model as plain numbers: what the host tool emits, what a hash covers. SI units.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

#include "lockstep/model.hpp"

namespace lockstep::contact {

enum class ShapeType : std::uint8_t { kSphere, kCapsule, kBox, kCylinder, kPoints };
inline constexpr int kShapeTypes = 5;

// Whether the core is a point or a line.
constexpr bool is_round(ShapeType type) {
  return type == ShapeType::kSphere || type == ShapeType::kCapsule;
}
// Whether it can be held against other shapes, not only against the ground.
constexpr bool meets_others(ShapeType type) { return is_round(type) || type == ShapeType::kBox; }

// A shape S fixed to a body, or to the world. Sizes as in Shape; points first .. first + count - 1
// of the model's list are its own.
struct ColliderRecord {
  int body = kWorld;
  ShapeType type = ShapeType::kSphere;
  std::array<double, 3> half = {};
  double radius = 0;
  std::array<double, 9> R_BS = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  std::array<double, 3> p_BS = {};
  int first = 0, count = 0;
  double friction = 0;
  double restitution = 0;
  constexpr bool operator==(const ColliderRecord&) const = default;
};

// Two colliders that may meet, by their numbers: spheres, capsules or boxes on different bodies.
struct ColliderPair {
  int a = 0, b = 0;
  constexpr bool operator==(const ColliderPair&) const = default;
};

// How many points of a shape the ground can touch at once, at most.
constexpr int most_points(const ColliderRecord& collider) {
  switch (collider.type) {
    case ShapeType::kSphere: return 1;
    case ShapeType::kCapsule: return 2;
    case ShapeType::kBox: return 8;
    case ShapeType::kCylinder: return 8;
    case ShapeType::kPoints: return collider.count;
  }
  return 0;
}

// How many contacts one call of detect() can find, at most: no list needs more room.
template <class Colliders, class Pairs>
constexpr int most_contacts(const Colliders& colliders, const Pairs& pairs) {
  const auto at = [&](int i) -> const ColliderRecord& {
    return colliders[static_cast<std::size_t>(i)];
  };
  int most = 0;
  for (const ColliderRecord& collider : colliders) {
    if (collider.body != kWorld) most += most_points(collider);
  }
  for (const ColliderPair& pair : pairs) {
    // a sphere has one point, an axis two, a face four
    const auto points = [&](int i) {
      return at(i).type == ShapeType::kSphere ? 1 : at(i).type == ShapeType::kCapsule ? 2 : 4;
    };
    most += points(pair.a) < points(pair.b) ? points(pair.a) : points(pair.b);
  }
  return most;
}

}  // namespace lockstep::contact

#include "lockstep/restore_macros.hpp"
