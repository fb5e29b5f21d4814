// The body and constraint types that mechanism files may name. An own list of types goes wherever
// StandardTypes goes: repeat what is needed and add to it, or leave out what is not, which makes a
// table's code smaller. Places in the lists are part of a model's hash: append, never reorder.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <cstdint>

#include "lockstep/constraint/catalogue.hpp"
#include "lockstep/maximal/particle.hpp"
#include "lockstep/maximal/planar_body.hpp"
#include "lockstep/maximal/records.hpp"
#include "lockstep/maximal/rigid_body.hpp"
#include "lockstep/maximal/scaling_body.hpp"
#include "lockstep/maximal/stretching_body.hpp"

namespace lockstep::maximal {

enum class BodyType : int { kParticle, kPlanar, kRigid, kScaling, kStretching };

template <class T>
struct StandardTypes {
  using Scalar = T;
  using Bodies =
      TypeList<Particle<T>, PlanarBody<T>, RigidBody<T>, ScalingBody<T>, StretchingBody<T>>;
  using Constraints = StandardConstraints<T>;
};

}  // namespace lockstep::maximal

#include "lockstep/restore_macros.hpp"
