#include "model/reduce.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

#include "hosttools/model/robots.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep;
using namespace lockstep::test;
using host::Tree;

namespace {

using Pose = Eigen::Isometry3d;

Pose pose(const Eigen::Matrix3d& R, const Eigen::Vector3d& p) {
  Pose X = Pose::Identity();
  X.linear() = R;
  X.translation() = p;
  return X;
}

// Every link's pose in the root link at the zero position, from the description alone.
std::vector<Pose> poses_of_links(const Description& robot) {
  std::vector<Pose> poses(robot.links.size(), Pose::Identity());
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    std::string name = robot.links[i].name;
    for (bool climbed = true; climbed;) {
      climbed = false;
      for (const JointDescription& joint : robot.joints) {
        if (joint.child_link != name) continue;
        poses[i] = pose(joint.R_PJ, joint.p_PJ) * poses[i];
        name = joint.parent_link;
        climbed = true;
        break;
      }
    }
  }
  return poses;
}

std::vector<Pose> poses_of_bodies(const Tree& tree) {
  std::vector<Pose> poses;
  for (const Body& body : tree.bodies) {
    const Pose X_PJ = pose(matrix(body.R_PJ), vector(body.p_PJ));
    poses.push_back(body.parent == kWorld ? X_PJ
                                          : poses[static_cast<std::size_t>(body.parent)] * X_PJ);
  }
  return poses;
}

// Six points on the principal axes weigh, balance and turn like the link.
struct Point {
  double mass;
  Eigen::Vector3d at;
};
std::vector<Point> point_masses(const LinkDescription& link) {
  const Eigen::Matrix3d moments =
      link.inertia.trace() / 2 * Eigen::Matrix3d::Identity() - link.inertia;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(moments);
  std::vector<Point> points;
  for (int k = 0; k < 3; ++k) {
    const Eigen::Vector3d arm =
        std::sqrt(3 * axes.eigenvalues()[k] / link.mass) * axes.eigenvectors().col(k);
    points.push_back({link.mass / 6, link.com + arm});
    points.push_back({link.mass / 6, link.com - arm});
  }
  return points;
}

void check_near(const Eigen::Ref<const Eigen::MatrixXd>& a,
                const Eigen::Ref<const Eigen::MatrixXd>& b, double tolerance) {
  CHECK_TRUE((a - b).cwiseAbs().maxCoeff() <= tolerance);
}

// Two robots in one file: a base with an arm of two links, then a cart.
Robot two_roots() {
  Robot robot;
  for (const char* name : {"cart", "base", "hand", "arm", "wheel"}) robot.heavy_link(name);
  robot.joint("elbow", UrdfJoint::kRevolute, "arm", "hand");
  robot.joint("roll", UrdfJoint::kContinuous, "cart", "wheel");
  robot.joint("shoulder", UrdfJoint::kRevolute, "base", "arm");
  return robot;
}

}  // namespace

TEST_GROUP(Reduce){};

TEST(Reduce, LumpedBodiesWeighLikeTheirPointMasses) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Robot robot = random_robot(seed, 12);
    const Tree tree = robot.floating();
    const auto X_WL = poses_of_links(robot.description);
    const auto X_WB = poses_of_bodies(tree);
    for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
      double mass = 0;
      Eigen::Vector3d h = Eigen::Vector3d::Zero();
      Eigen::Matrix3d inertia = Eigen::Matrix3d::Zero();
      for (std::size_t link = 0; link < tree.frames.size(); ++link) {
        if (tree.frames[link].body != static_cast<int>(i)) continue;
        for (const Point& point : point_masses(robot.description.links[link])) {
          const Eigen::Vector3d p = X_WB[i].inverse() * (X_WL[link] * point.at);
          mass += point.mass;
          h += point.mass * p;
          inertia +=
              point.mass * (p.squaredNorm() * Eigen::Matrix3d::Identity() - p * p.transpose());
        }
      }
      const Body& body = tree.bodies[i];
      const auto& I = body.inertia;
      DOUBLES_EQUAL(mass, body.mass, 1e-13 * mass);
      check_near(h, vector(body.h), 1e-13 * mass * 10);
      check_near(inertia,
                 Eigen::Matrix3d{{I[0], I[1], I[2]}, {I[1], I[3], I[4]}, {I[2], I[4], I[5]}},
                 1e-13 * inertia.trace());
    }
  }
}

TEST(Reduce, FramesKeepEveryLinksPlace) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Robot robot = random_robot(seed, 12);
    for (const Tree& tree : {robot.fixed(), robot.floating()}) {
      const auto X_WL = poses_of_links(robot.description);
      const auto X_WB = poses_of_bodies(tree);
      LONGS_EQUAL(robot.description.links.size(), tree.frames.size());
      for (std::size_t link = 0; link < tree.frames.size(); ++link) {
        STRCMP_EQUAL(robot.description.links[link].name.c_str(), tree.frame_names[link].c_str());
        const NamedFrame& frame = tree.frames[link];
        const Pose X_BF = pose(matrix(frame.R_BF), vector(frame.p_BF));
        const Pose X_WF =
            frame.body == kWorld ? X_BF : X_WB[static_cast<std::size_t>(frame.body)] * X_BF;
        check_near(X_WL[link].matrix(), X_WF.matrix(), 1e-13);
      }
    }
  }
}

TEST(Reduce, BodyFramesStandOnTheJointAxes) {
  const Robot robot = random_robot(7, 30);
  const Tree tree = robot.fixed();
  CHECK_TRUE(tree.bodies.size() > 10);
  for (const JointDescription& joint : robot.description.joints) {
    if (joint.type == UrdfJoint::kFixed) continue;
    const int i = index_of(tree.joint_names, joint.name);
    const Body& body = tree.bodies.at(static_cast<std::size_t>(i));
    STRCMP_EQUAL(joint.child_link.c_str(), tree.link_names[static_cast<std::size_t>(i)].c_str());
    if (joint.type == UrdfJoint::kBall || joint.type == UrdfJoint::kFloating) {
      CHECK_TRUE(matrix(body.R_LB).isIdentity(0));
    } else {
      check_near(joint.axis, matrix(body.R_LB).col(2), 3e-16);
    }
  }
}

TEST(Reduce, QuarterTurnsAndAxesStayExact) {
  Robot robot;
  robot.link("base");
  robot.heavy_link("plate");
  robot.heavy_link("arm");
  JointDescription& weld = robot.joint("weld", UrdfJoint::kFixed, "base", "plate");
  weld.R_PJ << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  weld.p_PJ = {1, 2, 3};
  JointDescription& turn = robot.joint("turn", UrdfJoint::kRevolute, "plate", "arm");
  turn.p_PJ = {0.25, 0, 0};
  turn.axis = {0, -1, 0};
  const Body body = robot.fixed().bodies.at(0);
  // x_B = z_L, y_B = -x_L, z_B = -y_L; z_L = z_W, x_L = y_W, y_L = -x_W
  CHECK_TRUE((body.R_PJ == std::array<double, 9>{0, 0, 1, 0, -1, 0, 1, 0, 0}));
  CHECK_TRUE((body.p_PJ == std::array<double, 3>{1, 2.25, 3}));
  CHECK_TRUE((body.R_LB == std::array<double, 9>{0, -1, 0, 0, 0, -1, 1, 0, 0}));
  CHECK_TRUE((body.h == std::array<double, 3>{2 * 0.3, -2 * 0.1, -2 * 0.2}));
  for (const double zero : body.R_PJ) CHECK_TRUE(zero != 0 || !std::signbit(zero));
  for (const double zero : body.R_LB) CHECK_TRUE(zero != 0 || !std::signbit(zero));
}

TEST(Reduce, BodiesStandDepthFirstInTheOrderOfTheJoints) {
  Robot robot;
  for (const char* name : {"d", "c", "b", "a", "root", "weld"}) robot.heavy_link(name);
  robot.joint("to_b", UrdfJoint::kRevolute, "root", "b");
  robot.joint("to_weld", UrdfJoint::kFixed, "root", "weld");
  robot.joint("to_a", UrdfJoint::kRevolute, "root", "a");
  robot.joint("to_d", UrdfJoint::kRevolute, "weld", "d");
  robot.joint("to_c", UrdfJoint::kRevolute, "b", "c");
  const Tree tree = robot.fixed();
  const std::vector<std::string> expected = {"b", "c", "d", "a"};
  CHECK_TRUE(tree.link_names == expected);
  LONGS_EQUAL(0, tree.bodies[1].parent);
  LONGS_EQUAL(kWorld, tree.bodies[2].parent);
}

TEST(Reduce, FloatingBaseIsABodyOnTheRootJoint) {
  Robot robot;
  robot.heavy_link("base");
  robot.heavy_link("arm");
  robot.joint("shoulder", UrdfJoint::kRevolute, "base", "arm");
  const Tree tree = robot.floating();
  LONGS_EQUAL(2, tree.bodies.size());
  STRCMP_EQUAL("root_joint", tree.joint_names[0].c_str());
  STRCMP_EQUAL("base", tree.link_names[0].c_str());
  CHECK_TRUE(tree.bodies[0].joint == JointType::kFloating);
  LONGS_EQUAL(0, tree.bodies[1].parent);
}

TEST(Reduce, ForestsKeepEveryTreeAndNameEveryRoot) {
  const Tree fixed = two_roots().fixed();
  CHECK_TRUE((fixed.link_names == std::vector<std::string>{"wheel", "arm", "hand"}));
  LONGS_EQUAL(kWorld, fixed.bodies[0].parent);
  LONGS_EQUAL(kWorld, fixed.bodies[1].parent);
  const Tree floating = two_roots().floating();
  CHECK_TRUE(
      (floating.joint_names == std::vector<std::string>{"cart_root_joint", "roll",
                                                        "base_root_joint", "shoulder", "elbow"}));
}

TEST(Reduce, RigidRobotOnAFixedBaseHasNoBodies) {
  Robot robot;
  robot.heavy_link("base");
  robot.heavy_link("plate");
  robot.joint("weld", UrdfJoint::kFixed, "base", "plate").p_PJ = {1, 2, 3};
  const Tree tree = robot.fixed();
  LONGS_EQUAL(0, tree.bodies.size());
  LONGS_EQUAL(2, tree.frames.size());
  LONGS_EQUAL(kWorld, tree.frames[1].body);
  CHECK_TRUE((tree.frames[1].p_BF == std::array<double, 3>{1, 2, 3}));
}

TEST(Reduce, LimitsDampingAndFrictionAreCarriedOver) {
  Robot robot;
  robot.link("base");
  robot.heavy_link("arm");
  JointDescription& joint = robot.joint("turn", UrdfJoint::kRevolute, "base", "arm");
  joint.damping = 0.5;
  joint.armature = 0.25, joint.stiffness = 3, joint.rest = -1;
  joint.friction = 0.25;
  joint.limits = {.lower = -1, .upper = 2, .velocity = 3, .effort = {}};
  const Body body = robot.fixed().bodies[0];
  DOUBLES_EQUAL(0.5, body.damping, 0);
  DOUBLES_EQUAL(0.25, body.armature, 0);
  DOUBLES_EQUAL(3, body.stiffness, 0);
  DOUBLES_EQUAL(-1, body.rest, 0);
  DOUBLES_EQUAL(0.25, body.friction, 0);
  CHECK_TRUE((body.limits == Limits{.lower = -1, .upper = 2, .velocity = 3}));
  DOUBLES_EQUAL(0, host::reduce(robot.description, {.ignore_damping = true}).bodies[0].damping, 0);

  joint.type = UrdfJoint::kContinuous;
  CHECK_TRUE((robot.fixed().bodies[0].limits == Limits{.velocity = 3}));
}

TEST(Reduce, MimicPointsAtTheBodyOfTheJointItNames) {
  Robot robot = two_roots();
  robot.description.joints[0].mimic = {"shoulder", -2, 0.5};
  CHECK_TRUE((robot.fixed().bodies[2].mimic == Mimic{.body = 1, .multiplier = -2, .offset = 0.5}));
  const Tree ignored = host::reduce(robot.description, {.ignore_mimic = true});
  CHECK_TRUE(ignored.bodies[2].mimic == Mimic{});
}

TEST(Reduce, MimicWithoutMeaningIsRefusedByName) {
  Robot robot = two_roots();
  JointDescription& elbow = robot.description.joints[0];
  JointDescription& roll = robot.description.joints[1];
  elbow.mimic = {"roll", 1, 0};
  roll.type = UrdfJoint::kFixed;
  CHECK_TRUE(has(refusal(robot), "joint 'elbow': mimics joint 'roll', which is fixed"));
  roll.type = UrdfJoint::kBall;
  CHECK_TRUE(has(refusal(robot), "one degree of freedom"));
  roll.type = UrdfJoint::kRevolute;
  roll.mimic = {"elbow", 1, 0};
  CHECK_TRUE(has(refusal(robot), "joint 'roll': mimics joint 'elbow', which follows it"));
  elbow.mimic->joint = "nobody";
  CHECK_TRUE(
      has(refusal(robot), "robot.urdf: joint 'elbow': mimics joint 'nobody', which does not"));
  CHECK_TRUE(refusal(robot, {.ignore_mimic = true}).empty());
}

TEST(Reduce, MovableJointCannotTakeTheFloatingBasesName) {
  Robot robot;
  robot.heavy_link("base");
  robot.heavy_link("arm");
  robot.joint("root_joint", UrdfJoint::kRevolute, "base", "arm");
  CHECK_TRUE(refusal(robot).empty());
  CHECK_TRUE(has(refusal(robot, {.base = host::ReduceOptions::Base::kFloating}),
                 "joint 'root_joint': the name is taken"));
}

TEST(Reduce, SumsThatOverflowAreRefused) {
  Robot robot;
  robot.link("base");
  robot.heavy_link("arm").com = {1e200, 0, 0};
  robot.joint("turn", UrdfJoint::kRevolute, "base", "arm");
  CHECK_TRUE(has(refusal(robot), "link 'arm', joint 'turn': a number is not finite"));
}
