// The joints of robots between frames A and B. Where a joint has an axis or a normal, it is z. Six
// are basic (Bender 2007, section 3): Ball, PointOnLine and PointOnPlane hold three, two and one
// coordinates of a point, SameOrientation, ParallelAxes and SquareAxes three, two and one turns;
// all others combine one of each. Rows that keep axes square also hold with an axis reversed:
// assemble near the intended side.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/constraint/axis_rows.hpp"

namespace lockstep::constraint {

template <class T>
using Ball = AxisJoint<T, along(0), along(1), along(2)>;

// B turns about the z that both frames share.
template <class T>
using Revolute =
    AxisJoint<T, along(0), along(1), along(2), perpendicular(0, 2), perpendicular(1, 2)>;

// B slides along the z that both share, without turning.
template <class T>
using Prismatic =
    AxisJoint<T, along(0), along(1), perpendicular(0, 1), perpendicular(1, 2), perpendicular(2, 0)>;

template <class T>
using Cylindrical = AxisJoint<T, along(0), along(1), perpendicular(0, 2), perpendicular(1, 2)>;

// A cross whose arms are z of A and x of B.
template <class T>
using Universal = AxisJoint<T, along(0), along(1), along(2), perpendicular(2, 0)>;

// B's xy plane slides on A's.
template <class T>
using Planar = AxisJoint<T, along(2), perpendicular(0, 2), perpendicular(1, 2)>;

template <class T>
using Fixed = AxisJoint<T, along(0), along(1), along(2), perpendicular(0, 1), perpendicular(1, 2),
                        perpendicular(2, 0)>;

// B's origin on A's z axis, and in A's xy plane.
template <class T>
using PointOnLine = AxisJoint<T, along(0), along(1)>;
template <class T>
using PointOnPlane = AxisJoint<T, along(2)>;

// Turns alone: none is left, those about the common z, those about A's z and B's x.
template <class T>
using SameOrientation = AxisJoint<T, perpendicular(0, 1), perpendicular(1, 2), perpendicular(2, 0)>;
template <class T>
using ParallelAxes = AxisJoint<T, perpendicular(0, 2), perpendicular(1, 2)>;
template <class T>
using SquareAxes = AxisJoint<T, perpendicular(2, 0)>;

// The joints of bodies in the plane, without the rows that a planar body keeps by itself. A slider
// moves along x.
template <class T>
using FlatPin = PointOnLine<T>;
template <class T>
using FlatSlider = AxisJoint<T, along(1), perpendicular(0, 1)>;
template <class T>
using FlatFixed = AxisJoint<T, along(0), along(1), perpendicular(0, 1)>;

}  // namespace lockstep::constraint

#include "lockstep/restore_macros.hpp"
