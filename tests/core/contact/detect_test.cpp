#include "lockstep/contact/detect.hpp"

#include <CppUTest/TestHarness.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "support/allocation_guard.hpp"

using namespace lockstep;
using namespace lockstep::contact;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

template <class T>
Placement<T> at(T x, T y, T z) {
  return {{{T(1), T(0), T(0)}, {T(0), T(1), T(0)}, {T(0), T(0), T(1)}}, {x, y, z}};
}

// Turned about y, so that z goes to x by the angle.
template <class T>
Placement<T> leaning(double angle, T z) {
  const T c = static_cast<T>(std::cos(angle)), s = static_cast<T>(std::sin(angle));
  return {{{c, T(0), -s}, {T(0), T(1), T(0)}, {s, T(0), c}}, {T(0), T(0), z}};
}
constexpr double kLying = 1.5707963267948966;

template <class T>
using List = ContactList<T, 8>;

// One shape at a pose over the floor.
template <class T>
List<T> on_floor(const Shape<T>& shape, const Placement<T>& X, T margin = T(1e-4)) {
  const std::array<Collider<T>, 1> colliders = {
      {{.body = 0, .X_BS = at<T>(0, 0, 0), .shape = shape}}};
  const std::array<Placement<T>, 1> poses = {X};
  const Plane<T> floor;
  List<T> list;
  CHECK(check<T>(colliders, {}, floor, 1) == Status::kOk);
  CHECK(detect<T>(colliders, {}, poses, floor, margin, list) == Status::kOk);
  return list;
}

template <class T>
List<T> pair(const Shape<T>& a, const Placement<T>& X_a, const Shape<T>& b,
             const Placement<T>& X_b) {
  const std::array<Collider<T>, 2> colliders = {{{.body = 0, .X_BS = at<T>(0, 0, 0), .shape = a},
                                                 {.body = 1, .X_BS = at<T>(0, 0, 0), .shape = b}}};
  const std::array<ColliderPair, 1> pairs = {{{0, 1}}};
  const std::array<Placement<T>, 2> poses = {X_a, X_b};
  const Plane<T> far_below = {.offset = T(-100)};
  List<T> list;
  CHECK(check<T>(colliders, pairs, far_below, 2) == Status::kOk);
  CHECK(detect<T>(colliders, pairs, poses, far_below, T(0.01), list) == Status::kOk);
  return list;
}

template <class T>
void check_counts() {
  LONGS_EQUAL(1, on_floor(sphere(T(0.5)), at<T>(0, 0, T(0.5))).size());
  LONGS_EQUAL(2, on_floor(capsule(T(0.5), T(1)), leaning<T>(kLying, T(0.5))).size());
  LONGS_EQUAL(1, on_floor(capsule(T(0.5), T(1)), leaning<T>(0.3, T(0.5 + 0.955336))).size());
  LONGS_EQUAL(4, on_floor(box(Vec3<T>{T(1), T(2), T(3)}), at<T>(0, 0, T(3))).size());
  LONGS_EQUAL(2,
              on_floor(box(Vec3<T>{T(1), T(2), T(1)}), leaning<T>(0.78539816, T(1.4142))).size());
  LONGS_EQUAL(4, on_floor(cylinder(T(0.5), T(1)), at<T>(0, 0, T(1))).size());
  LONGS_EQUAL(2, on_floor(cylinder(T(0.5), T(1)), leaning<T>(kLying, T(0.5))).size());
  LONGS_EQUAL(1, on_floor(cylinder(T(0.5), T(1)), leaning<T>(0.3, T(1.1031))).size());
  LONGS_EQUAL(0, on_floor(sphere(T(0.5)), at<T>(0, 0, T(0.6))).size());
}

}  // namespace

TEST_GROUP(Detect){};

TEST(Detect, ShapesAtRestTouchWithAsManyPointsAsTheyNeed) {
  check_counts<double>();
  check_counts<float>();
}

TEST(Detect, ContactOfASphereIsAtItsBottom) {
  const auto list = on_floor(sphere(0.5), at(1.0, 2.0, 0.48));
  DOUBLES_EQUAL(-0.02, list[0].distance, 1e-15);
  DOUBLES_EQUAL(1, list[0].point.x, 0);
  DOUBLES_EQUAL(2, list[0].point.y, 0);
  DOUBLES_EQUAL(-0.01, list[0].point.z, 1e-15);
  DOUBLES_EQUAL(1, list[0].normal.z, 0);
  LONGS_EQUAL(0, list[0].a);
  LONGS_EQUAL(kWorld, list[0].b);
  DOUBLES_EQUAL(0.5, list[0].rolling_a, 0);
}

TEST(Detect, PointsBelowTouchAndOthersDoNot) {
  const std::array<Vec3<double>, 3> points = {{{0, 0, -0.1}, {1, 0, 0.1}, {0, 1, -0.2}}};
  const auto list = on_floor(point_set<double>(points), at(0.0, 0.0, 0.0));
  LONGS_EQUAL(2, list.size());
  DOUBLES_EQUAL(-0.1, list[0].distance, 0);
  DOUBLES_EQUAL(-0.2, list[1].distance, 0);
}

TEST(Detect, ShapeWithoutSizeIsAPoint) {
  LONGS_EQUAL(1, on_floor(sphere(0.0), at(0.0, 0.0, 0.0)).size());
  const auto list = pair(sphere(0.0), at(0.0, 0.0, 1.0), sphere(0.0), at(0.0, 0.0, 1.0));
  LONGS_EQUAL(1, list.size());
  DOUBLES_EQUAL(1, dot(list[0].normal, list[0].normal), 1e-15);
}

TEST(Detect, DeepBoxTellsAllOfItsCorners) {
  const auto list = on_floor(box(Vec3<double>{1, 1, 1}), at(0.0, 0.0, -50.0));
  LONGS_EQUAL(8, list.size());
  DOUBLES_EQUAL(-51, list[0].distance, 0);
  DOUBLES_EQUAL(-49, list[7].distance, 0);
}

TEST(Detect, SpheresPushApartAlongTheirCentres) {
  const auto list = pair(sphere(0.5), at(0.0, 3.0, 0.0), sphere(0.25), at(0.0, 2.3, 0.0));
  LONGS_EQUAL(1, list.size());
  DOUBLES_EQUAL(-0.05, list[0].distance, 1e-15);
  DOUBLES_EQUAL(1, list[0].normal.y, 1e-15);
  DOUBLES_EQUAL(2.525, list[0].point.y, 1e-15);
  LONGS_EQUAL(1, list[0].b);
}

TEST(Detect, CapsulesTouchOnceAcrossAndTwiceAlong) {
  const Shape<double> rod = capsule(0.1, 1.0);
  LONGS_EQUAL(2, pair(rod, at(0.0, 0.0, 0.5), rod, at(0.2, 0.0, 0.0)).size());
  const auto tee = pair(rod, at(0.0, 0.0, 1.19), rod, leaning(kLying, 0.0));
  LONGS_EQUAL(1, tee.size());
  DOUBLES_EQUAL(-0.01, tee[0].distance, 1e-12);
  DOUBLES_EQUAL(1, tee[0].normal.z, 1e-12);
  LONGS_EQUAL(1, pair(rod, at(0.05, 0.0, 0.0), sphere(0.1), at(0.2, 0.0, 0.9)).size());
  // side by side to half a degree: one end touches, the other is 18 mm away
  const auto splayed = pair(rod, leaning(0.009, 0.0), rod, at(-0.209, 0.0, 0.0));
  LONGS_EQUAL(1, splayed.size());
  DOUBLES_EQUAL(0, splayed[0].distance, 1e-4);
  DOUBLES_EQUAL(-1, splayed[0].point.z, 1e-2);
}

// A box of 2 x 2 x 2 whose corner, edge or face comes 1 mm near each kind of shape.
TEST(Detect, BoxMeetsBoxesAndWhatIsRoundInEitherOrder) {
  const Shape<double> cube = box(Vec3<double>{1, 1, 1}), ball = sphere(0.5);
  const auto with_ball = pair(cube, at(0.0, 0.0, 0.0), ball, at(0.3, 0.0, 1.501));
  const auto and_back = pair(ball, at(0.3, 0.0, 1.501), cube, at(0.0, 0.0, 0.0));
  for (const auto* list : {&with_ball, &and_back}) {
    LONGS_EQUAL(1, list->size());
    const Contact<double>& contact = (*list)[0];
    DOUBLES_EQUAL(0.001, contact.distance, 1e-12);
    DOUBLES_EQUAL(1.0005, contact.point.z, 1e-12);
    // the ball is the first body of the contact, whatever their order was
    DOUBLES_EQUAL(1, contact.normal.z, 1e-15);
    DOUBLES_EQUAL(0.5, contact.rolling_a, 0);
    DOUBLES_EQUAL(0, contact.rolling_b, 0);
  }
  LONGS_EQUAL(1, with_ball[0].a);
  LONGS_EQUAL(0, and_back[0].a);
  const auto boxes = pair(cube, at(0.0, 0.0, 2.001), cube, at(0.5, 0.0, 0.0));
  LONGS_EQUAL(4, boxes.size());
  for (const auto& contact : boxes.span()) {
    DOUBLES_EQUAL(0.001, contact.distance, 1e-12);
    DOUBLES_EQUAL(1, contact.normal.z, 1e-15);
  }
}

TEST(Detect, WhatHangsOverTheEdgeOfTheGridHasNoGroundThere) {
  const std::array<double, 4> flat = {};
  const HeightField<double> table = {.columns = 2, .rows = 2, .heights = flat};
  std::array<Collider<double>, 1> colliders = {
      {{.body = 0, .X_BS = at(0.0, 0.0, 0.0), .shape = box(Vec3<double>{0.3, 0.3, 0.3})}}};
  std::array<Placement<double>, 1> poses = {at(0.8, 0.5, 0.3)};
  List<double> list;
  CHECK(detect<double>(colliders, {}, poses, table, 1e-3, list) == Status::kOk);
  LONGS_EQUAL(2, list.size());
  for (const auto& contact : list.span()) DOUBLES_EQUAL(0.5, contact.point.x, 1e-12);
  // a cylinder beside it stands upright on nothing
  colliders[0].shape = cylinder(0.1, 0.3);
  poses[0].p.x = 3;
  CHECK(detect<double>(colliders, {}, poses, table, 1e-3, list) == Status::kOk);
  LONGS_EQUAL(0, list.size());
}

TEST(Detect, WithoutAGroundShapesMeetEachOtherAlone) {
  const std::array<Collider<double>, 2> colliders = {
      {{.body = 0, .X_BS = at(0.0, 0.0, 0.0), .shape = sphere(1.0)},
       {.body = 1, .X_BS = at(0.0, 0.0, 0.0), .shape = sphere(1.0)}}};
  const std::array<ColliderPair, 1> pairs = {{{0, 1}}};
  const std::array<Placement<double>, 2> poses = {at(0.0, 0.0, -7.0), at(1.5, 0.0, -7.0)};
  List<double> list;
  const NoGround<double> none;
  CHECK(check<double>(colliders, pairs, none, 2) == Status::kOk);
  CHECK(detect<double>(colliders, pairs, poses, none, 0.01, list) == Status::kOk);
  LONGS_EQUAL(1, list.size());
  DOUBLES_EQUAL(-0.5, list[0].distance, 1e-15);
}

// More shapes than there is room for the balls around them: the last two are the only ones to meet.
TEST(Detect, ShapesBeyondTheRoomForTheirBallsAreFoundAsWell) {
  constexpr int kCount = static_cast<int>(kBalls) + 2;
  std::vector<Collider<double>> colliders;
  std::vector<Placement<double>> poses;
  std::vector<ColliderPair> pairs;
  for (int i = 0; i < kCount; ++i) {
    colliders.push_back({.body = i, .X_BS = at(0.0, 0.0, 0.0), .shape = sphere(1.0)});
    poses.push_back(at(i + 1 < kCount ? 10.0 * i : 10.0 * (i - 1) + 1.9, 0.0, 5.0));
    if (i > 0) pairs.push_back({i - 1, i});
  }
  List<double> list;
  const Plane<double> floor;
  CHECK(detect<double>(colliders, pairs, poses, floor, 0.01, list) == Status::kOk);
  LONGS_EQUAL(1, list.size());
  LONGS_EQUAL(kCount - 2, list[0].a);
  LONGS_EQUAL(kCount - 1, list[0].b);
}

TEST(Detect, ObstacleOfTheWorldDoesNotTouchTheGround) {
  const std::array<Collider<double>, 2> colliders = {
      {{.body = kWorld, .X_BS = at(0.0, 0.0, 0.0), .shape = sphere(1.0)},
       {.body = 0, .X_BS = at(0.0, 0.0, 0.0), .shape = sphere(1.0)}}};
  const std::array<ColliderPair, 1> pairs = {{{1, 0}}};
  const std::array<Placement<double>, 1> poses = {at(0.0, 0.0, 1.9)};
  List<double> list;
  CHECK(detect<double>(colliders, pairs, poses, Plane<double>{}, 0.01, list) == Status::kOk);
  LONGS_EQUAL(1, list.size());
  LONGS_EQUAL(kWorld, list[0].b);
  DOUBLES_EQUAL(-0.1, list[0].distance, 1e-15);
}

TEST(Detect, HeightFieldCarriesACylinderByItsOwnSlope) {
  std::vector<double> heights;
  for (int j = 0; j < 5; ++j) {
    for (int i = 0; i < 5; ++i) heights.push_back(0.75 * i);
  }
  const HeightField<double> hill = {.x = -2, .y = -2, .columns = 5, .rows = 5, .heights = heights};
  const std::array<Collider<double>, 1> colliders = {
      {{.body = 0, .X_BS = at(0.0, 0.0, 0.0), .shape = cylinder(0.3, 0.5)}}};
  // its axis along the normal (-0.6, 0, 0.8), its lower cap on the slope
  Placement<double> X = leaning(-std::atan(0.75), 1.5);
  X.p = X.p + 0.5 * X.R.z;
  const std::array<Placement<double>, 1> poses = {X};
  List<double> list;
  CHECK(detect<double>(colliders, {}, poses, hill, 1e-9, list) == Status::kOk);
  LONGS_EQUAL(4, list.size());
  for (const auto& contact : list.span()) DOUBLES_EQUAL(0, contact.distance, 1e-12);
}

TEST(Detect, TablesMustHaveAMeaning) {
  std::array<Collider<double>, 2> colliders = {
      {{.body = 0, .X_BS = at(0.0, 0.0, 0.0), .shape = sphere(1.0)},
       {.body = 1, .X_BS = at(0.0, 0.0, 0.0), .shape = cylinder(1.0, 1.0)}}};
  const auto verdict = [&](std::span<const ColliderPair> pairs) {
    return check<double>(colliders, pairs, Plane<double>{}, 2);
  };
  CHECK(verdict({}) == Status::kOk);
  for (const ColliderPair& pair :
       {ColliderPair{0, 1}, {1, 0}, {0, 0}, {-1, 0}, {0, -1}, {2, 0}, {0, 2}}) {
    const std::array<ColliderPair, 1> one = {pair};
    CHECK(verdict(one) == Status::kBadConstraint);
  }
  const std::array<ColliderPair, 1> pairs = {{{0, 1}}};
  for (const auto& shape : {sphere(1.0), capsule(1.0, 1.0), box(Vec3<double>{1, 1, 1})}) {
    colliders[1].shape = shape;
    CHECK(verdict(pairs) == Status::kOk);
  }
  colliders[1].body = 0;
  CHECK(verdict(pairs) == Status::kBadConstraint);
  for (const int body : {2, kWorld - 1}) {
    colliders[1].body = body;
    CHECK(verdict({}) == Status::kBadFrame);
  }
  colliders[1].body = 1;
  CHECK(verdict({}) == Status::kOk);
  const Plane<double> tilted = {.normal = {0, 0, 0.9}};
  CHECK(check<double>(colliders, {}, tilted, 2) == Status::kBadConstraint);
  colliders[1].shape.radius = -1;
  CHECK(verdict({}) == Status::kBadConstraint);
  colliders[1].shape.radius = 1;
  colliders[1].material.friction = kNan;
  CHECK(verdict({}) == Status::kBadConstraint);
  colliders[1].material = {};
  colliders[1].X_BS.R.x = {2, 0, 0};
  CHECK(verdict({}) == Status::kBadConstraint);
}

TEST(Detect, NanLeavesTheListAsItWas) {
  const std::array<Collider<double>, 1> colliders = {
      {{.body = 0, .X_BS = at(0.0, 0.0, 0.0), .shape = sphere(1.0)}}};
  std::array<Placement<double>, 1> poses = {at(0.0, 0.0, 0.9)};
  const Plane<double> floor;
  List<double> list;
  CHECK(detect<double>(colliders, {}, poses, floor, 0.0, list) == Status::kOk);
  const Placement<double> good = poses[0];
  for (int i = 0; i < 4; ++i) {
    Placement<double>& X = poses[0];
    (i == 0 ? X.p : i == 1 ? X.R.x : i == 2 ? X.R.y : X.R.z).y = kNan;
    CHECK(detect<double>(colliders, {}, poses, floor, 0.0, list) == Status::kNotFinite);
    LONGS_EQUAL(1, list.size());
    poses[0] = good;
  }
  CHECK(detect<double>(colliders, {}, poses, floor, kNan, list) == Status::kNotFinite);
}

TEST(Detect, AllocatesNothing) {
  const Shape<double> shape = box(Vec3<double>{1, 1, 1});
  LONGS_EQUAL(0, test::allocations_in([&] { (void)on_floor(shape, at(0.0, 0.0, 1.0)); }));
}
