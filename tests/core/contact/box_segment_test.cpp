#include "lockstep/contact/box_segment.hpp"

#include <CppUTest/TestHarness.h>

#include <algorithm>
#include <cmath>
#include <random>

using namespace lockstep;
using namespace lockstep::contact;

namespace {

using Vec = Vec3<double>;

const OrientedBox<double> kBox = {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {}}, {0.5, 0.4, 0.3}};

double distance_of(const Vec& p) {
  const auto beyond = [](double x, double half) { return std::max(std::abs(x) - half, 0.0); };
  return std::hypot(beyond(p.x, 0.5), beyond(p.y, 0.4), beyond(p.z, 0.3));
}

}  // namespace

TEST_GROUP(BoxSegment){};

TEST(BoxSegment, SphereTouchesFaceEdgeAndCorner) {
  const double r = 0.1;
  const auto touch = [&](Vec p) { return meet(Segment<double>{p, {0, 0, 1}, 0}, r, kBox, 0.02); };
  const auto face = touch({0.2, -0.1, 0.39});
  LONGS_EQUAL(1, face.count);
  DOUBLES_EQUAL(-0.01, face.points[0].distance, 1e-12);
  DOUBLES_EQUAL(1, face.normal.z, 0);
  DOUBLES_EQUAL(0.295, face.points[0].p.z, 1e-12);
  const auto edge = touch({0.56, 0.48, 0.1});
  LONGS_EQUAL(1, edge.count);
  DOUBLES_EQUAL(0, edge.points[0].distance, 1e-12);
  DOUBLES_EQUAL(0.6, edge.normal.x, 1e-12);
  DOUBLES_EQUAL(0.8, edge.normal.y, 1e-12);
  const auto corner = touch({0.5 + 0.06, 0.4 + 0.06, 0.3 + 0.03});
  DOUBLES_EQUAL(-0.01, corner.points[0].distance, 1e-12);
  LONGS_EQUAL(0, touch({0.2, -0.1, 0.421}).count);
}

TEST(BoxSegment, SphereInsideLeavesByTheNearestFace) {
  const auto inside = meet(Segment<double>{{0.1, -0.35, 0.1}, {0, 0, 1}, 0}, 0.1, kBox, 0.0);
  LONGS_EQUAL(1, inside.count);
  DOUBLES_EQUAL(-1, inside.normal.y, 0);
  DOUBLES_EQUAL(-0.15, inside.points[0].distance, 1e-12);
}

// On an edge to a tenth of a micrometre the way out is rounding: a face's normal is taken.
TEST(BoxSegment, SphereOnAnEdgeLeavesByAFace) {
  const auto on = meet(Segment<double>{{0.5 + 1e-7, 0.4 + 1e-7, 0}, {0, 0, 1}, 0}, 0.1, kBox, 0.0);
  LONGS_EQUAL(1, on.count);
  DOUBLES_EQUAL(1, on.normal.x, 0);
  DOUBLES_EQUAL(-0.1, on.points[0].distance, 1e-6);
}

TEST(BoxSegment, LyingCapsuleRestsOnTwoPoints) {
  const auto on = meet(Segment<double>{{0.3, 0, 0.4}, {1, 0, 0}, 0.5}, 0.1, kBox, 0.01);
  LONGS_EQUAL(2, on.count);
  DOUBLES_EQUAL(-0.2, on.points[0].p.x, 1e-12);
  DOUBLES_EQUAL(0.5, on.points[1].p.x, 1e-12);  // it hangs over
  for (const auto& point : on.points) DOUBLES_EQUAL(0, point.distance, 1e-12);
}

TEST(BoxSegment, NearestMatchesASearchAlongTheSegment) {
  std::mt19937 engine(3);
  const auto number = [&](double reach) {
    return reach * (static_cast<double>(engine()) / 2147483648.0 - 1);
  };
  for (int trial = 0; trial < 300; ++trial) {
    Vec axis = {number(1), number(1), number(1)};
    axis = (1 / std::sqrt(dot(axis, axis))) * axis;
    const Segment<double> segment = {{number(1.5), number(1.5), number(1.5)}, axis, 0.6};
    double least = 10;
    for (int i = 0; i <= 4000; ++i) {
      least = std::min(least, distance_of(segment.at(-0.6 + 1.2 * i / 4000)));
    }
    if (least == 0) continue;
    const auto on = meet(segment, 0.0, kBox, 10.0);
    double told = 10;
    for (int i = 0; i < on.count; ++i) {
      told = std::min(told, on.points[static_cast<std::size_t>(i)].distance);
    }
    DOUBLES_EQUAL(least, told, 1e-4);
  }
}
