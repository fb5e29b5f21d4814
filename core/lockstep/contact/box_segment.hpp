// Where a sphere or a capsule, by the segment in its middle, touches a box.
#pragma once

#include "lockstep/hide_macros.hpp"

#include "lockstep/contact/boxes.hpp"

namespace lockstep::contact {

namespace detail {

// The segment as the box sees it.
template <class T>
class SegmentOverBox {
 public:
  SegmentOverBox(const Segment<T>& segment, const OrientedBox<T>& box)
      : half_(segment.half), box_(box) {
    const Vec3<T> c = transpose_times(box.X.R, segment.centre - box.X.p);
    const Vec3<T> e = transpose_times(box.X.R, segment.axis);
    centre_ = {c.x, c.y, c.z}, along_ = {e.x, e.y, e.z};
  }

  // The way from the box to the point at s; components between the faces are zero.
  Vec3<T> outside(const T& s) const { return {outside(0, s), outside(1, s), outside(2, s)}; }

  // The squared distance of the box is convex along the segment, and its slope a broken line with a
  // corner wherever a face's plane is passed: between two of them its zero is found exactly.
  T nearest() const {
    T low = -half_, high = half_;
    for (int i = 0; i < 3; ++i) {
      for (const T& plane : {-box_.size(i), box_.size(i)}) {
        const T way = plane - centre_[at(i)];
        if (!(absolute(way) < absolute(along_[at(i)]) * half_)) continue;
        const T s = way / along_[at(i)];
        if (s > low && s < high) (slope(s) < T(0) ? low : high) = s;
      }
    }
    const T first = slope(low), last = slope(high);
    if (first >= T(0)) return low;
    if (last <= T(0)) return high;
    return low - first * (high - low) / (last - first);
  }

  struct Face {
    int axis;
    T side;  // 1 or -1
  };
  // The face above which the point at s is, or if it is inside, the one that most of the segment
  // is nearest to.
  Face face(const T& s) const {
    Face best = {};
    T most(0);
    for (int i = 0; i < 3; ++i) {
      const T inside = absolute(centre_[at(i)]) - absolute(along_[at(i)]) * half_ - box_.size(i);
      const bool above = outside(i, s) != T(0);
      if (i == 0 || above || inside > most) best.axis = i, most = inside;
      if (above) break;
    }
    best.side = centre_[at(best.axis)] < T(0) ? T(-1) : T(1);
    return best;
  }
  T height(const Face& face, const T& s) const {
    return face.side * position(face.axis, s) - box_.size(face.axis);
  }

  // The part of the segment above a face; s is in it.
  struct Part {
    T from, to;
  };
  Part above(const Face& face, const T& s) const {
    Part part = {-half_, half_};
    for (int i = 0; i < 3; ++i) {
      if (i == face.axis || along_[at(i)] == T(0)) continue;
      const T one = (-box_.size(i) - centre_[at(i)]) / along_[at(i)];
      const T two = (box_.size(i) - centre_[at(i)]) / along_[at(i)];
      const T first = one < two ? one : two, last = one < two ? two : one;
      if (first > part.from) part.from = first;
      if (last < part.to) part.to = last;
    }
    return {part.from < s ? part.from : s, part.to > s ? part.to : s};
  }

 private:
  T position(int i, const T& s) const { return centre_[at(i)] + s * along_[at(i)]; }
  T outside(int i, const T& s) const {
    const T x = position(i, s), half = box_.size(i);
    return x > half ? x - half : x < -half ? x + half : T(0);
  }
  T slope(const T& s) const {
    return outside(0, s) * along_[0] + outside(1, s) * along_[1] + outside(2, s) * along_[2];
  }

  std::array<T, 3> centre_, along_;
  T half_;
  const OrientedBox<T>& box_;
};

}  // namespace detail

// Up to a margin apart; two points where the segment is above a face. The normal leads out of the
// box.
template <class T>
Manifold<T, 2> meet(const Segment<T>& segment, const T& radius, const OrientedBox<T>& box,
                    const T& margin) {
  const detail::SegmentOverBox<T> over(segment, box);
  const T nearest = over.nearest();
  const Vec3<T> way = over.outside(nearest);
  const T length = sqrt(dot(way, way));
  Manifold<T, 2> result;
  const auto offer = [&](const T& s, const T& distance) {
    if (!(distance <= margin)) return;
    result.add(segment.at(s) - (radius + T(0.5) * distance) * result.normal, distance);
  };
  const int passed = (way.x != T(0)) + (way.y != T(0)) + (way.z != T(0));
  if (passed > 1 && length > T(kCoincident)) {  // before an edge or a corner
    result.normal = box.X.R * ((T(1) / length) * way);
    offer(nearest, length - radius);
    return result;
  }
  const auto face = over.face(nearest);
  const auto part = over.above(face, nearest);
  result.normal = face.side * box.axis(face.axis);
  offer(part.from, over.height(face, part.from) - radius);
  if (part.to > part.from) offer(part.to, over.height(face, part.to) - radius);
  return result;
}

}  // namespace lockstep::contact

#include "lockstep/restore_macros.hpp"
