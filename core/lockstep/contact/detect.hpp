// Where shapes touch the ground and each other. Contacts are found up to a margin ahead, so that a
// step can stop a body at the surface instead of behind it. Time: the colliders' points and the
// pairs, whatever the poses are.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
#include <span>

#include "lockstep/contact/box_segment.hpp"
#include "lockstep/contact/contact_list.hpp"

namespace lockstep::contact {

// A shape fixed to a body, or to the world.
template <class T>
struct Collider {
  int body = kWorld;
  Placement<T> X_BS;
  Shape<T> shape;
  Material<T> material = {};

  constexpr Status check() const {
    if (!is_placement(X_BS)) return Status::kBadConstraint;
    const Status status = shape.check();
    return status == Status::kOk ? material.check() : status;
  }
};

namespace detail {

template <class T>
constexpr bool is_finite_placement(const Placement<T>& X) {
  return is_finite3(X.p) && is_finite3(X.R.x) && is_finite3(X.R.y) && is_finite3(X.R.z);
}

template <class T>
Placement<T> place(const Collider<T>& collider, std::span<const Placement<T>> X_WB) {
  if (collider.body == kWorld) return collider.X_BS;
  return X_WB[static_cast<std::size_t>(collider.body)] * collider.X_BS;
}

// The same of a sphere or a capsule, which knows no directions but its axis.
template <class T>
Placement<T> place_round(const Collider<T>& collider, const Placement<T>& X_WB) {
  const bool long_one = collider.shape.type == ShapeType::kCapsule;
  return {{{}, {}, long_one ? X_WB.R * collider.X_BS.R.z : Vec3<T>{}},
          X_WB.p + X_WB.R * collider.X_BS.p};
}

template <class T>
struct Ball {
  Vec3<T> centre;
  T radius;
};

template <class T>
Ball<T> ball_around(const Collider<T>& own, std::span<const Placement<T>> X_WB) {
  const T radius = own.shape.radius + (own.shape.half.x + own.shape.half.y + own.shape.half.z);
  if (own.body == kWorld) return {own.X_BS.p, radius};
  const Placement<T>& X = X_WB[static_cast<std::size_t>(own.body)];
  return {X.p + X.R * own.X_BS.p, radius};
}

// Whether balls around two shapes are farther apart than the margin: most pairs are, and cost no
// more than that.
template <class T>
bool are_far(const Ball<T>& a, const Ball<T>& b, const T& margin) {
  const Vec3<T> d = a.centre - b.centre;
  const T reach = a.radius + b.radius + margin;
  return dot(d, d) > T(1.01) * (reach * reach);
}

// A box at rest has four points, a cylinder that lies two and one that stands four, a capsule one
// or two.
template <class T, Ground<T> G, int kCapacity>
void touch_ground(const Collider<T>& collider, const Placement<T>& X_WS, const G& ground,
                  const T& margin, ContactList<T, kCapacity>& list) {
  const auto offer = [&](const Vec3<T>& core, const T& radius, const T& rolling) {
    const std::optional<Surface<T>> surface = ground.under(core);
    if (!surface) return;
    const T distance = surface->distance - radius;
    if (!(distance <= margin)) return;
    list.add({.a = collider.body,
              .point = core - (radius + T(0.5) * distance) * surface->normal,
              .normal = surface->normal,
              .distance = distance,
              .rolling_a = rolling,
              .material = between(collider.material, Material<T>(ground.material))});
  };
  const Shape<T>& shape = collider.shape;
  if (shape.type == ShapeType::kCylinder) {
    const std::optional<Surface<T>> below = ground.under(X_WS.p);
    const Vec3<T> up = below ? below->normal : Vec3<T>{T(0), T(0), T(1)};
    for_rim_points(shape, X_WS, up,
                   [&](const Vec3<T>& point, const T& rolling) { offer(point, T(0), rolling); });
  } else {
    for_corners(shape, X_WS,
                [&](const Vec3<T>& corner) { offer(corner, shape.radius, shape.radius); });
  }
}

template <class T>
Segment<T> middle(const Shape<T>& shape, const Placement<T>& X) {
  return {X.p, X.R.z, shape.half.z};
}

// Spheres and capsules: the nearest points of their axes, two where the axes run side by side.
template <class T, int kCapacity>
void touch_round(const Collider<T>& a, const Placement<T>& X_WA, const Collider<T>& b,
                 const Placement<T>& X_WB, const T& margin, ContactList<T, kCapacity>& list) {
  const Segment<T> A = middle(a.shape, X_WA), B = middle(b.shape, X_WB);
  const NearPoints<T> near = near_points(A, B);
  for (int i = 0; i < near.count; ++i) {
    const auto [on_A, on_B] = near.pairs[static_cast<std::size_t>(i)];
    const Vec3<T> d = on_A - on_B;
    const T length = sqrt(dot(d, d));
    const T distance = length - (a.shape.radius + b.shape.radius);
    if (!(distance <= margin)) continue;
    const Vec3<T> normal = length > T(kCoincident) ? (T(1) / length) * d : across_both(A, B);
    list.add({.a = a.body,
              .b = b.body,
              .point = on_A - (a.shape.radius + T(0.5) * distance) * normal,
              .normal = normal,
              .distance = distance,
              .rolling_a = a.shape.radius,
              .rolling_b = b.shape.radius,
              .material = between(a.material, b.material)});
  }
}

template <class T, int kMost, int kCapacity>
void add_all(const Manifold<T, kMost>& manifold, const Collider<T>& a, const Collider<T>& b,
             ContactList<T, kCapacity>& list) {
  for (int i = 0; i < manifold.count; ++i) {
    const auto& [point, distance] = manifold.points[static_cast<std::size_t>(i)];
    list.add({.a = a.body,
              .b = b.body,
              .point = point,
              .normal = manifold.normal,
              .distance = distance,
              .rolling_a = a.shape.radius,
              .rolling_b = b.shape.radius,
              .material = between(a.material, b.material)});
  }
}

template <class T, int kCapacity>
void touch_pair(const Collider<T>& a, const Placement<T>& X_WA, const Collider<T>& b,
                const Placement<T>& X_WB, const T& margin, ContactList<T, kCapacity>& list) {
  const OrientedBox<T> A = {X_WA, a.shape.half}, B = {X_WB, b.shape.half};
  if (a.shape.is_round() && b.shape.is_round()) {
    touch_round(a, X_WA, b, X_WB, margin, list);
  } else if (a.shape.is_round()) {
    add_all(meet(middle(a.shape, X_WA), a.shape.radius, B, margin), a, b, list);
  } else if (b.shape.is_round()) {
    add_all(meet(middle(b.shape, X_WB), b.shape.radius, A, margin), b, a, list);
  } else {
    add_all(meet(A, B, margin), a, b, list);
  }
}

}  // namespace detail

// Whether the tables have a meaning: once for a model, not once a tick.
template <class T, Ground<T> G>
Status check(std::span<const Collider<T>> colliders, std::span<const ColliderPair> pairs,
             const G& ground, int bodies) {
  for (const Collider<T>& collider : colliders) {
    if (collider.body < kWorld || collider.body >= bodies) return Status::kBadFrame;
    if (const Status status = collider.check(); status != Status::kOk) return status;
  }
  const int count = static_cast<int>(colliders.size());
  for (const ColliderPair& pair : pairs) {
    if (pair.a < 0 || pair.b < 0 || pair.a >= count || pair.b >= count) {
      return Status::kBadConstraint;
    }
    const Collider<T>& a = colliders[static_cast<std::size_t>(pair.a)];
    const Collider<T>& b = colliders[static_cast<std::size_t>(pair.b)];
    const bool meet = a.body != b.body && a.shape.meets_others() && b.shape.meets_others();
    if (!meet) return Status::kBadConstraint;
  }
  return ground.check();
}

inline constexpr std::size_t kBalls = 32;

// Fills the list anew: colliders against the ground, then the pairs, each in their order. The
// tables have passed check() for as many bodies as there are poses.
template <class T, Ground<T> G, int kCapacity>
Status detect(std::span<const Collider<T>> colliders, std::span<const ColliderPair> pairs,
              std::span<const Placement<T>> X_WB, const G& ground, const T& margin,
              ContactList<T, kCapacity>& list) {
  bool finite = is_finite(margin);
  for (const Placement<T>& X : X_WB) finite &= detail::is_finite_placement(X);
  if (!finite) return Status::kNotFinite;
  list.clear();
  for (const Collider<T>& collider : colliders) {
    if (collider.body == kWorld) continue;
    const Placement<T> X_WS =
        collider.shape.is_round()
            ? detail::place_round(collider, X_WB[static_cast<std::size_t>(collider.body)])
            : detail::place(collider, X_WB);
    detail::touch_ground(collider, X_WS, ground, margin, list);
  }
  if (pairs.empty()) return Status::kOk;
  // a shape stands in many pairs: the balls that have room are made once
  std::array<detail::Ball<T>, kBalls> balls;
  for (std::size_t i = 0; i < colliders.size() && i < kBalls; ++i) {
    balls[i] = detail::ball_around(colliders[i], X_WB);
  }
  const auto ball = [&](int i) {
    const auto own = static_cast<std::size_t>(i);
    return own < kBalls ? balls[own] : detail::ball_around(colliders[own], X_WB);
  };
  for (const ColliderPair& pair : pairs) {
    if (detail::are_far(ball(pair.a), ball(pair.b), margin)) continue;
    const Collider<T>& a = colliders[static_cast<std::size_t>(pair.a)];
    const Collider<T>& b = colliders[static_cast<std::size_t>(pair.b)];
    detail::touch_pair(a, detail::place(a, X_WB), b, detail::place(b, X_WB), margin, list);
  }
  return Status::kOk;
}

}  // namespace lockstep::contact

#include "lockstep/restore_macros.hpp"
