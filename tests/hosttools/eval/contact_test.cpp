// Accelerations and forces at single states where joints have ends and rub, and shapes touch.
#include <CppUTest/TestHarness.h>

#include <cmath>

#include "commands.hpp"
#include "eval/contact_engine.hpp"
#include "model/load.hpp"
#include "support/run_command.hpp"
#include "support/scratch_folder.hpp"

using namespace lockstep;

namespace {

constexpr double kGravity = 9.81, kMass = 2, kFriction = 0.5, kInertia = 0.008, kRadius = 0.1;

// A ball that may roll, and an arm of 0.5 m that hangs level from a post, 3 kg at its end.
constexpr const char* kBall = R"(<robot name="ball">
  <link name="ball"><inertial><mass value="2"/>
    <inertia ixx="0.008" iyy="0.008" izz="0.008" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><sphere radius="0.1"/></geometry><contact friction="0.5"/></collision>
  </link></robot>)";
constexpr const char* kArm = R"(<robot name="arm">
  <link name="post"/>
  <link name="arm"><inertial><origin xyz="0.5 0 0"/><mass value="3"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="swing" type="revolute"><parent link="post"/><child link="arm"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="0" velocity="9" effort="9"/><dynamics friction="2"/></joint></robot>)";

}  // namespace

TEST_GROUP(ContactEngine) {
  test::ScratchFolder folder;
  host::Tree load(const char* text) {
    host::LoadOptions load;
    load.file = folder.write("robot.urdf", text);
    load.reduce.base = host::ReduceOptions::Base::kAsWritten;
    if (text == kBall) load.reduce.base = host::ReduceOptions::Base::kFloating;
    load.quiet = true;
    return host::load_tree(load);
  }
  host::ContactAnswer ball_at(double z, const Eigen::Vector3d& velocity) {
    const host::Tree tree = load(kBall);
    const host::Bounds bounds = {{.contacts = 1, .ground = true, .ground_friction = kFriction}};
    host::DenseInput in = host::rest(tree.bodies);
    in.q[2] = z;
    in.v.head<3>() = velocity;
    return host::make_contact_engine(tree, bounds)(in);
  }
  host::ContactAnswer arm_at(double q, double v) {
    const host::Tree tree = load(kArm);
    host::DenseInput in = host::rest(tree.bodies);
    in.q[0] = q;
    in.v[0] = v;
    return host::make_contact_engine(tree, {{.position = true, .friction = true}})(in);
  }
};

TEST(ContactEngine, ABallAtRestIsBorneAtItsLowestPoint) {
  const host::ContactAnswer answer = ball_at(kRadius, {0, 0, 0});
  CHECK_TRUE(answer.out.vdot.cwiseAbs().maxCoeff() < 1e-9);
  LONGS_EQUAL(1, answer.contacts.size());
  const host::Json& contact = answer.contacts[0];
  STRCMP_EQUAL("ball", contact["link"].get<std::string>().c_str());
  STRCMP_EQUAL("world", contact["other"].get<std::string>().c_str());
  DOUBLES_EQUAL(kMass * kGravity, contact["force"][2].get<double>(), 1e-9);
  DOUBLES_EQUAL(0, contact["point"][2].get<double>(), 1e-12);
  DOUBLES_EQUAL(1, contact["normal"][2].get<double>(), 0);
}

TEST(ContactEngine, WhatIsApartOrLeavesIsFree) {
  for (const auto& [z, speed] : {std::pair(0.2, 0.0), std::pair(0.09, 1.0)}) {
    const host::ContactAnswer answer = ball_at(z, {0, 0, speed});
    DOUBLES_EQUAL(-kGravity, answer.out.vdot[2], 1e-9);
    LONGS_EQUAL(0, answer.contacts.size());
  }
}

TEST(ContactEngine, ABallThatSlidesIsBrakedAndSpunUp) {
  const host::ContactAnswer answer = ball_at(kRadius, {1, 0, 0});
  DOUBLES_EQUAL(-kFriction * kGravity, answer.out.vdot[0], 1e-5);
  DOUBLES_EQUAL(kFriction * kMass * kGravity * kRadius / kInertia, answer.out.vdot[4], 1e-4);
  DOUBLES_EQUAL(-kFriction * kMass * kGravity, answer.contacts[0]["force"][0].get<double>(), 1e-5);
}

TEST(ContactEngine, AnEndBearsTheArmThatFrictionDoesNot) {
  const double weight = 3 * kGravity * 0.5;
  const host::ContactAnswer at_end = arm_at(0, 0);
  DOUBLES_EQUAL(0, at_end.out.vdot[0], 1e-6);
  DOUBLES_EQUAL(-weight,
                at_end.limit_force["swing"].get<double>() + at_end.friction["swing"].get<double>(),
                1e-6);
  const host::ContactAnswer falling = arm_at(-0.5, 1);
  DOUBLES_EQUAL(0, falling.limit_force["swing"].get<double>(), 0);
  DOUBLES_EQUAL(-2, falling.friction["swing"].get<double>(), 1e-9);
  DOUBLES_EQUAL((weight * std::cos(0.5) - 2) / (0.1 + 3 * 0.25), falling.out.vdot[0], 1e-5);
}

TEST(ContactEngine, AFileOfStatesIsAnsweredByLinkAndJoint) {
  const std::string robot = folder.write("robot.urdf", kBall), out = folder.path("out.json");
  const std::string states = folder.write("states.json", R"({"joints": [{"name": "root_joint"}],
    "states": [{"q": [0, 0, 0.1, 0, 0, 0, 1], "qd": [0, 0, 0, 0, 0, 0],
                "tau": [0, 0, 0, 0, 0, 0]}]})");
  test::run_command(host::add_eval_command, {"eval", robot, "--base", "floating", "--quiet",
                                             "--contact", "--states", states, "-o", out});
  const host::Json state = host::read_json(out, "answers")["states"][0];
  DOUBLES_EQUAL(kMass * kGravity, state["contacts"][0]["force"][2].get<double>(), 1e-9);
  DOUBLES_EQUAL(0, state["qdd"][2].get<double>(), 1e-9);
  CHECK_TRUE(state["limit_force"].empty() && state["friction_force"].empty());
}
