#include "loop/bounds.hpp"

#include <CppUTest/TestHarness.h>

#include <array>
#include <limits>
#include <set>

using namespace lockstep;
using namespace lockstep::firmware;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::array<double, 4> kFlat = {0, 0, 0, 0}, kHill = {0, 0, 0, 0.5};

Field field_of(std::span<const double> heights) {
  return {.x = 1, .y = 2, .spacing = 0.5, .columns = 2, .rows = 2, .heights = heights};
}

}  // namespace

TEST_GROUP(Bounds){};

TEST(Bounds, NoneLeavesTheModelsHash) { CHECK_TRUE(42 == hash_with(42, Bounds())); }

TEST(Bounds, EachOneMakesAnotherRobot) {
  std::array<Bounds, 15> all;
  for (Bounds& bounds : all) bounds.field = field_of(kFlat);
  all[1].position = true;
  all[2].velocity = true;
  all[3].friction = true;
  all[4].solver = RowSolver::kGaussSeidel;
  all[5].contacts = 4;
  all[6].ground = true;
  all[7].height = 0.1;
  all[8].ground_friction = 0.7;
  all[9].ground_restitution = 0.2;
  all[10].ground_stiffness = 1e5;
  all[11].ground_stiffness = 1e5, all[11].ground_damping = 1e3;
  all[12].field = field_of(kHill);
  all[13].field.x = 0;
  all[14].field.spacing = 0.25;
  std::set<std::uint64_t> hashes = {42};
  for (const Bounds& bounds : all) hashes.insert(hash_with(42, bounds));
  LONGS_EQUAL(all.size() + 1, hashes.size());
}

TEST(Bounds, FieldsAreTheSameNumberByNumber) {
  const Field field = field_of(kFlat);
  Field same = field, other = field;
  const std::array<double, 4> copy = kFlat;
  same.heights = copy;
  CHECK_TRUE(same == field);
  const auto differs = [&] {
    const bool same_as_before = other == field;
    other = field;
    return !same_as_before;
  };
  other.x = 0;
  CHECK_TRUE(differs());
  other.y = 0;
  CHECK_TRUE(differs());
  other.spacing = 1;
  CHECK_TRUE(differs());
  other.columns = 4;
  CHECK_TRUE(differs());
  other.rows = 1;
  CHECK_TRUE(differs());
  other.heights = kHill;
  CHECK_TRUE(differs());
}

TEST(Bounds, AGroundThatYieldsGivesItsSoftness) {
  const auto rigid = newton_options<double>({});
  CHECK_EQUAL(0, rigid.softness);
  const auto soft = newton_options<double>({.ground_stiffness = 2e4, .ground_damping = 400});
  DOUBLES_EQUAL(1 / 2e4, soft.softness, 1e-18);
  DOUBLES_EQUAL(0.02, soft.settling, 1e-15);
}

TEST(Bounds, OfAJointActsWhatWasAskedFor) {
  Body body;
  body.joint = JointType::kRevolute;
  body.limits = {.lower = -1, .upper = 2, .velocity = 3};
  body.friction = 4;
  const auto none = joint_bounds<double>(body, Bounds());
  CHECK_TRUE(none.lower == -kInfinity && none.upper == kInfinity && !none.has_velocity());
  CHECK_EQUAL(0, none.friction);
  LONGS_EQUAL(0, most_rows(none));
  const auto place = joint_bounds<double>(body, Bounds{.position = true});
  CHECK_TRUE(place.lower == -1 && place.upper == 2 && !place.has_velocity());
  LONGS_EQUAL(2, most_rows(place));
  const auto speed = joint_bounds<double>(body, Bounds{.velocity = true});
  CHECK_TRUE(speed.lower == -kInfinity && speed.velocity == 3);
  LONGS_EQUAL(2, most_rows(speed));
  const auto dry = joint_bounds<double>(body, Bounds{.friction = true});
  CHECK_EQUAL(4, dry.friction);
  LONGS_EQUAL(1, most_rows(dry));
  body.limits.upper = kInfinity;
  LONGS_EQUAL(1, most_rows(joint_bounds<double>(body, Bounds{.position = true})));
  LONGS_EQUAL(2, most_rows(joint_bounds<double>(body, Bounds{.position = true, .friction = true})));
}
