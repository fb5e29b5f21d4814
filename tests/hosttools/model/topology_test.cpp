#include "model/topology.hpp"

#include "hosttools/model/robots.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep::test;
using lockstep::host::depth_first;
using lockstep::host::Visit;

TEST_GROUP(Topology){};

TEST(Topology, EveryLinkComesAfterItsParent) {
  const Robot robot = random_robot(3, 200);
  std::vector<bool> seen(200);
  for (const Visit& visit : depth_first(robot.description)) {
    CHECK_TRUE(visit.parent == Visit::kRoot || seen[static_cast<std::size_t>(visit.parent)]);
    CHECK_FALSE(seen[static_cast<std::size_t>(visit.link)]);
    seen[static_cast<std::size_t>(visit.link)] = true;
  }
  CHECK_TRUE(std::count(seen.begin(), seen.end(), true) == 200);
}

TEST(Topology, ChainOfThirtyThousandLinksNeedsNoDeepStack) {
  Robot robot;
  constexpr int kLinks = 30000;
  for (int i = 0; i < kLinks; ++i) robot.link(std::to_string(i));
  for (int i = 1; i < kLinks; ++i) {
    robot.joint(std::to_string(i), UrdfJoint::kFixed, std::to_string(i - 1), std::to_string(i));
  }
  LONGS_EQUAL(kLinks - 1, depth_first(robot.description).back().link);
}

TEST(Topology, WhatIsNoForestIsRefusedByName) {
  Robot robot;
  for (const char* name : {"base", "a", "b"}) robot.heavy_link(name);
  robot.joint("to_a", UrdfJoint::kRevolute, "base", "a");
  const Robot sound = robot;
  robot.joint("again", UrdfJoint::kRevolute, "b", "a");
  CHECK_TRUE(has(refusal(robot), "robot.urdf: link 'a': is the child of two joints"));

  robot = sound;
  robot.joint("self", UrdfJoint::kRevolute, "b", "b");
  CHECK_TRUE(has(refusal(robot), "link 'b': its joints form a cycle"));

  robot = sound;
  robot.joint("lost", UrdfJoint::kRevolute, "a", "c");
  CHECK_TRUE(has(refusal(robot), "joint 'lost': link 'c' does not exist"));

  robot = sound;
  robot.link("a");
  CHECK_TRUE(has(refusal(robot), "link 'a': exists twice"));
}
