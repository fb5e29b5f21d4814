// The models against what their sources say about the whole: data sheets, tables, closed forms.
#include <CppUTest/TestHarness.h>

#include <cmath>
#include <iterator>
#include <numbers>

#include "models/urdf_file.hpp"
#include "support/random.hpp"

using namespace lockstep::test;
using Eigen::AngleAxisd;
using Eigen::Isometry3d;
using Eigen::Matrix3d;
using Eigen::Translation3d;
using Eigen::Vector3d;

namespace {

constexpr double kPi = std::numbers::pi;

UrdfFile load(const char* name) {
  return read_urdf_file(std::string(LOCKSTEP_MODELS_DIR) + "/" + name + ".urdf");
}

// One row of a classic Denavit-Hartenberg table.
Isometry3d dh(double theta, double d, double a, double alpha) {
  return AngleAxisd(theta, Vector3d::UnitZ()) * Translation3d(a, 0, d) *
         AngleAxisd(alpha, Vector3d::UnitX());
}

void check_near(const Isometry3d& expected, const Isometry3d& actual, double tolerance) {
  DOUBLES_EQUAL(0, (expected.matrix() - actual.matrix()).cwiseAbs().maxCoeff(), tolerance);
}

}  // namespace

TEST_GROUP(Provenance){};

TEST(Provenance, PendulumHasTheConstantsOfItsClosedForm) {
  const UrdfFile file = load("pendulum");
  const Inertial swinging = file.lump({"rod", "ball"});
  const double I = swinging.inertia(1, 1) + swinging.mass * swinging.com.squaredNorm();
  DOUBLES_EQUAL(0.3262075, I, 1e-15);
  DOUBLES_EQUAL(0.675, swinging.mass * -swinging.com.z(), 1e-15);
}

TEST(Provenance, DoublePendulumHasTheConstantsOfItsClosedForm) {
  const UrdfFile file = load("double_pendulum");
  const Inertial upper = *file.link("upper_bar").inertial;
  const Inertial lower = *file.link("lower_bar").inertial;
  const double l1 = file.pose("lower_bar").translation().norm();
  const double upper_moment = upper.inertia(1, 1) + upper.mass * upper.com.squaredNorm();
  DOUBLES_EQUAL(0.14412, upper_moment + lower.mass * l1 * l1, 1e-15);
  DOUBLES_EQUAL(0.036, lower.mass * l1 * lower.com.norm(), 1e-15);
  DOUBLES_EQUAL(0.01808, lower.inertia(1, 1) + lower.mass * lower.com.squaredNorm(), 1e-15);
  DOUBLES_EQUAL(0.42, upper.mass * upper.com.norm() + lower.mass * l1, 1e-15);
  DOUBLES_EQUAL(0.09, lower.mass * lower.com.norm(), 1e-15);
}

TEST(Provenance, SixAxisArmFollowsTheManufacturersTable) {
  struct Row {
    const char* link;
    double d, a, alpha, mass;
    Vector3d com, moments;  // in the DH frame, as the table rounds them
  };
  const Row rows[] = {
      {"turret", 0.2363, 0, kPi / 2, 16.343, {0, -0.0610, 0.0062}, {0.0887, 0.0763, 0.0842}},
      {"upper_arm", 0, -0.8620, 0, 29.632, {0.5226, 0, 0.2098}, {0.1467, 4.6659, 4.6348}},
      {"forearm", 0, -0.7287, 0, 7.879, {0.3234, 0, 0.0604}, {0.0261, 0.7576, 0.7533}},
      {"wrist_a", 0.2010, 0, kPi / 2, 3.054, {0, -0.0026, 0.0393}, {0.0056, 0.0054, 0.0040}},
      {"wrist_b", 0.1593, 0, -kPi / 2, 3.126, {0, 0.0024, 0.0379}, {0.0059, 0.0058, 0.0043}},
      {"tool_plate", 0.1543, 0, 0, 0.846, {0, -0.0003, -0.0318}, {0.0009, 0.0009, 0.0012}},
  };
  const Vector3d products[] = {{-0.0001, -0.0001, 0.0072},
                               {0.0002, -0.0516, 0},
                               {-0.0001, -0.0290, 0},
                               {0, 0, 0.0004},
                               {0, 0, -0.0004},
                               {0, 0, 0}};
  constexpr double kRounding = 0.51e-4;
  const UrdfFile file = load("six_axis_arm");
  Random random(6);
  for (int sample = 0; sample < 20; ++sample) {
    Angles q;
    Isometry3d X = Isometry3d::Identity();
    for (std::size_t i = 0; i < std::size(rows); ++i) {
      const Row& row = rows[i];
      double& angle = q[file.joint_above(row.link)->name];
      angle = random.uniform(-kPi, kPi);
      X = X * dh(angle, row.d, row.a, row.alpha);
      const Inertial body = file.lump({row.link}, q);
      DOUBLES_EQUAL(row.mass, body.mass, 1e-12);
      DOUBLES_EQUAL(0, (X * row.com - body.com).norm(), 1e-12);
      const Matrix3d I = X.linear().transpose() * body.inertia * X.linear();
      DOUBLES_EQUAL(0, (row.moments - I.diagonal()).cwiseAbs().maxCoeff(), kRounding);
      const Vector3d off_diagonal(I(0, 1), I(0, 2), I(1, 2));
      DOUBLES_EQUAL(0, (products[i] - off_diagonal).cwiseAbs().maxCoeff(), kRounding);
    }
    check_near(X, file.pose("tool", q), 1e-12);
  }
}

TEST(Provenance, SixAxisArmHasTheMassAndReachOfItsDataSheet) {
  const UrdfFile file = load("six_axis_arm");
  DOUBLES_EQUAL(64, file.lump_all().mass, 1e-9);
  // with the wrist turned in line the tool is at the data sheet's 1750 mm
  DOUBLES_EQUAL(1.750, -file.pose("tool", {{"wrist_pitch", -kPi / 2}}).translation().x(), 1e-9);
}

TEST(Provenance, SevenAxisArmFollowsTheManufacturersTable) {
  // user guide, classic DH parameters of the 7 DoF robot, rounded there to 0.1 mm
  struct Row {
    const char* joint;
    double d, alpha, theta0;
  };
  const Row rows[] = {
      {"base_turn", -(0.1564 + 0.1284), kPi / 2, 0},
      {"shoulder_bend", -(0.0054 + 0.0064), kPi / 2, kPi},
      {"upper_arm_turn", -(0.2104 + 0.2104), kPi / 2, kPi},
      {"elbow_bend", -(0.0064 + 0.0064), kPi / 2, kPi},
      {"forearm_turn", -(0.2084 + 0.1059), kPi / 2, kPi},
      {"wrist_bend", 0, kPi / 2, kPi},
      {"tool_turn", -(0.1059 + 0.0615), kPi, kPi},
  };
  const UrdfFile file = load("seven_axis_arm");
  Random random(7);
  for (int sample = 0; sample < 20; ++sample) {
    Angles q;
    Isometry3d X = dh(0, 0, 0, kPi);
    for (const Row& row : rows) {
      q[row.joint] = random.uniform(-2, 2);
      X = X * dh(q[row.joint] + row.theta0, row.d, 0, row.alpha);
    }
    check_near(X, file.pose("tool", q), 0.5e-3);
  }
}

TEST(Provenance, SevenAxisArmHasTheMassAndReachOfItsDataSheet) {
  const UrdfFile file = load("seven_axis_arm");
  DOUBLES_EQUAL(8.2, file.lump_all().mass, 0.05);
  const Vector3d shoulder = file.pose("upper_arm_a").translation();
  DOUBLES_EQUAL(0.902, (file.pose("tool").translation() - shoulder).norm(), 0.001);
}

TEST(Provenance, QuadrupedHasTheMassAndLegsOfThePublishedRobot) {
  const UrdfFile file = load("quadruped");
  DOUBLES_EQUAL(9, file.lump_all().mass, 0.1);
  const Vector3d foot = file.pose("front_left_foot").translation();
  DOUBLES_EQUAL(0, (Vector3d(0.19, 0.049 + 0.062, -0.384) - foot).norm(), 1e-12);
}

TEST(Provenance, QuadrupedIsItsOwnMirrorImage) {
  const UrdfFile file = load("quadruped");
  const Inertial whole = file.lump_all();
  DOUBLES_EQUAL(0, whole.com.x(), 1e-15);
  DOUBLES_EQUAL(0, whole.com.y(), 1e-15);
  DOUBLES_EQUAL(0, whole.inertia(0, 1), 1e-15);
  DOUBLES_EQUAL(0, whole.inertia(1, 2), 1e-15);
  // the thigh's centre lies towards the trunk on either side
  CHECK(file.link("rear_left_thigh").inertial->com.y() < 0);
  CHECK(file.link("rear_right_thigh").inertial->com.y() > 0);
  // abduction and swing lift a left and a right foot alike
  const Angles q = {{"rear_left_abad", 0.5},
                    {"rear_right_abad", -0.5},  //
                    {"rear_left_hip", 0.3},
                    {"rear_right_hip", 0.3}};
  const Vector3d left = file.pose("rear_left_foot", q).translation();
  const Vector3d right = file.pose("rear_right_foot", q).translation();
  DOUBLES_EQUAL(0, (left - Vector3d(right.x(), -right.y(), right.z())).norm(), 1e-15);
}

TEST(Provenance, BallTreeHasTheBodiesOfThePaper) {
  const UrdfFile file = load("ball_tree_31");
  double mass = 0.04 * 0.04 * 0.04 * 600;
  for (int depth = 0; depth <= 4; ++depth) {
    mass += (1 << depth) * 0.04 * 0.04 * 600 * 0.1 * std::pow(1.5, 4 - depth);
  }
  DOUBLES_EQUAL(mass, file.lump_all().mass, 1e-12);
  STRCMP_EQUAL("body_15", file.joint_above("body_31")->parent.c_str());
  DOUBLES_EQUAL(-0.05, file.link("body_31").inertial->com.z(), 1e-15);
}
