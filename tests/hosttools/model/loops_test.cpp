#include "model/loops.hpp"

#include <Eigen/Geometry>

#include "hosttools/model/robots.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep;
using namespace lockstep::test;
using host::LoopDescription;
using host::Tree;
using maximal::ConstraintType;

namespace {

using Pose = Eigen::Isometry3d;

Pose pose(const Eigen::Matrix3d& R, const Eigen::Vector3d& p) {
  Pose X = Pose::Identity();
  X.linear() = R;
  X.translation() = p;
  return X;
}

// A base with two arms: shoulder, elbow and a welded hand; a rotor; a wheel.
Robot two_arms() {
  Robot robot;
  for (const char* name : {"base", "arm", "fore", "hand", "rotor", "wheel"}) robot.heavy_link(name);
  robot.joint("shoulder", UrdfJoint::kRevolute, "base", "arm").p_PJ = {0, 0, 1};
  robot.joint("elbow", UrdfJoint::kContinuous, "arm", "fore").axis = {0, -1, 0};
  JointDescription& weld = robot.joint("weld", UrdfJoint::kFixed, "fore", "hand");
  weld.R_PJ = Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, 3).normalized()).toRotationMatrix();
  weld.p_PJ = {0.1, 0.2, 0.3};
  robot.joint("rotor_joint", UrdfJoint::kContinuous, "arm", "rotor");
  robot.joint("roll", UrdfJoint::kPrismatic, "base", "wheel");
  return robot;
}

LoopDescription& add_loop(Robot& robot, ConstraintType type, const std::string& predecessor,
                          const std::string& successor) {
  LoopDescription loop;
  loop.name = "loop";
  loop.type = type;
  loop.predecessor.link = predecessor;
  loop.successor.link = successor;
  loop.line = 7;
  robot.description.loops.push_back(loop);
  return robot.description.loops.back();
}

void couple(Robot& robot, const std::string& predecessor, const std::string& successor,
            double ratio) {
  auto& coupling = robot.description.couplings.emplace_back();
  coupling = {"coupling", predecessor, successor, ratio};
  coupling.line = 9;
}

std::vector<CouplingTerm> terms_of(const Tree& tree, std::size_t coupling) {
  const Coupling& c = tree.couplings.at(coupling);
  return {tree.terms.begin() + c.first, tree.terms.begin() + c.first + c.count};
}

// The frame at `offset` in a record, in its body.
Pose frame_of(const maximal::ConstraintRecord& loop, std::size_t offset) {
  Pose X = Pose::Identity();
  X.linear() = Eigen::Map<const Eigen::Matrix3d>(loop.numbers.data() + offset);
  X.translation() = Eigen::Map<const Eigen::Vector3d>(loop.numbers.data() + offset + 9);
  return X;
}

}  // namespace

TEST_GROUP(Loops){};

TEST(Loops, FramesAreCarriedIntoTheBodiesWithTheAxisOnZ) {
  Robot robot = two_arms();
  LoopDescription& loop = add_loop(robot, ConstraintType::kRevolute, "hand", "base");
  loop.predecessor.R_LF = Eigen::AngleAxisd(0.3, Eigen::Vector3d::UnitY()).toRotationMatrix();
  loop.predecessor.p_LF = {1, 2, 3};
  loop.successor.p_LF = {4, 5, 6};
  loop.axis = Eigen::Vector3d(1, -2, 2) / 3;
  const Tree tree = robot.fixed();
  LONGS_EQUAL(1, tree.loops.size());
  STRCMP_EQUAL("loop", tree.loop_names[0].c_str());
  const maximal::ConstraintRecord& record = tree.loops[0];
  LONGS_EQUAL(static_cast<int>(ConstraintType::kRevolute), record.type);
  LONGS_EQUAL(index_of(tree.link_names, "fore"), record.a);
  LONGS_EQUAL(kWorld, record.b);

  // from the file: the hand on the forearm, whose body axes are R_LB in the link's
  const Body& fore = tree.bodies[static_cast<std::size_t>(record.a)];
  const JointDescription& weld = robot.description.joints[2];
  const Pose expected = pose(matrix(fore.R_LB).transpose(), {0, 0, 0}) *
                        pose(weld.R_PJ, weld.p_PJ) *
                        pose(loop.predecessor.R_LF, loop.predecessor.p_LF);
  const Pose A = frame_of(record, 0), B = frame_of(record, 12);
  CHECK_TRUE(A.translation().isApprox(expected.translation(), 1e-14));
  CHECK_TRUE(A.linear().col(2).isApprox(expected.linear() * loop.axis, 1e-14));
  CHECK_TRUE(B.translation() == loop.successor.p_LF);
  CHECK_TRUE(B.linear().col(2).isApprox(loop.axis, 1e-15));
  // the frames coincide where the file's do: one turn for both
  CHECK_TRUE((expected.linear().transpose() * A.linear()).isApprox(B.linear(), 1e-14));
  for (std::size_t i = 24; i < record.numbers.size(); ++i) DOUBLES_EQUAL(0, record.numbers[i], 0);
}

TEST(Loops, TypesWithoutAnAxisKeepTheirFramesAsTheyAre) {
  for (const auto type :
       {ConstraintType::kBall, ConstraintType::kFixed, ConstraintType::kUniversal}) {
    Robot robot = two_arms();
    add_loop(robot, type, "base", "wheel").axis = {0, 1, 0};
    CHECK_TRUE(frame_of(robot.fixed().loops[0], 0).linear().isIdentity(0));
  }
}

TEST(Loops, FloatingBaseIsABodyLikeAnyOther) {
  Robot robot = two_arms();
  add_loop(robot, ConstraintType::kBall, "base", "hand");
  LONGS_EQUAL(kWorld, robot.fixed().loops[0].a);
  LONGS_EQUAL(0, robot.floating().loops[0].a);
}

TEST(Loops, EndsWithoutMeaningAreRefusedInTheirLine) {
  Robot robot = two_arms();
  LoopDescription& loop = add_loop(robot, ConstraintType::kBall, "fore", "hand");
  CHECK_TRUE(has(refusal(robot), "robot.urdf: loop 'loop' in line 7: both ends are on one body"));
  loop.successor.link = "foot";
  CHECK_TRUE(has(refusal(robot), "loop 'loop' in line 7: link 'foot' does not exist"));
  robot.heavy_link("table");
  loop.predecessor.link = "base";
  loop.successor.link = "table";
  CHECK_TRUE(has(refusal(robot), "both ends are on the world"));
  CHECK_TRUE(refusal(robot, {.base = host::ReduceOptions::Base::kFloating}).empty());
}

TEST(Loops, CouplingSumsTheJointsBelowTheNearestCommonAncestor) {
  Robot robot = two_arms();
  couple(robot, "hand", "rotor", 6);
  couple(robot, "wheel", "hand", -0.5);
  couple(robot, "base", "fore", 3);  // an end that is the ancestor itself
  const Tree tree = robot.fixed();
  const int shoulder = index_of(tree.joint_names, "shoulder"),
            elbow = index_of(tree.joint_names, "elbow"),
            rotor = index_of(tree.joint_names, "rotor_joint"),
            roll = index_of(tree.joint_names, "roll");
  CHECK_TRUE((terms_of(tree, 0) == std::vector<CouplingTerm>{{elbow, -6}, {rotor, 1}}));
  CHECK_TRUE(
      (terms_of(tree, 1) == std::vector<CouplingTerm>{{shoulder, 1}, {elbow, 1}, {roll, 0.5}}));
  CHECK_TRUE((terms_of(tree, 2) == std::vector<CouplingTerm>{{shoulder, 1}, {elbow, 1}}));
  for (const Coupling& coupling : tree.couplings) DOUBLES_EQUAL(0, coupling.offset, 0);
}

TEST(Loops, CouplingOfSeveralCoordinatesIsRefused) {
  Robot robot = two_arms();
  couple(robot, "hand", "rotor", 6);
  robot.description.joints[1].type = UrdfJoint::kBall;
  CHECK_TRUE(
      has(refusal(robot), "coupling 'coupling' in line 9: joint 'elbow' on its path has several"));
  // above the common ancestor any joint will do
  robot.description.joints[1].type = UrdfJoint::kContinuous;
  robot.description.joints[0].type = UrdfJoint::kBall;
  CHECK_TRUE(refusal(robot).empty());
  robot.description.couplings[0].successor = "fore";
  CHECK_TRUE(has(refusal(robot), "no joint between its ends"));
  robot.description.couplings[0].predecessor = "foot";
  CHECK_TRUE(has(refusal(robot), "link 'foot' does not exist"));
}

TEST(Loops, MimicIsACouplingAfterTheFilesOwn) {
  Robot robot = two_arms();
  robot.description.joints[0].mimic = {"roll", -2, 0.25};
  couple(robot, "fore", "rotor", 6);
  const Tree tree = robot.fixed();
  LONGS_EQUAL(2, tree.couplings.size());
  STRCMP_EQUAL("shoulder", tree.coupling_names[1].c_str());
  DOUBLES_EQUAL(0.25, tree.couplings[1].offset, 0);
  const int roll = index_of(tree.joint_names, "roll");
  CHECK_TRUE((terms_of(tree, 1) == std::vector<CouplingTerm>{{0, 1}, {roll, 2}}));
  LONGS_EQUAL(1, host::reduce(robot.description, {.ignore_mimic = true}).couplings.size());
}

TEST(Loops, DependentJointsAreNoted) {
  Robot robot = two_arms();
  robot.description.joints[1].independent = false;
  robot.description.joints[2].independent = false;  // fixed
  CHECK_TRUE((robot.fixed().dependent == std::vector<int>{1}));
}
