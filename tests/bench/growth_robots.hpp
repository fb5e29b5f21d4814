// Robots of any length for the pictures of growth: frames in general position, no zeros to leave
// out, one kind of joint.
#pragma once

#include "support/random_tree.hpp"

namespace lockstep::bench {

enum class Growth { kChain, kTree };  // a tree's bodies carry two others each

inline std::vector<Body> growth_robot(Growth shape, JointType joint, int joints) {
  std::vector<Body> bodies = test::random_tree(
      {.shape = test::Shape::kChain, .bodies = joints, .seed = 3, .only_turning = true});
  for (int i = 0; i < joints; ++i) {
    Body& body = bodies[static_cast<std::size_t>(i)];
    body.joint = joint;
    if (shape == Growth::kTree && i > 0) body.parent = (i - 1) / 2;
  }
  return bodies;
}

}  // namespace lockstep::bench
