// Plants of compiled robots with more than a tree: they have the bits of the same robot as tables
// on the host, room for their own rows and no more, and refuse what they cannot do.
#include "loop/stepping.hpp"

#include <CppUTest/TestHarness.h>

#include "firmware/loop/plant_pair.hpp"
#include "geared_quadruped.hpp"
#include "six_axis_arm.hpp"
#include "slider_crank.hpp"
#include "support/allocation_guard.hpp"
#include "support/conversation.hpp"
#include "support/fake_board.hpp"
#include "support/long_test.hpp"

using namespace lockstep;
using firmware::Bounds;
using test::Apart;
using test::Pair;
using test::Rough;
using test::Standing;
using test::stretched;

namespace {

template <class T>
void check_landing() {
  Pair<Standing, T> pair(test::load_model("quadruped", {.floating = true}),
                         host::Bounds{Standing::kBounds});
  pair.set(stretched(Standing::kBounds.height + 0.01));
  pair.settings.drive = link::DriveMode::kHoldWaves;
  pair.settings.kp = T(60), pair.settings.kd = T(1);
  pair.advance(150);
  double load = 0;
  for (const auto& own : pair.host().result().contacts()) load += static_cast<double>(own.normal);
  CHECK_TRUE(load > 20);  // of 9 kg
  CHECK_TRUE(pair.fixed->motion().q[2] > T(0.5));
}

}  // namespace

TEST_GROUP(Stepping){};

TEST(Stepping, ATreeHasNoRows) {
  CHECK_TRUE((std::is_same_v<firmware::SteppingOf<six_axis_arm, float>,
                             firmware::TreeStepping<six_axis_arm, float>>));
  CHECK_TRUE((std::is_same_v<firmware::SteppingOf<geared_quadruped, float>,
                             firmware::TreeStepping<geared_quadruped, float>>));
  CHECK_TRUE((std::is_same_v<firmware::SteppingOf<slider_crank, float>,
                             firmware::ClosedStepping<slider_crank, float>>));
  CHECK_TRUE((std::is_same_v<firmware::SteppingOf<Standing, float>,
                             firmware::BoundedStepping<Standing, float>>));
}

TEST(Stepping, RoomIsThatOfTheModel) {
  const Room standing = firmware::room_of<Standing, float>();
  LONGS_EQUAL(12, standing.contacts);
  LONGS_EQUAL(12 * (2 + 1) + 3 * 12, standing.rows);
  const Room apart = firmware::room_of<Apart, float>();
  LONGS_EQUAL(12 * 2 + 3 * 4, apart.rows);
}

TEST(Stepping, BoundsNameTheRobot) {
  LONGLONGS_EQUAL(7, firmware::hash_with(7, {}));
  Bounds flat = Rough::kBounds;
  const std::vector<double> level(9, 0.1);
  flat.field.heights = level;
  const Bounds all[] = {{},
                        {.position = true},
                        {.velocity = true},
                        {.friction = true},
                        {.contacts = 4},
                        {.contacts = 5},
                        {.contacts = 4, .ground = true},
                        {.contacts = 4, .ground = true, .height = 0.1},
                        {.contacts = 4, .ground = true, .ground_friction = 0.5},
                        {.contacts = 4, .ground = true, .ground_restitution = 0.5},
                        {.solver = RowSolver::kGaussSeidel},
                        {.solver = RowSolver::kNewton},
                        Rough::kBounds,
                        flat};
  for (const Bounds& a : all) {
    for (const Bounds& b : all) {
      CHECK_TRUE((firmware::hash_with(7, a) == firmware::hash_with(7, b)) == (a == b));
    }
  }
}

TEST(Stepping, AClosedRobotHasTheBitsOfItsTable) {
  const host::Tree tree = test::load_model("loops/slider_crank", {.keep_rotors = true});
  for (const Integrator integrator : {Integrator::kSemiImplicitEuler, Integrator::kRungeKutta4,
                                      Integrator::kMidpoint, Integrator::kEulerMiddle}) {
    Pair<slider_crank, float> pair(tree, host::Bounds());
    pair.settings.integrator = integrator;
    CHECK_TRUE((firmware::Plant<slider_crank, float>::can(pair.settings)));
    pair.advance(300);
    const auto errors = pair.host().errors();
    CHECK_TRUE(errors.position < 1e-4 && errors.velocity < 0.1);
  }
}

LONG_TEST(Stepping, AQuadrupedLandsWithTheBitsOfItsTable) {
  check_landing<float>();
  check_landing<double>();
}

TEST(Stepping, WhatItCannotDoIsRefused) {
  using Device = firmware::PlantDevice<Standing, float, test::FakeBoard>;
  test::Conversation<Device> line;
  auto settings = test::configuration<float>();
  settings.model_hash = Standing::kHash;
  CHECK_TRUE(Status::kOk == line.tell(settings));
  settings.drive = link::DriveMode::kHoldWaves;
  CHECK_TRUE(Status::kOk == line.tell(settings));
  settings.integrator = 1;
  CHECK_TRUE(Status::kMalformed == line.tell(settings));
  settings.integrator = 0;
  settings.model_hash = quadruped::kHash;  // the same robot without bounds
  CHECK_TRUE(Status::kWrongModel == line.tell(settings));

  test::Conversation<firmware::PlantDevice<six_axis_arm, float, test::FakeBoard>> tree;
  settings.model_hash = six_axis_arm::kHash;
  CHECK_TRUE(Status::kMalformed == tree.tell(settings));
  settings.drive = link::DriveMode::kTrackWaves;
  CHECK_TRUE(Status::kOk == tree.tell(settings));
}

TEST(Stepping, NeverAllocates) {
  using Device = firmware::PlantDevice<Standing, float, test::FakeBoard>;
  test::Conversation<Device> line;
  auto settings = test::configuration<float>();
  settings.model_hash = Standing::kHash;
  CHECK_TRUE(Status::kOk == line.tell(settings));
  const std::array<float, 18> tau{};
  const std::vector<test::Bytes> frames = {line.next_frame(link::Start()),
                                           line.next_frame(link::Step<const float>{3, tau}, 0)};
  LONGS_EQUAL(0, line.allocations_over(frames));
  LONGS_EQUAL(3, line.report().ticks);
}
