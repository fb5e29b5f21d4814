#include "lockstep/contact/model_colliders.hpp"

#include <CppUTest/TestHarness.h>

#include <vector>

using namespace lockstep;
using namespace lockstep::contact;

namespace {

struct Bare {
  static constexpr std::uint64_t kHash = 0;
  static constexpr std::array<Body, 2> kBodies = {};
  static constexpr std::array<Node, 0> kForward = {};
};

// Every type of shape, all of them below the ground, and capsules side by side.
struct Sunken : Bare {
  static constexpr std::array<std::array<double, 3>, 4> kColliderPoints = {
      {{9, 9, 9}, {0.1, 0, 0}, {0, 0.1, 0}, {0, 0, 0.1}}};
  static constexpr std::array<ColliderRecord, 7> kColliders = {{
      {.body = 0, .type = ShapeType::kSphere, .radius = 0.1, .friction = 0.7, .restitution = 0.3},
      {.body = 0, .type = ShapeType::kBox, .half = {0.1, 0.2, 0.3}},
      {.body = 0, .type = ShapeType::kCylinder, .half = {0, 0, 0.2}, .radius = 0.1},
      {.body = 0, .type = ShapeType::kPoints, .first = 1, .count = 3},
      {.body = 0, .type = ShapeType::kCapsule, .half = {0, 0, 0.2}, .radius = 0.1},
      {.body = 1,
       .type = ShapeType::kCapsule,
       .half = {0, 0, 0.2},
       .radius = 0.1,
       .R_BS = {0, -1, 0, 1, 0, 0, 0, 0, 1},
       .p_BS = {0.15, 0, 0.1}},
      {.type = ShapeType::kSphere, .radius = 0.5},
  }};
  static constexpr std::array<ColliderPair, 3> kColliderPairs = {{{4, 5}, {0, 5}, {2, 6}}};
};
struct Meeting : Sunken {
  static constexpr std::array<ColliderPair, 3> kColliderPairs = {{{4, 5}, {0, 5}, {6, 5}}};
};

}  // namespace

TEST_GROUP(ModelColliders){};

TEST(ModelColliders, NumbersAreTheModelsInTheScalar) {
  const auto colliders = ModelColliders<Meeting, float>::colliders();
  LONGS_EQUAL(7, colliders.size());
  CHECK_TRUE(colliders[0].material.friction == 0.7f && colliders[0].material.restitution == 0.3f);
  CHECK_TRUE(colliders[1].shape.half.z == 0.3f && colliders[1].shape.points.empty());
  LONGS_EQUAL(3, colliders[3].shape.points.size());
  CHECK_TRUE(colliders[3].shape.points[2].z == 0.1f);
  // row-major: the second row's first is what x becomes along y
  CHECK_TRUE(colliders[5].X_BS.R.x.y == 1 && colliders[5].X_BS.R.y.x == -1);
  CHECK_TRUE(colliders[5].X_BS.p.x == 0.15f && colliders[5].body == 1);
  LONGS_EQUAL(kWorld, colliders[6].body);
}

TEST(ModelColliders, MostContactsAreReachedAndNeverExceeded) {
  using Shapes = ModelColliders<Meeting, double>;
  const Plane<double> ground;
  CHECK_TRUE(check(Shapes::colliders(), Shapes::pairs(), ground, 2) == Status::kOk);
  const Placement<double> deep = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, -9}};
  const std::array<Placement<double>, 2> X_WB = {deep, deep};
  ContactList<double, Shapes::kMostContacts> list;
  // the world's sphere is not where the others are: a margin as wide as the way
  CHECK_TRUE(detect<double>(Shapes::colliders(), Shapes::pairs(), X_WB, ground, 20, list) ==
             Status::kOk);
  LONGS_EQUAL(1 + 8 + 8 + 3 + 2 + 2 + 2 + 1 + 1, Shapes::kMostContacts);
  LONGS_EQUAL(Shapes::kMostContacts, list.size());
  LONGS_EQUAL(0, list.dropped());
}

// The same from a table that comes at run time.
TEST(ModelColliders, RecordsOfATableGiveTheSameShapesAndCounts) {
  const std::vector<ColliderRecord> records(Sunken::kColliders.begin(), Sunken::kColliders.end());
  std::vector<Vec3<double>> points;
  for (const auto& point : Sunken::kColliderPoints) points.push_back(to_point<double>(point));
  const auto emitted = ModelColliders<Sunken, double>::colliders();
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Collider<double> own = to_collider<double>(records[i], points);
    CHECK(own.shape.type == emitted[i].shape.type && own.body == emitted[i].body);
    DOUBLES_EQUAL(emitted[i].shape.radius, own.shape.radius, 0);
    DOUBLES_EQUAL(emitted[i].X_BS.R.x.y, own.X_BS.R.x.y, 0);
    DOUBLES_EQUAL(emitted[i].material.friction, own.material.friction, 0);
    LONGS_EQUAL(emitted[i].shape.points.size(), own.shape.points.size());
  }
  std::vector<ColliderPair> pairs(Meeting::kColliderPairs.begin(), Meeting::kColliderPairs.end());
  LONGS_EQUAL((ModelColliders<Meeting, double>::kMostContacts), most_contacts(records, pairs));
  pairs = {{1, 1}};  // faces: four points
  LONGS_EQUAL(1 + 8 + 8 + 3 + 2 + 2 + 4, most_contacts(records, pairs));
  LONGS_EQUAL(0, most_points({.type = static_cast<ShapeType>(kShapeTypes)}));
}

TEST(ModelColliders, PairsThatCannotMeetAreRefusedByTheCheck) {
  using Shapes = ModelColliders<Sunken, double>;
  CHECK_TRUE(check(Shapes::colliders(), Shapes::pairs(), Plane<double>{}, 2) ==
             Status::kBadConstraint);
}

TEST(ModelColliders, ModelWithoutShapesHasNone) {
  using Shapes = ModelColliders<Bare, float>;
  CHECK_TRUE(Shapes::colliders().empty() && Shapes::pairs().empty());
  LONGS_EQUAL(0, Shapes::kMostContacts);
}
