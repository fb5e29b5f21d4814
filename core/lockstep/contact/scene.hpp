// What bodies touch: tables of the caller's, as they were when they were handed over.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <span>

#include "lockstep/contact/detect.hpp"

namespace lockstep::contact {

template <class T, Ground<T> G = Plane<T>>
struct Scene {
  std::span<const Collider<T>> colliders = {};
  std::span<const ColliderPair> pairs = {};
  G ground = {};

  Status check(int bodies) const { return contact::check<T>(colliders, pairs, ground, bodies); }
};

}  // namespace lockstep::contact

#include "lockstep/restore_macros.hpp"
