// What bodies touch: tables of the caller's.
#pragma once

#include <span>

#include "lockstep/contact/detect.hpp"

namespace lockstep::contact {

template <class T, Ground<T> G = Plane<T>>
struct Scene {
  std::span<const Collider<T>> colliders = {};
  std::span<const ColliderPair> pairs = {};
  G ground = {};
};

}  // namespace lockstep::contact
