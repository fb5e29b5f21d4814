// Where two boxes touch. Of the fifteen axes that may separate them (Gottschalk, Lin and Manocha
// 1996) the one along which they are farthest apart, or overlap least, is the normal. If it is a
// face's, the other box's face, clipped by the sides of the first, gives up to eight points, of
// which four stay; if it is two edges', they give one. World axes. The time is bounded, whatever
// the poses are.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <array>
#include <cstddef>

#include "lockstep/contact/segments.hpp"

namespace lockstep::contact {

// Points that share a normal, which leads out of the second shape into the first.
template <class T, int kMost>
struct Manifold {
  struct Point {
    Vec3<T> p;   // halfway between the surfaces
    T distance;  // m, negative where they overlap
  };
  Vec3<T> normal = {};
  int count = 0;
  std::array<Point, static_cast<std::size_t>(kMost)> points = {};

  constexpr void add(const Vec3<T>& p, const T& distance) {
    points[static_cast<std::size_t>(count++)] = {p, distance};
  }
};

template <class T>
struct OrientedBox {
  Placement<T> X;
  Vec3<T> half;

  constexpr const Vec3<T>& axis(int i) const { return i == 0 ? X.R.x : i == 1 ? X.R.y : X.R.z; }
  constexpr T size(int i) const { return i == 0 ? half.x : i == 1 ? half.y : half.z; }
};

// Of the size of the smaller box: an axis must be better by this much than one before it. Faces
// come before edges, A's before B's: what rests on a face stays there, whatever the last bits say.
inline constexpr double kSameAxis = 1e-2;

// Of the size of the face: a point must be better by this much than one before it.
inline constexpr double kSamePoint = 1e-3;

namespace detail {

template <class T>
constexpr T absolute(const T& x) {
  return x < T(0) ? -x : x;
}
template <class T>
constexpr T smallest(const Vec3<T>& a) {
  const T xy = a.x < a.y ? a.x : a.y;
  return xy < a.z ? xy : a.z;
}

// The axis along which two boxes are farthest apart.
template <class T>
struct SeparatingAxis {
  enum class From { kFaceA, kFaceB, kEdges };
  From from = From::kFaceA;
  int a = 0, b = 0;     // the axes of A and B that make it
  Vec3<T> normal = {};  // out of B into A
  T separation = {};

  SeparatingAxis(const OrientedBox<T>& A, const OrientedBox<T>& B) {
    const Vec3<T> d = A.X.p - B.X.p;
    const T small_A = smallest(A.half), small_B = smallest(B.half);
    const T better = T(kSameAxis) * (small_A < small_B ? small_A : small_B);
    bool first = true;
    const auto offer = [&](From kind, int i, int j, const Vec3<T>& n) {
      const T along = dot(n, d);
      const T own = absolute(along) - reach(A, n) - reach(B, n);
      if (!first && !(own > separation + better)) return;
      first = false;
      from = kind, a = i, b = j, separation = own;
      normal = along < T(0) ? -n : n;
    };
    for (int i = 0; i < 3; ++i) offer(From::kFaceA, i, 0, A.axis(i));
    for (int j = 0; j < 3; ++j) offer(From::kFaceB, 0, j, B.axis(j));
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        const Vec3<T> n = cross(A.axis(i), B.axis(j));
        const T square = dot(n, n);
        if (!(square > T(kParallel))) continue;  // a face's normal says the same
        offer(From::kEdges, i, j, (T(1) / sqrt(square)) * n);
      }
    }
  }

  // How far a box reaches from its centre.
  static T reach(const OrientedBox<T>& box, const Vec3<T>& n) {
    T sum(0);
    for (int i = 0; i < 3; ++i) sum = sum + box.size(i) * absolute(dot(n, box.axis(i)));
    return sum;
  }
};

// The edge along axis i that lies farthest in a direction.
template <class T>
Segment<T> farthest_edge(const OrientedBox<T>& box, int i, const Vec3<T>& direction) {
  Vec3<T> centre = box.X.p;
  for (int k = 0; k < 3; ++k) {
    if (k == i) continue;
    const T side = dot(direction, box.axis(k)) < T(0) ? -box.size(k) : box.size(k);
    centre = centre + side * box.axis(k);
  }
  return {centre, box.axis(i), box.size(i)};
}

// A convex polygon: four corners, and one more for every side that cuts it.
template <class T>
struct Polygon {
  int count = 0;
  std::array<Vec3<T>, 8> corners = {};

  void add(const Vec3<T>& corner) {
    if (count < 8) corners[static_cast<std::size_t>(count++)] = corner;
  }
  // What is left of it where n . (p - origin) <= most. Corners on the line are inside.
  Polygon clip(const Vec3<T>& n, const Vec3<T>& origin, const T& most) const {
    const T on_line = T(1e-6) * most;
    Polygon left;
    for (int i = 0; i < count; ++i) {
      const Vec3<T>& p = corners[static_cast<std::size_t>(i)];
      const Vec3<T>& q = corners[static_cast<std::size_t>(i + 1 < count ? i + 1 : 0)];
      const T out_p = dot(n, p - origin) - most, out_q = dot(n, q - origin) - most;
      if (out_p <= on_line) left.add(p);
      const bool crosses =
          (out_p > on_line && out_q < -on_line) || (out_q > on_line && out_p < -on_line);
      if (crosses) left.add(p + (out_p / (out_p - out_q)) * (q - p));
    }
    return left;
  }
};

// The face of the box that looks most against a direction, corners in a row around it.
template <class T>
Polygon<T> face_against(const OrientedBox<T>& box, const Vec3<T>& direction) {
  int i = 0;
  T most(-1);
  for (int k = 0; k < 3; ++k) {
    const T along = absolute(dot(direction, box.axis(k)));
    if (along > most) most = along, i = k;
  }
  const T side = dot(direction, box.axis(i)) > T(0) ? -box.size(i) : box.size(i);
  const Vec3<T> centre = box.X.p + side * box.axis(i);
  const int j = (i + 1) % 3, k = (i + 2) % 3;
  const Vec3<T> u = box.size(j) * box.axis(j), v = box.size(k) * box.axis(k);
  Polygon<T> face;
  for (const Vec3<T>& corner : {centre + u + v, centre - u + v, centre - u - v, centre + u - v}) {
    face.add(corner);
  }
  return face;
}

// Four of up to eight points: the deepest, the one farthest from it, and those farthest to both
// sides of the line between them. Who comes first wins unless another is clearly better, so that
// the choice does not flicker. They stay in their order around the face.
template <class T>
Manifold<T, 4> keep_four(const Manifold<T, 8>& all, const T& size) {
  Manifold<T, 4> four = {.normal = all.normal};
  std::array<bool, 8> kept = {};
  if (all.count <= 4) {
    kept.fill(true);
  } else {
    const auto best = [&](const auto& value, const T& better) {
      int chosen = 0;
      for (int i = 1; i < all.count; ++i) {
        if (value(i) > value(chosen) + better) chosen = i;
      }
      kept[static_cast<std::size_t>(chosen)] = true;
      return all.points[static_cast<std::size_t>(chosen)].p;
    };
    const auto point = [&](int i) { return all.points[static_cast<std::size_t>(i)]; };
    const T tie = T(kSamePoint) * size;
    const Vec3<T> p = best([&](int i) { return -point(i).distance; }, tie);
    const Vec3<T> q = best([&](int i) { return dot(point(i).p - p, point(i).p - p); }, tie * size);
    const Vec3<T> aside = cross(all.normal, q - p);
    best([&](int i) { return dot(aside, point(i).p - p); }, tie * size);
    best([&](int i) { return -dot(aside, point(i).p - p); }, tie * size);
  }
  for (int i = 0; i < all.count; ++i) {
    const auto& point = all.points[static_cast<std::size_t>(i)];
    if (kept[static_cast<std::size_t>(i)]) four.add(point.p, point.distance);
  }
  return four;
}

// The face of `reference` whose normal `out` leads towards the other box.
template <class T>
Manifold<T, 8> on_face(const OrientedBox<T>& reference, int axis, const Vec3<T>& out,
                       const OrientedBox<T>& other, const T& margin) {
  Polygon<T> face = face_against(other, out);
  for (int k = 0; k < 3; ++k) {
    if (k == axis) continue;
    face = face.clip(reference.axis(k), reference.X.p, reference.size(k));
    face = face.clip(-reference.axis(k), reference.X.p, reference.size(k));
  }
  Manifold<T, 8> points = {.normal = out};
  for (int i = 0; i < face.count; ++i) {
    const Vec3<T>& p = face.corners[static_cast<std::size_t>(i)];
    const T distance = dot(out, p - reference.X.p) - reference.size(axis);
    if (distance <= margin) points.add(p - (T(0.5) * distance) * out, distance);
  }
  return points;
}

}  // namespace detail

// Two boxes, up to a margin apart.
template <class T>
Manifold<T, 4> meet(const OrientedBox<T>& A, const OrientedBox<T>& B, const T& margin) {
  using From = typename detail::SeparatingAxis<T>::From;
  const detail::SeparatingAxis<T> best(A, B);
  Manifold<T, 4> result = {.normal = best.normal};
  if (!(best.separation <= margin)) return result;
  if (best.from == From::kEdges) {
    const Segment<T> edge_A = detail::farthest_edge(A, best.a, -best.normal);
    const Segment<T> edge_B = detail::farthest_edge(B, best.b, best.normal);
    const auto [on_A, on_B] = near_points(edge_A, edge_B).pairs[0];
    result.add(T(0.5) * (on_A + on_B), best.separation);
    return result;
  }
  const bool on_A = best.from == From::kFaceA;
  const Vec3<T> out = on_A ? -best.normal : best.normal;
  const auto all = on_A ? detail::on_face(A, best.a, out, B, margin)
                        : detail::on_face(B, best.b, out, A, margin);
  const Vec3<T>& half = on_A ? A.half : B.half;
  result = detail::keep_four(all, detail::smallest(half));
  result.normal = best.normal;
  return result;
}

}  // namespace lockstep::contact

#include "lockstep/restore_macros.hpp"
