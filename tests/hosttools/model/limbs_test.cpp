#include "model/limbs.hpp"

#include <CppUTest/TestHarness.h>

#include "support/random_tree.hpp"

using namespace lockstep;

namespace {

host::Tree tree_of(const std::vector<std::pair<int, JointType>>& bodies) {
  host::Tree tree;
  for (const auto& [parent, joint] : bodies)
    tree.bodies.push_back({.parent = parent, .joint = joint});
  return tree;
}

constexpr JointType kR = JointType::kRevolute, kP = JointType::kPrismatic;

// A binary tree, depth first.
void grow(host::Tree& tree, int parent, int depth) {
  const int here = static_cast<int>(tree.bodies.size());
  tree.bodies.push_back({.parent = parent, .joint = JointType::kBall});
  if (depth == 1) return;
  grow(tree, here, depth - 1);
  grow(tree, here, depth - 1);
}

}  // namespace

TEST_GROUP(FindLimbs){};

TEST(FindLimbs, AChainHasNone) {
  CHECK_TRUE(host::find_limbs(tree_of({{kWorld, kR}, {0, kR}, {1, kR}, {2, kR}})).empty());
  CHECK_TRUE(host::find_limbs({}).empty());
}

TEST(FindLimbs, FourLegsGoTogether) {
  const host::Tree tree = tree_of({{kWorld, JointType::kFloating},
                                   {0, kR},
                                   {1, kR},
                                   {0, kR},
                                   {3, kR},
                                   {0, kR},
                                   {5, kR},
                                   {0, kR},
                                   {7, kR}});
  const std::vector<Limbs> limbs = host::find_limbs(tree);
  CHECK_EQUAL(1u, limbs.size());
  CHECK_TRUE(limbs[0] == (Limbs{{1, 3, 5, 7}, 2}));
}

TEST(FindLimbs, TwoFillTheLanesWithTheFirstAgain) {
  const std::vector<Limbs> limbs = host::find_limbs(tree_of({{kWorld, kR}, {0, kP}, {0, kP}}));
  CHECK_EQUAL(1u, limbs.size());
  CHECK_TRUE(limbs[0] == (Limbs{{1, 2, 1, 1}, 1}));
}

TEST(FindLimbs, OtherJointsAreAnotherShape) {
  CHECK_TRUE(host::find_limbs(tree_of({{kWorld, kR}, {0, kP}, {0, kR}})).empty());
}

TEST(FindLimbs, ABinaryTreeSplitsIntoFourRatherThanTwo) {
  host::Tree tree;
  grow(tree, kWorld, 5);
  const std::vector<Limbs> limbs = host::find_limbs(tree);
  CHECK_EQUAL(1u, limbs.size());
  CHECK_EQUAL(7, limbs[0].size);
}

TEST(FindLimbs, GroupsDoNotOverlapAndHaveOneShape) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    host::Tree tree;
    tree.bodies = test::random_tree({.bodies = 40, .seed = seed, .only_turning = true});
    std::vector<int> owner(tree.bodies.size(), -1);
    const std::vector<Limbs> limbs = host::find_limbs(tree);
    for (int g = 0; g < static_cast<int>(limbs.size()); ++g) {
      const Limbs& these = limbs[static_cast<std::size_t>(g)];
      for (std::size_t k = 0; k < these.roots.size(); ++k) {
        if (k > 0 && these.roots[k] == these.roots[0]) continue;
        for (int i = 0; i < these.size; ++i) {
          const auto at = static_cast<std::size_t>(these.roots[k] + i);
          CHECK_EQUAL(-1, owner[at]);
          owner[at] = g;
          const Body& first = tree.bodies[static_cast<std::size_t>(these.roots[0] + i)];
          CHECK_TRUE(tree.bodies[at].joint == first.joint);
          if (i > 0) {
            CHECK_EQUAL(first.parent - these.roots[0], tree.bodies[at].parent - these.roots[k]);
          }
        }
      }
    }
  }
}
