#include "lockstep/contact/boxes.hpp"

#include <CppUTest/TestHarness.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "lockstep/joint_space.hpp"
#include "lockstep/maximal/rigid_body.hpp"

using namespace lockstep;
using namespace lockstep::contact;

namespace {

using Box = OrientedBox<double>;
using Vec = Vec3<double>;

// Turned by an angle about an axis.
Mat3<double> turn(Vec axis, double angle) {
  const double length = std::sqrt(dot(axis, axis)), s = std::sin(angle / 2) / length;
  const std::array<double, 4> q = {s * axis.x, s * axis.y, s * axis.z, std::cos(angle / 2)};
  return quaternion_rotation(q.data());
}
Box box_at(Vec p, Vec half, Mat3<double> R = turn({0, 0, 1}, 0)) { return {{R, p}, half}; }

std::vector<Vec> corners(const Box& box) {
  std::vector<Vec> all;
  for (int i = 0; i < 8; ++i) {
    const Vec own = {i & 1 ? box.half.x : -box.half.x, i & 2 ? box.half.y : -box.half.y,
                     i & 4 ? box.half.z : -box.half.z};
    all.push_back(box.X.p + box.X.R * own);
  }
  return all;
}

// How far A lies beyond B along n, by the corners alone.
double gap(const Box& A, const Box& B, const Vec& n) {
  double low = 1e9, high = -1e9;
  for (const Vec& p : corners(A)) low = std::min(low, dot(n, p));
  for (const Vec& p : corners(B)) high = std::max(high, dot(n, p));
  return low - high;
}

struct Random {
  std::mt19937 engine{7};
  double number(double low, double high) {
    return low + (high - low) * static_cast<double>(engine()) / 4294967296.0;
  }
  Vec direction() {
    for (;;) {
      const Vec v = {number(-1, 1), number(-1, 1), number(-1, 1)};
      const double square = dot(v, v);
      if (square > 0.01 && square < 1) return (1 / std::sqrt(square)) * v;
    }
  }
  Box box(double reach) {
    const double far = number(0, reach);
    const Vec p = far * direction();
    const Vec half = {number(0.1, 0.5), number(0.1, 0.5), number(0.1, 0.5)};
    const Vec axis = direction();
    return box_at(p, half, turn(axis, number(0, 6)));
  }
};

}  // namespace

TEST_GROUP(Boxes){};

TEST(Boxes, BoxOnABoxRestsOnItsFourCorners) {
  const auto on =
      meet(box_at({0.05, 0, 0.299}, {0.1, 0.2, 0.1}), box_at({0, 0, 0}, {0.5, 0.5, 0.2}), 0.01);
  LONGS_EQUAL(4, on.count);
  for (int i = 0; i < on.count; ++i) {
    const auto& [p, distance] = on.points[static_cast<std::size_t>(i)];
    DOUBLES_EQUAL(-0.001, distance, 1e-12);
    DOUBLES_EQUAL(0.1995, p.z, 1e-12);
    DOUBLES_EQUAL(0.1, std::abs(p.x - 0.05), 1e-12);
    DOUBLES_EQUAL(0.2, std::abs(p.y), 1e-12);
  }
  DOUBLES_EQUAL(1, on.normal.z, 1e-15);
}

// Equal boxes have equal faces: no corner is lost to the rounding of a clip.
TEST(Boxes, EqualBoxesInAStackShareTheirWholeFace) {
  for (const double askew : {0.0, 1e-9, -1e-12}) {
    const auto on = meet(box_at({askew, -askew, 0.2}, {0.1, 0.1, 0.1}),
                         box_at({0, 0, 0}, {0.1, 0.1, 0.1}, turn({0, 0, 1}, askew)), 0.001);
    LONGS_EQUAL(4, on.count);
    for (const auto& point : on.points)
      DOUBLES_EQUAL(0.02, point.p.x * point.p.x + point.p.y * point.p.y, 1e-6);
  }
}

TEST(Boxes, OverhangIsClipped) {
  const auto on =
      meet(box_at({0.15, 0, 0.2}, {0.1, 0.1, 0.1}), box_at({0, 0, 0}, {0.1, 0.1, 0.1}), 0.001);
  LONGS_EQUAL(4, on.count);
  double low = 1, high = -1;
  for (const auto& point : on.points) {
    low = std::min(low, point.p.x);
    high = std::max(high, point.p.x);
  }
  DOUBLES_EQUAL(0.05, low, 1e-12);
  DOUBLES_EQUAL(0.1, high, 1e-12);
}

// An octagon: the four that stay hold its middle between them, and the deepest is one of them.
TEST(Boxes, FourOfEightPointsStay) {
  Mat3<double> R = turn({0, 0, 1}, 0.78539816339744831);
  for (const double tilt : {0.0, 0.01}) {
    const Box top = box_at({0, 0, 0.199}, {0.1, 0.1, 0.1}, turn({1, 0.3, 0}, tilt) * R);
    const Box below = box_at({0, 0, 0}, {0.1, 0.1, 0.1});
    const auto all = contact::detail::on_face(below, 2, {0, 0, 1}, top, 0.01);
    LONGS_EQUAL(8, all.count);
    const auto on = meet(top, below, 0.01);
    LONGS_EQUAL(4, on.count);
    double deepest = 1, kept = 1, area = 0;
    for (int i = 0; i < 8; ++i) deepest = std::min(deepest, all.points[std::size_t(i)].distance);
    for (std::size_t i = 0; i < 4; ++i) {
      const Vec &p = on.points[i].p, &q = on.points[(i + 1) % 4].p;
      kept = std::min(kept, on.points[i].distance);
      area += 0.5 * (p.x * q.y - p.y * q.x);
    }
    DOUBLES_EQUAL(deepest, kept, 1e-4);
    CHECK(std::abs(area) > 0.02);  // of 0.033
  }
}

// Tilted by 1 degree it stands on two corners; the others are 35 mm up.
TEST(Boxes, CornersBeyondTheMarginAreNoPoints) {
  const Box floor = box_at({0, 0, -1}, {3, 3, 1});
  const double tilt = 0.0174533, low = std::cos(tilt) + std::sin(tilt);
  const auto on = meet(box_at({0, 0, low}, {1, 1, 1}, turn({0, 1, 0}, tilt)), floor, 0.01);
  LONGS_EQUAL(2, on.count);
  for (int i = 0; i < 2; ++i) DOUBLES_EQUAL(0, on.points[std::size_t(i)].distance, 1e-12);
  LONGS_EQUAL(4, meet(box_at({0, 0, low}, {1, 1, 1}, turn({0, 1, 0}, tilt)), floor, 0.04).count);
}

TEST(Boxes, CrossedEdgesTouchAtOnePoint) {
  const double quarter = 0.78539816339744831, root = std::sqrt(2.0);
  const Box ridge = box_at({0, 0, 0}, {1, 0.1, 0.1}, turn({1, 0, 0}, quarter));
  const Box across =
      box_at({0.3, 0.2, 0.2 * root - 0.001}, {0.1, 1, 0.1}, turn({0, 1, 0}, quarter));
  const auto on = meet(across, ridge, 0.01);
  LONGS_EQUAL(1, on.count);
  DOUBLES_EQUAL(-0.001, on.points[0].distance, 1e-9);
  DOUBLES_EQUAL(0.3, on.points[0].p.x, 1e-9);
  DOUBLES_EQUAL(0, on.points[0].p.y, 1e-9);
  DOUBLES_EQUAL(1, on.normal.z, 1e-9);
}

// Whatever direction one tries, the boxes do not come apart with a shorter move than along the
// normal, but for the preference; and along it they come apart by what is told.
TEST(Boxes, NormalIsTheShortestWayOut) {
  Random random;
  int overlaps = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const Box A = random.box(0.7), B = random.box(0.1);
    const auto on = meet(A, B, 10.0);
    const double told = gap(A, B, on.normal);
    for (int i = 0; i < 200; ++i) {
      if (gap(A, B, random.direction()) > told + 0.005 && told < 0) FAIL("a shorter way");
    }
    if (told >= 0) continue;
    ++overlaps;
    CHECK(on.count >= 1);
    double deepest = 1;
    for (int i = 0; i < on.count; ++i) {
      deepest = std::min(deepest, on.points[static_cast<std::size_t>(i)].distance);
    }
    DOUBLES_EQUAL(told, deepest, 0.006);
  }
  CHECK(overlaps > 100);
}

TEST(Boxes, ApartByMoreThanTheMarginIsNoContact) {
  const Box A = box_at({0, 0, 0.45}, {0.1, 0.2, 0.1}), B = box_at({0, 0, 0}, {0.3, 0.3, 0.3});
  LONGS_EQUAL(0, meet(A, B, 0.049).count);
  LONGS_EQUAL(4, meet(A, B, 0.051).count);
}
