// The body and constraint types that mechanism files may name. An own list of types goes wherever
// StandardTypes goes: repeat what is needed and add to it, or leave out what is not, which makes a
// table's code smaller. Places in the lists are part of a model's hash: append, never reorder.
#pragma once

#include <cstdint>

#include "lockstep/maximal/constraints/coordinate.hpp"
#include "lockstep/maximal/constraints/distance.hpp"
#include "lockstep/maximal/constraints/gear.hpp"
#include "lockstep/maximal/constraints/joints.hpp"
#include "lockstep/maximal/constraints/prescribed.hpp"
#include "lockstep/maximal/constraints/rolling.hpp"
#include "lockstep/maximal/constraints/surface.hpp"
#include "lockstep/maximal/constraints/tangency.hpp"
#include "lockstep/maximal/particle.hpp"
#include "lockstep/maximal/planar_body.hpp"
#include "lockstep/maximal/records.hpp"
#include "lockstep/maximal/rigid_body.hpp"
#include "lockstep/maximal/scaling_body.hpp"
#include "lockstep/maximal/stretching_body.hpp"

namespace lockstep::maximal {

enum class BodyType : int { kParticle, kPlanar, kRigid, kScaling, kStretching };

enum class ConstraintType : int {
  kBall,
  kRevolute,
  kPrismatic,
  kCylindrical,
  kUniversal,
  kPlanar,
  kFixed,
  kPointOnLine,  // also the pin of planar bodies
  kPointOnPlane,
  kFlatSlider,  // of planar bodies, along x
  kFlatFixed,
  kDistance,
  kPointOnSurface,
  kEllipsoidTangency,
  kGear,
  kRollingBall,
  kRollingDisc,
  kDrivenRevolute,  // a joint whose motion is prescribed
  kDrivenPrismatic,
  kDrivenPin,  // of planar bodies
  kDrivenDistance,
  kDrivenAngle,  // the angle alone
  kSameOrientation,
  kParallelAxes,
  kSquareAxes,
  kAngleTerm,  // of a coupling
  kWayTerm,
};

template <class T>
struct StandardTypes {
  using Scalar = T;
  using Bodies =
      TypeList<Particle<T>, PlanarBody<T>, RigidBody<T>, ScalingBody<T>, StretchingBody<T>>;
  using Constraints = TypeList<
      Between<Ball<T>>, Between<Revolute<T>>, Between<Prismatic<T>>, Between<Cylindrical<T>>,
      Between<Universal<T>>, Between<Planar<T>>, Between<Fixed<T>>, Between<PointOnLine<T>>,
      Between<PointOnPlane<T>>, Between<FlatSlider<T>>, Between<FlatFixed<T>>, Between<Distance<T>>,
      Between<PointOnSurface<T>>, Between<EllipsoidTangency<T>>, Between<Gear<T>>,
      Between<RollingBall<T>>, Between<RollingDisc<T>>,
      Between<Both<Revolute<T>, FollowAngle<T, Swing<T>>>>,
      Between<Both<Prismatic<T>, Follow<PointOnPlane<T>, Swing<T>>>>,
      Between<Both<FlatPin<T>, FollowAngle<T, Swing<T>>>>, Between<FollowDistance<T, Swing<T>>>,
      Between<FollowAngle<T, Swing<T>>>, Between<SameOrientation<T>>, Between<ParallelAxes<T>>,
      Between<SquareAxes<T>>, Between<AngleTerm<T>>, Between<WayTerm<T>>>;
};

}  // namespace lockstep::maximal
