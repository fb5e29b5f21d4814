// The emitted headers are a product: here they are compiled, and hold what the tool read.
#include <cmath>

#include "hosttools/compile/robot_files.hpp"
#include "linked_robot.hpp"
#include "lockstep/contact/model_colliders.hpp"
#include "lockstep/solver.hpp"
#include "lockstep/table_model.hpp"
#include "model/content_hash.hpp"
#include "model/order.hpp"
#include "model/sizes.hpp"
#include "model/tree_colliders.hpp"
#include "odd_robot.hpp"
#include "odd_robot_floating.hpp"
#include "rigid_robot.hpp"
#include "six_axis_arm.hpp"
#include "touching_robot.hpp"

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

// Places in q and v are those of the table model, in all three ways to ask.
template <class Model>
void check_joints(const Tree& tree) {
  const auto table = std::make_unique<NamedTableModel<double, 64>>();
  CHECK_TRUE(Status::kOk == table->assign(tree.bodies, Model::kJointNames));
  LONGS_EQUAL(tree.bodies.size(), Model::kJoints.size());
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const BodyData<double>& body = table->bodies()[i];
    const JointIndex expected = {static_cast<int>(i), body.q, body.v};
    CHECK_TRUE(expected == Model::kJoints[i]);
    CHECK_TRUE(expected == table->joint(tree.joint_names[i]));
    CHECK_TRUE((expected == StaticModel<Model, float>{}.joint(tree.joint_names[i])));
  }
  CHECK_FALSE(table->joint("no such joint").has_value());
  CHECK_FALSE((StaticModel<Model, float>{}.joint("no such joint").has_value()));
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
  check_joints<Model>(tree);
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

TEST(Emitted, ShapesAreThereWhereTheRobotHasThem) {
  const Tree tree = load(test::touching_robot_file());
  check_same<touching_robot>(tree);
  CHECK_TRUE(std::ranges::equal(touching_robot::kColliders, tree.colliders));
  CHECK_TRUE(std::ranges::equal(touching_robot::kColliderPoints, tree.collider_points));
  CHECK_TRUE(std::ranges::equal(touching_robot::kColliderPairs, tree.collider_pairs));
  check_names(tree.collider_names, touching_robot::kColliderNames);
  LONGS_EQUAL(6, touching_robot::kColliders.size());
  LONGS_EQUAL(6, touching_robot::kColliderPoints.size());
  LONGS_EQUAL(3, touching_robot::kColliderPairs.size());  // the post with trunk, bumper, spoke
}

// Static and at run time, one list of contacts: the robot has sunk into the floor beside the post.
TEST(Emitted, ShapesTouchAsThoseOfTheTree) {
  using Shapes = contact::ModelColliders<touching_robot, float>;
  using List = contact::ContactList<float, Shapes::kMostContacts>;
  const host::TreeColliders<float> table(load(test::touching_robot_file()));
  const contact::Plane<float> floor = {.material = {0.5f, 0}};
  CHECK_TRUE(contact::check<float>(Shapes::colliders(), Shapes::pairs(), floor, 2) == Status::kOk);
  const std::array<Placement<float>, 2> X_WB = {{
      {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {1.65f, 0, 0.02f}},
      {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {1.65f, 0.2f, -0.1f}},
  }};
  List fixed, loaded;
  CHECK_TRUE(contact::detect<float>(Shapes::colliders(), Shapes::pairs(), X_WB, floor, 0.1f,
                                    fixed) == Status::kOk);
  CHECK_TRUE(contact::detect<float>(table.colliders(), table.pairs(), X_WB, floor, 0.1f, loaded) ==
             Status::kOk);
  CHECK_TRUE(fixed.size() > 8 && fixed.size() == loaded.size() && fixed.dropped() == 0);
  for (int i = 0; i < fixed.size(); ++i) {
    CHECK_TRUE(fixed[i].distance == loaded[i].distance && fixed[i].point.x == loaded[i].point.x);
    CHECK_TRUE(fixed[i].material.friction == loaded[i].material.friction);
  }
  // the bumper at x = 1.9 with radius 0.05 and the post's side at 1.9
  const contact::Contact<float>& bump = fixed[fixed.size() - 1];
  LONGS_EQUAL(0, bump.a == kWorld ? bump.b : bump.a);
  DOUBLES_EQUAL(-0.05, bump.distance, 1e-6);
  DOUBLES_EQUAL(std::sqrt(0.25 * 1.5), bump.material.friction, 1e-6);
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
