#include "robot/balance.hpp"

#include <CppUTest/TestHarness.h>

#include <cmath>
#include <limits>

#include "hosttools/hil/swinging_arm.hpp"
#include "robot/plant.hpp"
#include "support/load_model.hpp"

using namespace lockstep;
using namespace lockstep::host;

namespace {

constexpr double kExact = 0;
const Eigen::VectorXd kNowhere = Eigen::VectorXd::Zero(1);
const Hint kSilent = [] { return std::string(); };

// A ball of 1 kg thrown up with 10 J; `share` of it is added over the run.
Balance thrown(double share) {
  Balance balance;
  for (int i = 0; i <= 100; ++i) {
    const double height = std::sin(0.0314159 * i);
    balance.add({.kinetic = 10 * (1 - height) + 0.1 * share * i, .potential = 10 * height}, 0,
                kNowhere, Eigen::VectorXd::Constant(1, i));
  }
  return balance;
}

// Two masses on rails that do not feel one another: I is the mass, exactly.
Tree rails(double damping) {
  test::Robot robot;
  for (const char* name : {"base", "left", "right"}) robot.heavy_link(name);
  robot.joint("left_rail", test::UrdfJoint::kPrismatic, "base", "left");
  robot.joint("right_rail", test::UrdfJoint::kPrismatic, "base", "right");
  Tree tree = robot.fixed();
  tree.bodies[1].damping = damping;
  return tree;
}

// Steps until the plant refuses; returns the status, and how it is told.
Status run_away(const Tree& tree, double dt, Integrator integrator, std::string& told) {
  const auto robot = make_loop_robot<double>(tree);
  const auto plant = std::make_unique<HostPlant<double>>(*robot, tree, Bounds());
  LoopSettings<double> settings;
  settings.resize(plant->motion().tau.size());
  settings.dt = dt;
  settings.integrator = integrator;
  plant->incoming().v.setConstant(1);
  Status status = plant->set_state(0, 0);
  while (status == Status::kOk && plant->step() < 5000) status = plant->advance(settings);
  told = broken_off_text(status, tree, plant->motion().q, plant->motion().v, dt);
  return status;
}

}  // namespace

TEST_GROUP(Balance){};

TEST(Balance, GainsAreMeasuredFromTheLowestEnergyBefore) {
  Balance balance;
  for (const double kinetic : {5.0, 1.0, 2.5, 1.5}) {
    balance.add({.kinetic = kinetic, .potential = 0}, 0, kNowhere,
                Eigen::VectorXd::Constant(1, kinetic));
  }
  DOUBLES_EQUAL(1.5, balance.gained(), 1e-15);
  DOUBLES_EQUAL(2.5, balance.v()[0], 0);  // where it stood highest
  DOUBLES_EQUAL(4, balance.largest_change(), 1e-15);
  CHECK_TRUE(balance.is_broken(kExact));  // 1.5 of 5
}

TEST(Balance, WhatMotorsPutInIsNoGain) {
  Balance balance;
  for (int i = 0; i < 10; ++i) {
    const double work = 3.0 * i;
    balance.add({.kinetic = work / 2, .potential = work / 2}, work, kNowhere, kNowhere);
  }
  DOUBLES_EQUAL(0, balance.gained(), 1e-12);
  DOUBLES_EQUAL(27, balance.work(), 1e-12);
  STRCMP_CONTAINS("did 27 J; no energy gained of 54 J exchanged",
                  balance_line(balance, 1e-9, kSilent, kSilent).text.c_str());
}

TEST(Balance, ATenthOfWhatIsExchangedIsOrdinary) {
  CHECK_FALSE(thrown(0.15).is_broken(kExact));  // of 20 J exchanged
  CHECK_TRUE(thrown(0.3).is_broken(kExact));
  const BalanceLine line = balance_line(
      thrown(0.3), kExact, [] { return "joint 'a'"; }, [] { return "give a smaller --dt"; });
  STRCMP_EQUAL("UNSTABLE", line.name.c_str());
  STRCMP_CONTAINS("gained 3 J that nothing put in", line.text.c_str());
  STRCMP_CONTAINS("joint 'a'; give a smaller --dt", line.text.c_str());
}

// A robot that stands is off by rounding, which is all that moves.
TEST(Balance, RoundingIsNoGain) {
  Balance balance;
  for (int i = 0; i < 10; ++i) {
    balance.add({.kinetic = 0, .potential = 1e-6 * i, .scale = 100}, 0, kNowhere, kNowhere);
  }
  CHECK_TRUE(balance.is_broken(kExact));
  CHECK_FALSE(balance.is_broken(position_error(1000, 1.2e-7)));
}

TEST(Balance, WhatIsNoNumberIsAGain) {
  for (const double bad : {std::numeric_limits<double>::infinity(), std::nan("")}) {
    Balance balance;
    balance.add({.kinetic = 1}, 0, kNowhere, kNowhere);
    balance.add({.kinetic = bad}, 0, kNowhere, kNowhere);
    CHECK_TRUE(balance.is_broken(1e-3));
  }
}

TEST(Balance, TheJointThatMovesMostIsNamed) {
  const Tree tree = test::load_model("six_axis_arm");
  const Eigen::VectorXd q = rest(tree.bodies).q;
  Eigen::VectorXd v = Eigen::VectorXd::Zero(6);
  v[5] = 0.5, v[1] = -2;
  STRCMP_EQUAL(("joint '" + tree.joint_names[1] + "' (2 rad/s)").c_str(),
               busiest_joint(tree, q, v).c_str());
}

TEST(Balance, DampingIsStiffForRungeKuttaWhereItsStepsRunAway) {
  const double mass = rails(0).bodies[1].mass, dt = 0.001;
  const Manner manner = manner_of(Integrator::kRungeKutta4);
  const Eigen::VectorXd start = Eigen::VectorXd::Zero(2);
  for (const double beyond : {0.9, 1.1}) {  // times what Runge-Kutta bears
    const Tree tree = rails(beyond * 2.785 * mass / dt);
    const auto text = stiff_joint(tree, start, dt, manner);
    std::string told;
    const Status status = run_away(tree, dt, Integrator::kRungeKutta4, told);
    CHECK_TRUE((status != Status::kOk) == (beyond > 1));
    CHECK_TRUE(text.has_value() == (beyond > 1));
    if (!text) continue;
    STRCMP_CONTAINS(": joint 'right_rail' is at ", told.c_str());
    STRCMP_CONTAINS("joint 'right_rail' has damping ", text->c_str());
    STRCMP_CONTAINS(" kg; give a --dt below 0.000909 or --integrator midpoint", text->c_str());
    // the others hold it
    for (const Integrator other : {Integrator::kSemiImplicitEuler, Integrator::kMidpoint}) {
      CHECK_FALSE(stiff_joint(tree, start, dt, manner_of(other)).has_value());
      CHECK_TRUE(run_away(tree, dt, other, told) == Status::kOk);
    }
  }
}

TEST(Balance, ASpringIsStiffForRungeKuttaWhereItsStepsRunAway) {
  const double mass = rails(0).bodies[1].mass, dt = 0.001;
  Eigen::VectorXd start = Eigen::VectorXd::Zero(2);
  for (const double beyond : {0.9, 1.1}) {
    Tree tree = rails(0);
    tree.bodies[1].stiffness = beyond * 8 * mass / (dt * dt);
    tree.bodies[1].rest = 0.1;
    const auto text = stiff_joint(tree, start, dt, manner_of(Integrator::kRungeKutta4));
    std::string told;
    CHECK_TRUE((run_away(tree, dt, Integrator::kRungeKutta4, told) != Status::kOk) == (beyond > 1));
    CHECK_TRUE(text.has_value() == (beyond > 1));
    if (!text) continue;
    STRCMP_CONTAINS("joint 'right_rail' has a spring of ", text->c_str());
    STRCMP_CONTAINS(" kg; give a --dt below 0.000953 or --integrator midpoint", text->c_str());
    for (const Integrator other : {Integrator::kSemiImplicitEuler, Integrator::kMidpoint}) {
      CHECK_TRUE(run_away(tree, dt, other, told) == Status::kOk);
    }
  }
}

TEST(Balance, ARunThatBreaksOffTellsWhereItsGainAndTheRemedyInOneLine) {
  const Tree tree = test::swinging_arm().fixed();
  Eigen::VectorXd q = rest(tree.bodies).q, v = rest(tree.bodies).v;
  q[0] = 1.2e6;
  v[0] = -30;
  v[1] = 1e9;  // slides: it is not the one whose angle is too large
  const BrokeOff error(broken_off_text(Status::kAngleTooLarge, tree, q, v, 0.001));
  const Hint remedy = [] { return "give less"; };
  STRCMP_EQUAL(
      "an angle is too large: joint 'shoulder' is at 1.2e+06 rad and moves at 30 rad/s; UNSTABLE: "
      "gained 3 J that nothing put in, with 23 J exchanged; give less",
      with_gain(error, thrown(0.3), kExact, remedy).what());
  STRCMP_EQUAL(
      "an angle is too large: joint 'shoulder' is at 1.2e+06 rad and moves at 30 rad/s; give less",
      with_gain(error, thrown(0), kExact, remedy).what());
  STRCMP_CONTAINS("joint 'lift' is at 0 m and moves at 1e+09 m/s",
                  broken_off_text(Status::kOverflow, tree, q, v, 0.001).c_str());
  for (const Status other : {Status::kTooManyRows, Status::kSingular, Status::kBadTimeStep}) {
    STRCMP_EQUAL(to_string(other), broken_off_text(other, tree, q, v, 0.001).c_str());
  }
}
