// The colliders and pairs of a model in a solver's scalar, for detect() and check().
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
#include <span>

#include "lockstep/contact/detect.hpp"
#include "lockstep/contact/records.hpp"

namespace lockstep::contact {

template <class T>
constexpr Vec3<T> to_point(const std::array<double, 3>& p) {
  return {static_cast<T>(p[0]), static_cast<T>(p[1]), static_cast<T>(p[2])};
}

// `points` are those of the whole model; they outlive the collider.
template <class T>
constexpr Collider<T> to_collider(const ColliderRecord& record, std::span<const Vec3<T>> points) {
  std::array<T, 9> R{};
  for (std::size_t i = 0; i < R.size(); ++i) R[i] = static_cast<T>(record.R_BS[i]);
  return {.body = record.body,
          .X_BS = {Mat3<T>::from_rows(R), to_point<T>(record.p_BS)},
          .shape = {.type = record.type,
                    .half = to_point<T>(record.half),
                    .radius = static_cast<T>(record.radius),
                    .points = points.subspan(static_cast<std::size_t>(record.first),
                                             static_cast<std::size_t>(record.count))},
          .material = {static_cast<T>(record.friction), static_cast<T>(record.restitution)}};
}

// Of an emitted model: numbers become the solver's while compiling. A model without shapes has
// none, and no pairs.
template <EmittedModel Model, class T>
class ModelColliders {
  static constexpr auto kRecords = [] {
    if constexpr (requires { Model::kColliders.size(); }) {
      return Model::kColliders;
    } else {
      return std::array<ColliderRecord, 0>{};
    }
  }();
  static constexpr auto kPoints = [] {
    if constexpr (requires { Model::kColliderPoints.size(); }) {
      std::array<Vec3<T>, Model::kColliderPoints.size()> points{};
      for (std::size_t i = 0; i < points.size(); ++i) {
        points[i] = to_point<T>(Model::kColliderPoints[i]);
      }
      return points;
    } else {
      return std::array<Vec3<T>, 0>{};
    }
  }();

 public:
  static constexpr auto kPairs = [] {
    if constexpr (requires { Model::kColliderPairs.size(); }) {
      return Model::kColliderPairs;
    } else {
      return std::array<ColliderPair, 0>{};
    }
  }();
  static constexpr auto kColliders = [] {
    std::array<Collider<T>, kRecords.size()> colliders{};
    for (std::size_t i = 0; i < colliders.size(); ++i) {
      colliders[i] = to_collider<T>(kRecords[i], kPoints);
    }
    return colliders;
  }();
  static constexpr int kMostContacts = most_contacts(kRecords, kPairs);

  static constexpr std::span<const Collider<T>> colliders() { return kColliders; }
  static constexpr std::span<const ColliderPair> pairs() { return kPairs; }
};

}  // namespace lockstep::contact

#include "lockstep/restore_macros.hpp"
