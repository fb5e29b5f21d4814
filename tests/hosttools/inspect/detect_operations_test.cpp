#include "inspect/detect_operations.hpp"

#include <CppUTest/TestHarness.h>

#include <algorithm>
#include <vector>

#include "inspect/counted.hpp"
#include "lockstep/contact/model_colliders.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;
using namespace lockstep::contact;
using host::Counted;

namespace {

ColliderRecord shape(ShapeType type, int body, test::Random& random) {
  ColliderRecord record = {.body = body, .type = type, .friction = 0.5};
  for (double& half : record.half) half = random.uniform(0.1, 0.4);
  record.radius = type == ShapeType::kBox ? 0 : random.uniform(0.05, 0.3);
  if (type == ShapeType::kPoints) record.count = 5;
  return record;
}

// Mostly askew, often aligned: what the longest ways of both need.
Placement<Counted> pose(test::Random& random) {
  Eigen::Matrix3d R = random.rotation().toRotationMatrix();
  if (random.below(3) == 0) R.setIdentity();
  const Eigen::Vector3d p = random.vector(0.4);
  return {{{R(0, 0), R(1, 0), R(2, 0)}, {R(0, 1), R(1, 1), R(2, 1)}, {R(0, 2), R(1, 2), R(2, 2)}},
          {p.x(), p.y(), p.z()}};
}

// The largest share of the bound that one call of detect() took.
double largest_share(ShapeType a, ShapeType b, bool pair, int draws) {
  test::Random random(static_cast<std::uint64_t>(a) * 8 + static_cast<std::uint64_t>(b) + 1);
  std::vector<Vec3<Counted>> points(5);
  double largest = 0;
  for (int i = 0; i < draws; ++i) {
    const std::vector<ColliderRecord> records = {shape(a, 0, random), shape(b, 1, random)};
    const std::vector<ColliderPair> pairs(pair ? 1 : 0, ColliderPair{0, 1});
    for (auto& point : points) point = {random.uniform(-1, 1), random.uniform(-1, 1), 0.1};
    std::vector<Collider<Counted>> colliders;
    for (const auto& record : records) colliders.push_back(to_collider<Counted>(record, points));
    const std::vector<Placement<Counted>> poses = {pose(random), pose(random)};
    ContactList<Counted, 40> list;
    Counted::operations = {};
    CHECK_TRUE(Status::kOk ==
               detect<Counted>(colliders, pairs, poses, Plane<Counted>{}, 0.01, list));
    const auto bound = static_cast<double>(host::detect_operations(records, pairs, 2));
    largest = std::max(largest, static_cast<double>(Counted::operations.total()) / bound);
  }
  return largest;
}

}  // namespace

TEST_GROUP(DetectOperations){};

TEST(DetectOperations, TheGroundIsNeverExceededAndMetExactly) {
  using enum ShapeType;
  for (const ShapeType type : {kSphere, kCapsule, kBox, kCylinder, kPoints}) {
    const double share = largest_share(type, type, false, 2000);
    CHECK_AT_MOST(1, share, "share of the bound");
    CHECK_TRUE(share > 0.97);
  }
}

TEST(DetectOperations, PairsAreNeverExceededAndComeNear) {
  using enum ShapeType;
  for (const ShapeType a : {kSphere, kCapsule, kBox}) {
    for (const ShapeType b : {kSphere, kCapsule, kBox}) {
      const double share = largest_share(a, b, true, 4000);
      CHECK_AT_MOST(1, share, "share of the bound");
      CHECK_TRUE(share > 0.5);
    }
  }
}
