// The emitted headers are a product: here they are compiled, and hold what the tool read.
#include "hosttools/compile/robot_files.hpp"
#include "inspect/sizes.hpp"
#include "linked_robot.hpp"
#include "lockstep/solver.hpp"
#include "model/content_hash.hpp"
#include "model/order.hpp"
#include "odd_robot.hpp"
#include "odd_robot_floating.hpp"
#include "rigid_robot.hpp"
#include "six_axis_arm.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep;
using host::Sizes;
using host::Tree;
using test::load;

namespace {

template <class Names>
void check_names(const std::vector<std::string>& expected, const Names& names) {
  LONGS_EQUAL(expected.size(), names.size());
  for (std::size_t i = 0; i < names.size(); ++i) CHECK_TRUE(names[i] == expected[i]);
}

template <class Model>
void check_same(const Tree& tree) {
  CHECK_TRUE(Model::kName == tree.name);
  CHECK_TRUE(Model::kHash == host::content_hash(tree));
  CHECK_TRUE(std::ranges::equal(Model::kBodies, tree.bodies));
  CHECK_TRUE(std::ranges::equal(Model::kFrames, tree.frames));
  CHECK_TRUE(std::ranges::equal(Model::kForward, host::forward_order(tree)));
  check_names(tree.link_names, Model::kLinkNames);
  check_names(tree.joint_names, Model::kJointNames);
  check_names(tree.frame_names, Model::kFrameNames);
}

template <class Model, class T>
void check_sizes(const Tree& tree) {
  using ModelSolver = Solver<Model, T>;
  const Sizes sizes = host::sizes<T>(tree);
  LONGS_EQUAL(sizeof(ModelSolver), sizes.workspace);
  LONGS_EQUAL(sizeof(typename ModelSolver::Input), sizes.input);
  LONGS_EQUAL(sizeof(typename ModelSolver::Output), sizes.output);
}

}  // namespace

TEST_GROUP(Emitted){};

TEST(Emitted, HeaderHoldsEveryBitOfTheTree) {
  check_same<odd_robot>(load(test::odd_robot_file()));
  check_same<odd_robot_floating>(
      load(test::odd_robot_file(), {.base = host::ReduceOptions::Base::kFloating}));
  check_same<six_axis_arm>(load(LOCKSTEP_MODELS_DIR "/six_axis_arm.urdf"));
}

TEST(Emitted, LoopsAndCouplingsAreThereWhereTheRobotHasThem) {
  const Tree tree = load(test::linked_robot_file());
  check_same<linked_robot>(tree);
  CHECK_TRUE(std::ranges::equal(linked_robot::kLoops, tree.loops));
  CHECK_TRUE(std::ranges::equal(linked_robot::kCouplings, tree.couplings));
  CHECK_TRUE(std::ranges::equal(linked_robot::kCouplingTerms, tree.terms));
  check_names(tree.loop_names, linked_robot::kLoopNames);
  check_names(tree.coupling_names, linked_robot::kCouplingNames);
  LONGS_EQUAL(2, linked_robot::kLoops.size());
  LONGS_EQUAL(2, linked_robot::kCouplings.size());
}

TEST(Emitted, RobotWithoutBodiesCompiles) {
  check_same<rigid_robot>(load(test::rigid_robot_file()));
  LONGS_EQUAL(0, rigid_robot::kBodies.size());
  LONGS_EQUAL(2, rigid_robot::kFrames.size());
}

TEST(Emitted, HashesTellTheBasesApart) {
  CHECK_TRUE(odd_robot::kHash != odd_robot_floating::kHash);
}

TEST(Emitted, SizesThatInspectTellsAreTheSolvers) {
  const Tree tree = load(LOCKSTEP_MODELS_DIR "/six_axis_arm.urdf");
  check_sizes<six_axis_arm, float>(tree);
  check_sizes<six_axis_arm, double>(tree);
  check_sizes<odd_robot, float>(load(test::odd_robot_file()));
  check_sizes<odd_robot, double>(load(test::odd_robot_file()));
}
