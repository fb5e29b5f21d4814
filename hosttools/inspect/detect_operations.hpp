// The most that detect() can take on a plane: additions, multiplications, divisions and square
// roots, counted along the code, every branch the longer way. A dot product is 5, a cross product
// 9, a matrix times a vector 15.
#pragma once

#include "lockstep/contact/records.hpp"

namespace lockstep::host {

namespace detail {

inline constexpr int kPlaceOperations = 63;  // a product of placements
inline constexpr int kOfferOperations = 17;  // distance to the plane, the contact's point, material
inline constexpr int kMaterialOperations = 2;  // of a pair
inline constexpr int kBallOperations = 18 + 3;

constexpr int ground_operations(const contact::ColliderRecord& collider) {
  constexpr int kCorner = 18;  // into the world
  const int points = most_points(collider);
  using enum contact::ShapeType;
  if (collider.type == kSphere) return 18 + kOfferOperations;
  if (collider.type == kCapsule) return 18 + 15 + 9 + 2 * kOfferOperations;
  const int shape = collider.type == contact::ShapeType::kCylinder
                        ? 6 + 11 + 6 + 7 + 9 + 1 + 2 * 6 + points * (3 + kOfferOperations)
                        : points * (kCorner + kOfferOperations);
  return kPlaceOperations + shape;
}

constexpr int pair_operations(contact::ShapeType a, contact::ShapeType b) {
  constexpr int kFar = 2 * kBallOperations + 3 + 5 + 2 + 2;  // balls around both
  constexpr int kNearPoints = 51;
  constexpr int kRound = kNearPoints + 2 * (3 + 6 + 2 + 35 + 8 + kMaterialOperations);
  // the segment in the box's axes, the nearest point, the face's or the edge's contacts
  constexpr int kSegment = 33 + 135 + 15 + 67 + 2 * kMaterialOperations;
  // fifteen axes; then a face, cut four times from at most eight corners, of which four stay
  constexpr int kAxes = 3 + 1 + 6 * 50 + 9 * (19 + 50);
  constexpr int kCuts = 4 * (1 + 8 * (18 + 11));
  constexpr int kBoxes = kAxes + 56 + kCuts + 8 * 16 + 422 + 4 * kMaterialOperations;
  const int meet = is_round(a) && is_round(b)   ? kRound
                   : is_round(a) || is_round(b) ? kSegment
                                                : kBoxes;
  return kFar + 2 * kPlaceOperations + meet;
}

}  // namespace detail

// Every body's pose is looked at once.
template <class Colliders, class Pairs>
constexpr std::int64_t detect_operations(const Colliders& colliders, const Pairs& pairs,
                                         int bodies) {
  std::int64_t sum = 1 + 12 * static_cast<std::int64_t>(bodies);
  for (const contact::ColliderRecord& collider : colliders) {
    if (collider.body != kWorld) sum += detail::ground_operations(collider);
    if (!pairs.empty()) sum += detail::kBallOperations;
  }
  for (const contact::ColliderPair& pair : pairs) {
    sum += detail::pair_operations(colliders[static_cast<std::size_t>(pair.a)].type,
                                   colliders[static_cast<std::size_t>(pair.b)].type);
  }
  return sum;
}

}  // namespace lockstep::host
