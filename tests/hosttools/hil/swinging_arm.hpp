// A small robot for runs in the loop: a revolute and a prismatic joint with limits, and a ball.
#pragma once

#include "hosttools/model/robots.hpp"

namespace lockstep::test {

inline Robot swinging_arm() {
  Robot robot;
  for (const char* name : {"base", "arm", "slide", "hand"}) robot.heavy_link(name);
  robot.joint("shoulder", UrdfJoint::kRevolute, "base", "arm").limits = {
      .lower = -1, .upper = 2, .velocity = 3, .effort = 40};
  robot.joint("lift", UrdfJoint::kPrismatic, "arm", "slide").limits = {
      .lower = 0, .upper = 0.5, .velocity = 1, .effort = 50};
  robot.joint("wrist", UrdfJoint::kBall, "slide", "hand");
  return robot;
}

}  // namespace lockstep::test
