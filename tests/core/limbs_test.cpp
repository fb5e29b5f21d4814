// Limbs side by side give the bits of the bodies one after another, whatever the machine's vector
// width: lanes that do not fit a register are split.
#include "lockstep/limbs.hpp"

#include <CppUTest/TestHarness.h>

#include <cstring>
#include <vector>

#include "lockstep/table_model.hpp"
#include "model/limbs.hpp"
#include "model/table.hpp"
#include "support/random_tree.hpp"

using namespace lockstep;

namespace {

// A random trunk with copies of a random limb on some of its bodies, of the world, and of other
// limbs; masses and frames differ from copy to copy.
host::Tree tree_with_limbs(int copies, std::uint64_t seed) {
  host::Tree tree;
  tree.bodies = test::random_tree({.bodies = 3, .seed = seed});
  test::Random random(seed);
  const auto numbers =
      test::random_tree({.shape = test::Shape::kRandom, .bodies = 5, .seed = seed + 1000});
  for (int copy = 0; copy < copies; ++copy) {
    const int first = static_cast<int>(tree.bodies.size());
    const int carrier = random.below(4) - 1;
    for (Body body : numbers) {
      body.parent = body.parent == kWorld ? carrier : body.parent + first;
      body.mass *= random.uniform(1, 2);
      for (double& x : body.p_PJ) x += random.uniform(-0.1, 0.1);
      if (seed % 2 == 0 && dof_count(body.joint) == 1) {  // rotors behind every joint
        body.armature = random.uniform(0.1, 0.2);
        for (double& x : body.spin) x = random.uniform(-0.05, 0.05);
      }
      if (seed % 3 == 0 && dof_count(body.joint) == 1) {  // a spring in some of the copies
        body.stiffness = copy == 1 ? 0 : random.uniform(1, 2), body.rest = 0.2;
      }
      tree.bodies.push_back(body);
    }
  }
  return tree;
}

template <class T>
struct Numbers {
  std::vector<T> q, v, tau, gravity, external;
  std::vector<T> vdot, reaction, lambda;

  Numbers(const host::DenseInput& in, std::size_t bodies, int multipliers) {
    const auto copy = [](const auto& from, std::vector<T>& to) {
      for (Eigen::Index i = 0; i < from.size(); ++i) to.push_back(static_cast<T>(from.data()[i]));
    };
    copy(in.q, q), copy(in.v, v), copy(in.tau, tau), copy(in.gravity, gravity);
    copy(in.external, external);
    vdot.resize(v.size());
    reaction.resize(6 * bodies);
    lambda.resize(static_cast<std::size_t>(multipliers));
  }
  PassInput<T> ask(bool with_external) const {
    return {q.data(), v.data(), tau.data(), gravity.data(),
            with_external ? external.data() : nullptr};
  }
  PassOutput<T> answer() { return {vdot.data(), reaction.data(), lambda.data()}; }
};

// +0 and -0 are equal here: Solver makes them one
template <class T>
void check_equal(const std::vector<T>& a, const std::vector<T>& b) {
  CHECK_EQUAL(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) CHECK_TRUE(a[i] == b[i]);
}

template <class T>
void check_tree(const host::Tree& tree, std::uint64_t seed) {
  const std::vector<Limbs> limbs = host::find_limbs(tree);
  const host::LimbLists<T> lists(tree, limbs);
  const auto model = host::to_table<T>(tree);
  test::Random random(seed);
  for (int state = 0; state < 5; ++state) {
    const host::DenseInput in = test::random_state(tree.bodies, random);
    for (const bool external : {false, true}) {
      Numbers<T> one(in, tree.bodies.size(), lists.counts.lambda), several = one;
      std::vector<BodyState<T>> states(tree.bodies.size());
      std::vector<LimbState<LimbLanesOf<T>>> limb_states(lists.limb_bodies.size() +
                                                         lists.groups.size());
      const auto expected = run_passes(*model, one.ask(external), states.data(), one.answer());
      const auto found = run_limb_passes<T>(lists.plan(), several.ask(external), states.data(),
                                            limb_states.data(), several.answer());
      CHECK_TRUE(expected.positive && found.positive);
      CHECK_TRUE(expected.finite && found.finite);
      check_equal(one.vdot, several.vdot);
      check_equal(one.reaction, several.reaction);
      check_equal(one.lambda, several.lambda);
    }
  }
}

}  // namespace

TEST_GROUP(LimbPasses){};

TEST(LimbPasses, GiveTheBitsOfTheBodiesOneByOne) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    for (const int copies : {0, 1, 2, 3, 4, 5, 9}) {
      const host::Tree tree = tree_with_limbs(copies, seed);
      if (copies >= 2) CHECK_TRUE(!host::find_limbs(tree).empty());
      check_tree<double>(tree, seed);
      check_tree<float>(tree, seed);
    }
  }
}

TEST(LimbPasses, AnOverflowInOneLimbIsSeen) {
  const host::Tree tree = tree_with_limbs(4, 3);
  const host::LimbLists<double> lists(tree, host::find_limbs(tree));
  test::Random random(1);
  host::DenseInput in = test::random_state(tree.bodies, random);
  in.tau[in.tau.size() - 1] = 1e308;
  in.tau[in.tau.size() - 2] = 1e308;
  Numbers<double> numbers(in, tree.bodies.size(), lists.counts.lambda);
  std::vector<BodyState<double>> states(tree.bodies.size());
  std::vector<LimbState<LimbLanesOf<double>>> limb_states(lists.limb_bodies.size() +
                                                          lists.groups.size());
  CHECK_FALSE(run_limb_passes<double>(lists.plan(), numbers.ask(false), states.data(),
                                      limb_states.data(), numbers.answer())
                  .finite);
}
