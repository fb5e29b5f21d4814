// Shapes that touch: a core of corners, and a radius around it. A sphere has one corner, a capsule
// two, a box eight, a set of points those given; their rounded hull is the shape. A cylinder has
// rims instead, of which the points depend on where down is. Lengths in m, axes along z.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <cstddef>
#include <span>

#include "lockstep/constraint/constraint.hpp"
#include "lockstep/contact/records.hpp"
#include "lockstep/status.hpp"

namespace lockstep::contact {

// A size may be zero: a sphere without radius is a point, a box without height a plate.
template <class T>
struct Shape {
  ShapeType type = ShapeType::kSphere;
  Vec3<T> half = {};  // from the centre to a corner of the core, or to a cylinder's caps (z)
  T radius = T(0);
  std::span<const Vec3<T>> points = {};  // the caller's; they outlive the shape

  constexpr Status check() const {
    bool good = static_cast<int>(type) < kShapeTypes && radius >= T(0) && is_finite(radius);
    for (const T& size : {half.x, half.y, half.z}) good = good && size >= T(0) && is_finite(size);
    good = good && points.empty() == (type != ShapeType::kPoints);
    for (const Vec3<T>& point : points) good = good && is_finite3(point);
    return good ? Status::kOk : Status::kBadConstraint;
  }
  constexpr bool is_round() const { return contact::is_round(type); }
  constexpr bool meets_others() const { return contact::meets_others(type); }
};

template <class T>
constexpr Shape<T> sphere(const T& radius) {
  return {.type = ShapeType::kSphere, .radius = radius};
}
// `half_length` reaches to the centres of the round ends.
template <class T>
constexpr Shape<T> capsule(const T& radius, const T& half_length) {
  return {.type = ShapeType::kCapsule, .half = {T(0), T(0), half_length}, .radius = radius};
}
template <class T>
constexpr Shape<T> box(const Vec3<T>& half) {
  return {.type = ShapeType::kBox, .half = half};
}
template <class T>
constexpr Shape<T> cylinder(const T& radius, const T& half_length) {
  return {.type = ShapeType::kCylinder, .half = {T(0), T(0), half_length}, .radius = radius};
}
template <class T>
constexpr Shape<T> point_set(std::span<const Vec3<T>> points, const T& radius = T(0)) {
  return {.type = ShapeType::kPoints, .radius = radius, .points = points};
}

// Any unit vector across a unit vector: along x where that is not too close, else along y. It does
// not jump while the vector stays near the vertical, as the normal of a floor does.
template <class T>
Vec3<T> across(const Vec3<T>& n) {
  const T o(0), one(1);
  const bool along_x = n.x < T(0.8) && n.x > T(-0.8);
  const Vec3<T> axis = along_x ? Vec3<T>{one, o, o} : Vec3<T>{o, one, o};
  const Vec3<T> t = axis - dot(axis, n) * n;
  return (one / sqrt(dot(t, t))) * t;
}

// Below this sine of its tilt a cylinder stands: which point of the rim is lowest is then rounding,
// and points fixed to the body bear it. They miss the lowest by 1e-4 of the radius at most.
inline constexpr double kUpright = 1e-4;

// Calls f(point, rolling) for eight points of the rims in the world: on each, the lowest along `up`
// and three more at right angles. `rolling` is the radius at which the point runs around the rim.
template <class T, class F>
void for_rim_points(const Shape<T>& cylinder, const Placement<T>& X_WS, const Vec3<T>& up, F&& f) {
  const Vec3<T>& axis = X_WS.R.z;
  const Vec3<T> slope = dot(up, axis) * axis - up;
  const T tilt = sqrt(dot(slope, slope));
  const bool stands = !(tilt > T(kUpright));
  const Vec3<T> low = cylinder.radius * (stands ? X_WS.R.x : (T(1) / tilt) * slope);
  const Vec3<T> aside = cross(axis, low);
  const T rolling = stands ? T(0) : cylinder.radius * tilt;
  for (const T& cap : {-cylinder.half.z, cylinder.half.z}) {
    const Vec3<T> centre = X_WS.p + cap * axis;
    for (const Vec3<T>& out : {low, -low, aside, -aside}) f(centre + out, rolling);
  }
}

// Calls f(corner) for the corners of every other shape, in the world.
template <class T, class F>
void for_corners(const Shape<T>& shape, const Placement<T>& X_WS, F&& f) {
  const auto place = [&](const Vec3<T>& p) { f(X_WS.p + X_WS.R * p); };
  const Vec3<T>& h = shape.half;
  switch (shape.type) {
    case ShapeType::kSphere: return f(X_WS.p);
    case ShapeType::kCapsule: {
      const Vec3<T> end = h.z * X_WS.R.z;
      f(X_WS.p - end), f(X_WS.p + end);
      return;
    }
    case ShapeType::kBox:
      for (const T& z : {-h.z, h.z}) {
        for (const T& y : {-h.y, h.y}) {
          for (const T& x : {-h.x, h.x}) place({x, y, z});
        }
      }
      return;
    case ShapeType::kPoints:
      for (const Vec3<T>& point : shape.points) place(point);
      return;
    case ShapeType::kCylinder: return;
  }
}

}  // namespace lockstep::contact

#include "lockstep/restore_macros.hpp"
