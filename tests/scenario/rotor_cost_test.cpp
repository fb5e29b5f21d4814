// What rotors behind every joint cost, in operations of one call: merged, over the same robot with
// its rotors held still, and over rotors that are bodies.
#include <CppUTest/TestHarness.h>

#include "emit/straight_line.hpp"
#include "inspect/operations.hpp"
#include "model/limbs.hpp"
#include "model/load.hpp"
#include "model/merge.hpp"
#include "support/geared_tree.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;

namespace {

host::Tree geared_quadruped() {
  host::LoadOptions options;
  options.file = std::string(LOCKSTEP_MODELS_DIR) + "/geared_quadruped.urdf";
  options.quiet = true;
  options.reduce.base = host::ReduceOptions::Base::kFloating;
  return host::load_tree(options);
}

host::Tree with_still_rotors(host::Tree tree) {
  for (Body& body : tree.bodies) body.armature = 0, body.spin = {};
  return tree;
}

double in_table(const host::Tree& tree) {
  const host::OperationCount count = host::count_operations(tree);
  return static_cast<double>(count.adds + count.multiplies + count.divides + count.negations);
}

double in_straight_line(const host::Tree& tree) {
  return static_cast<double>(host::straight_line(tree).total());
}

double with_limbs_in_lanes(const host::Tree& tree) {
  return static_cast<double>(host::straight_line(tree, host::find_limbs(tree)).total());
}

}  // namespace

TEST_GROUP(RotorCost){};

TEST(RotorCost, AQuadrupedWithTwelveRotorsCostsLittleMoreThanWithout) {
  const host::Tree merged = geared_quadruped(), still = with_still_rotors(merged);
  LONGS_EQUAL(13, merged.bodies.size());
  LONGS_EQUAL(12, merged.rotors.size());
  CHECK_AT_MOST(1.2, in_table(merged) / in_table(still), "table");
  CHECK_AT_MOST(1.2, in_straight_line(merged) / in_straight_line(still), "straight line");
  CHECK_AT_MOST(1.2, with_limbs_in_lanes(merged) / with_limbs_in_lanes(still), "limbs in lanes");
}

// A rotor behind every joint that is not round about its axis, so that it stays a body, with a
// reaction of its own: twice the bodies, but no rows.
TEST(RotorCost, AHumanoidWithLopsidedRotorsCostsLessThanTwiceTheBodies) {
  host::LoadOptions options;
  options.file = std::string(LOCKSTEP_MODELS_DIR) + "/humanoid.urdf";
  options.quiet = true;
  options.reduce.base = host::ReduceOptions::Base::kFloating;
  const host::Tree plain = host::load_tree(options);
  host::Tree geared = plain;
  for (int i = 0; i < static_cast<int>(plain.bodies.size()); ++i) {
    const Body& joint = plain.bodies[static_cast<std::size_t>(i)];
    if (joint.joint != JointType::kRevolute) continue;
    Body rotor = {.parent = joint.parent, .R_PJ = joint.R_PJ, .p_PJ = joint.p_PJ, .mass = 0.07};
    rotor.inertia = {2e-5, 0, 0, 5e-5, 0, 2e-5};
    geared.couplings.push_back({.first = static_cast<int>(geared.terms.size()), .count = 2});
    geared.terms.push_back({i, -6});
    geared.terms.push_back({static_cast<int>(geared.bodies.size()), 1});
    geared.coupling_names.push_back("gear");
    geared.bodies.push_back(rotor);
    geared.link_names.push_back("rotor");
    geared.joint_names.push_back("spin");
  }
  const host::Tree tied = host::merge_rotors(geared);
  LONGS_EQUAL(0, tied.couplings.size() + tied.rotors.size());
  LONGS_EQUAL(geared.bodies.size(), tied.bodies.size());
  CHECK_AT_MOST(2.0, in_straight_line(tied) / in_straight_line(plain), "straight line");
}

// No direction of a rotor's axis is free of charge.
TEST(RotorCost, RotorsInGeneralPositionCostLessThanHalfTheTree) {
  const host::Tree merged = host::merge_rotors(
      test::geared_tree({.shape = test::Shape::kRandom, .bodies = 12, .only_turning = true}));
  const host::Tree still = with_still_rotors(merged);
  CHECK_AT_MOST(1.5, in_table(merged) / in_table(still), "table");
  CHECK_AT_MOST(1.5, in_straight_line(merged) / in_straight_line(still), "straight line");
}
