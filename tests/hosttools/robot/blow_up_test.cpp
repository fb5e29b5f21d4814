#include "robot/blow_up.hpp"

#include <CppUTest/TestHarness.h>

#include "hosttools/hil/swinging_arm.hpp"
#include "oracle/world.hpp"
#include "robot/plant.hpp"

using namespace lockstep;
using namespace lockstep::host;

namespace {

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

// Steps until the plant refuses; how many it took.
std::uint64_t run_away(const Tree& tree, BlowUp& blow_up, Status& status) {
  const auto robot = make_loop_robot<double>(tree);
  const auto plant = std::make_unique<HostPlant<double>>(*robot, tree, Bounds());
  LoopSettings<double> settings;
  settings.resize(plant->motion().tau.size());
  settings.dt = blow_up.dt;
  settings.integrator = blow_up.integrator;
  plant->incoming().v.setConstant(1);
  CHECK_TRUE(plant->set_state(0, 0) == Status::kOk);
  do status = plant->advance(settings);
  while (status == Status::kOk && plant->step() < 5000);
  blow_up.q = plant->motion().q, blow_up.v = plant->motion().v;
  return plant->step();
}

}  // namespace

TEST_GROUP(BlowUp){};

TEST(BlowUp, NamesTheJointThatRanAwayAndItsDamping) {
  const double mass = rails(0).bodies[1].mass, dt = 0.001;
  for (const double beyond : {0.9, 1.1}) {  // times what Runge-Kutta bears
    const Tree tree = rails(beyond * 2.785 * mass / dt);
    BlowUp blow_up = {.tree = tree,
                      .start = Eigen::VectorXd::Zero(2),
                      .q = {},
                      .v = {},
                      .dt = dt,
                      .integrator = Integrator::kRungeKutta4};
    Status status = Status::kOk;
    run_away(tree, blow_up, status);
    CHECK_TRUE(ran_away(status) == (beyond > 1));
    if (beyond < 1) continue;
    const std::string text = blow_up_text(status, blow_up);
    STRCMP_CONTAINS(": joint 'right_rail' is at ", text.c_str());
    STRCMP_CONTAINS("unstable: joint 'right_rail' has damping ", text.c_str());
    STRCMP_CONTAINS(" kg; give a --dt below 0.000909, or euler", text.c_str());
    // Euler holds it
    blow_up.integrator = Integrator::kSemiImplicitEuler;
    LONGS_EQUAL(5000, run_away(tree, blow_up, status));
  }
}

TEST(BlowUp, TellsWhereTheAngleIsAndWhatMayHelp) {
  const Tree tree = test::swinging_arm().fixed();
  BlowUp blow_up = {.tree = tree,
                    .start = rest(tree.bodies).q,
                    .q = rest(tree.bodies).q,
                    .v = rest(tree.bodies).v,
                    .dt = 0.001};
  blow_up.q[0] = 1.2e6;
  blow_up.v[0] = -30;
  blow_up.v[1] = 1e9;  // slides: it is not the one whose angle is too large
  STRCMP_EQUAL(
      "an angle is too large: joint 'shoulder' is at 1.2e+06 rad and moves at 30 rad/s; unstable: "
      "a "
      "smaller --dt, smaller gains or smaller torques may help",
      blow_up_text(Status::kAngleTooLarge, blow_up).c_str());
  STRCMP_CONTAINS("joint 'lift' is at 0 m and moves at 1e+09 m/s",
                  blow_up_text(Status::kOverflow, blow_up).c_str());
}

TEST(BlowUp, OtherAnswersAreNone) {
  for (const Status status : {Status::kTooManyRows, Status::kSingular, Status::kBadTimeStep}) {
    CHECK_FALSE(ran_away(status));
  }
}
