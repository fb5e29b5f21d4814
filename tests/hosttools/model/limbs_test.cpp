#include "model/limbs.hpp"

#include <map>

#include "support/allocation_guard.hpp"
#include "support/random.hpp"
#include "support/random_tree.hpp"

#include <CppUTest/TestHarness.h>

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

// The work grows with the bodies, not with their square: twice as many limbs, twice the memory
// asked for.
TEST(FindLimbs, TwiceTheLimbsAreTwiceTheWork) {
  const auto asked = [](int limbs) {
    host::Tree tree = tree_of({{kWorld, kR}});
    for (int i = 0; i < limbs; ++i) tree.bodies.push_back({.parent = 0, .joint = kP});
    std::size_t found = 0;
    const int count = test::allocations_in([&] { found = host::find_limbs(tree).size(); });
    LONGS_EQUAL((limbs + 3) / 4, found);
    return count;
  };
  const double few = asked(400), many = asked(800);
  CHECK_TRUE(many < 2.5 * few);
}

namespace {

// Every shape written out and looked for anew after each choice: the definition.
std::vector<Limbs> find_slowly(const std::vector<Body>& bodies) {
  const int count = static_cast<int>(bodies.size());
  const auto inside = [&](int root, int i) {
    while (i != kWorld && i != root) i = bodies[at(i)].parent;
    return i == root;
  };
  std::vector<bool> taken(bodies.size(), false);
  std::vector<Limbs> found;
  while (true) {
    std::map<std::vector<int>, std::vector<int>> shapes;
    for (int root = 0; root < count; ++root) {
      int size = 0, last = root;
      bool free = true;
      for (int i = root; i < count; ++i) {
        if (!inside(root, i)) continue;
        ++size, last = i;
        free = free && !taken[at(i)];
      }
      if (!free || last - root + 1 != size) continue;
      std::vector<int> shape;
      for (int i = root; i <= last; ++i) {
        shape.push_back(static_cast<int>(bodies[at(i)].joint));
        shape.push_back(i == root ? kWorld : bodies[at(i)].parent - root);
      }
      if (shapes[shape].size() < 4) shapes[shape].push_back(root);
    }
    Limbs best;
    int most = 0;
    for (const auto& [shape, roots] : shapes) {
      const int size = static_cast<int>(shape.size()) / 2;
      const int saved = size * (static_cast<int>(roots.size()) - 1);
      if (saved <= most) continue;
      most = saved;
      best.size = size;
      best.roots.fill(roots.front());
      std::ranges::copy(roots, best.roots.begin());
    }
    if (most == 0) return found;
    for (const int root : best.roots) std::fill_n(taken.begin() + root, best.size, true);
    found.push_back(best);
  }
}

}  // namespace

TEST(FindLimbs, RandomForestsHaveTheLimbsOfTheDefinition) {
  test::Random random(5);
  for (int trial = 0; trial < 200; ++trial) {
    host::Tree tree;
    const int reach = 1 + random.below(6);
    for (int i = 0; i < 40; ++i) {
      const int parent =
          i == 0 || random.below(10) == 0 ? kWorld : std::max(0, i - 1 - random.below(reach));
      tree.bodies.push_back({.parent = parent, .joint = random.below(4) == 0 ? kP : kR});
    }
    CHECK_TRUE(host::find_limbs(tree) == find_slowly(tree.bodies));
  }
}
