// The constraint types that files may name: those of mechanisms, and loops of robots. Places in the
// list are part of a model's hash: append, never reorder.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/constraint/coordinate.hpp"
#include "lockstep/constraint/distance.hpp"
#include "lockstep/constraint/gear.hpp"
#include "lockstep/constraint/joints.hpp"
#include "lockstep/constraint/prescribed.hpp"
#include "lockstep/constraint/rolling.hpp"
#include "lockstep/constraint/surface.hpp"
#include "lockstep/constraint/tangency.hpp"

namespace lockstep::constraint {

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
  kStrut,  // a distance that yields
};

// A type of its own: its name stays short wherever it goes.
template <class T>
struct StandardConstraints
    : TypeList<
          Between<Ball<T>>, Between<Revolute<T>>, Between<Prismatic<T>>, Between<Cylindrical<T>>,
          Between<Universal<T>>, Between<Planar<T>>, Between<Fixed<T>>, Between<PointOnLine<T>>,
          Between<PointOnPlane<T>>, Between<FlatSlider<T>>, Between<FlatFixed<T>>,
          Between<Distance<T>>, Between<PointOnSurface<T>>, Between<EllipsoidTangency<T>>,
          Between<Gear<T>>, Between<RollingBall<T>>, Between<RollingDisc<T>>,
          Between<Both<Revolute<T>, FollowAngle<T, Swing<T>>>>,
          Between<Both<Prismatic<T>, Follow<PointOnPlane<T>, Swing<T>>>>,
          Between<Both<FlatPin<T>, FollowAngle<T, Swing<T>>>>, Between<FollowDistance<T, Swing<T>>>,
          Between<FollowAngle<T, Swing<T>>>, Between<SameOrientation<T>>, Between<ParallelAxes<T>>,
          Between<SquareAxes<T>>, Between<AngleTerm<T>>, Between<WayTerm<T>>,
          Between<Strut<T>>> {};

}  // namespace lockstep::constraint

#include "lockstep/restore_macros.hpp"
