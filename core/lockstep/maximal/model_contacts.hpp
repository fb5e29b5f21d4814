// Shapes, ground and bounds of an emitted mechanism in a solver's scalar, for Contacts:
//   Contacts<Mechanism, M::kMostContacts, M::kMostBounds> contacts;
//   contacts.assign(M::kColliders, M::kPairs, M::kGround, M::kBounds);
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/contact/model_colliders.hpp"
#include "lockstep/maximal/joint_bounds.hpp"

namespace lockstep::maximal {

// A plane; everything below is inside.
struct GroundRecord {
  std::array<double, 3> normal = {0, 0, 1};
  double offset = 0;  // m
  double friction = 0, restitution = 0;
  constexpr bool operator==(const GroundRecord&) const = default;
};

// m: a mechanism without ground has one so deep that nothing gets there.
inline constexpr GroundRecord kNoGround = {.offset = -1e12};

template <class T>
constexpr contact::Plane<T> to_ground(const GroundRecord& record) {
  return {contact::to_point<T>(record.normal),
          static_cast<T>(record.offset),
          {static_cast<T>(record.friction), static_cast<T>(record.restitution)}};
}

template <class Model, class T>
struct ModelContacts {
  static constexpr std::array<contact::Collider<T>, Model::kColliders.size()> kColliders = [] {
    std::array<contact::Collider<T>, Model::kColliders.size()> colliders{};
    for (std::size_t i = 0; i < colliders.size(); ++i) {
      colliders[i] = contact::to_collider<T>(Model::kColliders[i], {});
    }
    return colliders;
  }();
  static constexpr const auto& kPairs = Model::kColliderPairs;
  static constexpr contact::Plane<T> kGround = to_ground<T>(Model::kGround);
  static constexpr std::array<JointBound<T>, Model::kJointBounds.size()> kBounds = [] {
    std::array<JointBound<T>, Model::kJointBounds.size()> bounds{};
    for (std::size_t i = 0; i < bounds.size(); ++i) {
      bounds[i] = to_joint_bound<T>(Model::kJointBounds[i]);
    }
    return bounds;
  }();
  static constexpr int kMostContacts =
      contact::most_contacts(Model::kColliders, Model::kColliderPairs);
  static constexpr int kMostBounds = static_cast<int>(kBounds.size());
};

}  // namespace lockstep::maximal

#include "lockstep/restore_macros.hpp"
