// Plants of quadrupeds on hills, with more contacts than room, and with legs that meet: the bits of
// the same robots as tables.
#include <CppUTest/TestHarness.h>

#include "firmware/loop/plant_pair.hpp"

namespace lockstep::test {

TEST_GROUP(BoundedStepping){};

// From where it was set, however it got there: what sweeps remember is forgotten.
TEST(BoundedStepping, HillsAndSweepsHaveTheBitsOfTheTable) {
  Pair<Rough, float> pair(load_model("quadruped", {.floating = true}),
                          host::Bounds{Rough::kBounds});
  pair.settings.drive = link::DriveMode::kHoldWaves;
  pair.settings.kp = 60, pair.settings.kd = 0.2F;
  std::uint64_t hash = 0;
  for (int run = 0; run < 2; ++run) {
    pair.set(stretched(0.11));
    pair.advance(100);
    CHECK_TRUE(run == 0 || pair.fixed->hash() == hash);
    hash = pair.fixed->hash();
  }
  CHECK_TRUE(pair.host().result().contact_count > 0);
  CHECK_TRUE(pair.host().result().sweeps > 0 && pair.host().result().pivots == 0);
  CHECK_TRUE(pair.fixed->motion().q[4] < 0);  // the fore feet stand higher

  // gains that no torque of a step would bear, and more torque than the motors have
  pair.settings.kp = 1e5F, pair.settings.kd = 1e3F;
  CHECK_EQUAL(0u, pair.fixed->limited());
  pair.settings.limits.effort.tail(12).setConstant(2);
  pair.set(stretched(0.11));
  for (int i = 0; i < 60; ++i) {
    pair.advance(1);
    CHECK_TRUE(pair.fixed->motion().tau.cwiseAbs().maxCoeff() <= 2);
  }
  CHECK_TRUE(pair.fixed->limited() > 0);
}

TEST(BoundedStepping, ContactsWithoutRoomAreTheSame) {
  Pair<Crowded, float> pair(load_model("quadruped", {.floating = true}),
                            host::Bounds{Crowded::kBounds});
  pair.set(stretched(0.001));
  pair.advance(60);
  LONGS_EQUAL(2, pair.host().result().contact_count);
  CHECK_TRUE(pair.host().result().contacts_left_out > 0);
}

TEST(BoundedStepping, LegsMeetWithoutGround) {
  Pair<Apart, float> pair(load_model("quadruped", {.floating = true}),
                          host::Bounds{Apart::kBounds});
  Eigen::VectorXd q = stretched(0);
  q[7] = -0.8, q[10] = 0.8;  // across each other
  pair.set(q);
  pair.advance(20);
  CHECK_TRUE(pair.host().result().contact_count > 0);
}

}  // namespace lockstep::test
