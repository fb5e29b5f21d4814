// A tree's shapes for the core's detect(), in a solver's scalar.
#pragma once

#include <span>
#include <vector>

#include "lockstep/contact/model_colliders.hpp"
#include "model/tree.hpp"

namespace lockstep::host {

template <class T>
class TreeColliders {
 public:
  explicit TreeColliders(const Tree& tree) : pairs_(tree.collider_pairs) {
    for (const std::array<double, 3>& p : tree.collider_points) {
      points_.push_back(contact::to_point<T>(p));
    }
    for (const contact::ColliderRecord& record : tree.colliders) {
      colliders_.push_back(contact::to_collider<T>(record, points_));
    }
  }
  // the colliders look into the points
  TreeColliders(const TreeColliders&) = delete;
  TreeColliders& operator=(const TreeColliders&) = delete;

  std::span<const contact::Collider<T>> colliders() const { return colliders_; }
  std::span<const contact::ColliderPair> pairs() const { return pairs_; }

 private:
  std::vector<Vec3<T>> points_;
  std::vector<contact::Collider<T>> colliders_;
  std::vector<contact::ColliderPair> pairs_;
};

}  // namespace lockstep::host
