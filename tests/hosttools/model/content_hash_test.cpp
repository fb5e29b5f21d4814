#include "model/content_hash.hpp"

#include <functional>

#include "hosttools/model/robots.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep;
using host::content_hash;
using host::Tree;

TEST_GROUP(ContentHash){};

TEST(ContentHash, EveryNameAndNumberCounts) {
  Tree tree = test::random_robot(5, 6).floating();
  tree.loops.resize(1);
  tree.loop_names = {"loop"};
  tree.couplings = {{.first = 0, .count = 2, .offset = 0}};
  tree.terms = {{0, 1}, {1, 2}};
  tree.coupling_names = {"coupling"};
  tree.colliders = {{.count = 1}, {.body = 0}};
  tree.collider_names = {"points", "ball"};
  tree.collider_points = {{1, 2, 3}};
  tree.collider_pairs = {{0, 1}};
  const std::vector<std::function<void(Tree&)>> changes = {
      [](Tree& t) { t.name += "x"; },
      [](Tree& t) { t.link_names[1] += "x"; },
      [](Tree& t) { t.joint_names[1] += "x"; },
      [](Tree& t) { t.frame_names[1] += "x"; },
      [](Tree& t) { t.bodies[1].parent = kWorld; },
      [](Tree& t) { t.bodies[0].joint = JointType::kPlanar; },
      [](Tree& t) { t.bodies[1].R_PJ[8] += 1e-15; },
      [](Tree& t) { t.bodies[1].p_PJ[2] += 1e-15; },
      [](Tree& t) { t.bodies[1].R_LB[8] += 1e-15; },
      [](Tree& t) { t.bodies[1].mass += 1e-15; },
      [](Tree& t) { t.bodies[1].h[2] += 1e-15; },
      [](Tree& t) { t.bodies[1].inertia[5] += 1e-15; },
      [](Tree& t) { t.bodies[1].damping += 1; },
      [](Tree& t) { t.bodies[1].armature += 1; },
      [](Tree& t) { t.bodies[1].stiffness += 1; },
      [](Tree& t) { t.bodies[1].friction += 1; },
      [](Tree& t) { t.bodies[1].limits.lower = 1; },
      [](Tree& t) { t.bodies[1].limits.upper = 1; },
      [](Tree& t) { t.bodies[1].limits.velocity = 1; },
      [](Tree& t) { t.bodies[1].limits.effort = 1; },
      [](Tree& t) { t.bodies[1].mimic.body = 0; },
      [](Tree& t) { t.bodies[1].mimic.multiplier = 2; },
      [](Tree& t) { t.bodies[1].mimic.offset = 2; },
      [](Tree& t) { t.frames[1].body = kWorld; },
      [](Tree& t) { t.frames[1].R_BF[8] += 1e-15; },
      [](Tree& t) { t.frames[1].p_BF[2] += 1e-15; },
      [](Tree& t) { t.bodies.pop_back(); },
      [](Tree& t) { t.frames.pop_back(); },
      [](Tree& t) { t.loop_names[0] += "x"; },
      [](Tree& t) { t.loops[0].type = 1; },
      [](Tree& t) { t.loops[0].a = 0; },
      [](Tree& t) { t.loops[0].b = 0; },
      [](Tree& t) { t.loops[0].numbers[31] = 1; },
      [](Tree& t) { t.loops[0].stiffness = 1; },
      [](Tree& t) { t.loops[0].damping = 1; },
      [](Tree& t) { t.couplings[0].stiffness = 1; },
      [](Tree& t) { t.couplings[0].damping = 1; },
      [](Tree& t) { t.loops.pop_back(); },
      [](Tree& t) { t.coupling_names[0] += "x"; },
      [](Tree& t) { t.couplings[0].offset = 1; },
      [](Tree& t) { t.couplings[0].count = 1; },
      [](Tree& t) { t.terms[1].body = 0; },
      [](Tree& t) { t.terms[1].coefficient = 3; },
      [](Tree& t) { t.couplings.pop_back(); },
      [](Tree& t) { t.collider_names[1] += "x"; },
      [](Tree& t) { t.colliders[1].body = 1; },
      [](Tree& t) { t.colliders[1].type = contact::ShapeType::kBox; },
      [](Tree& t) { t.colliders[1].half[2] = 1; },
      [](Tree& t) { t.colliders[1].radius = 1; },
      [](Tree& t) { t.colliders[1].R_BS[8] += 1e-15; },
      [](Tree& t) { t.colliders[1].p_BS[2] = 1; },
      [](Tree& t) { t.colliders[1].friction = 1; },
      [](Tree& t) { t.colliders[1].restitution = 1; },
      [](Tree& t) { t.colliders[0].count = 0; },
      [](Tree& t) { t.collider_points[0][2] = 1; },
      [](Tree& t) { t.colliders.pop_back(); },
      [](Tree& t) { t.collider_pairs[0].a = 1; },
      [](Tree& t) { t.collider_pairs[0].b = 0; },
      [](Tree& t) { t.collider_pairs.pop_back(); },
  };
  for (const auto& change : changes) {
    Tree changed = tree;
    change(changed);
    CHECK_TRUE(content_hash(changed) != content_hash(tree));
  }
}

// Computed once, byte by byte, outside this program: four bytes of length and "ab", then two
// counts of zero in four bytes each.
TEST(ContentHash, FollowsTheDocumentedOrder) {
  Tree tree;
  tree.name = "ab";
  CHECK_TRUE(content_hash(tree) == 0xD728ED1EF6F95DA0u);
}
