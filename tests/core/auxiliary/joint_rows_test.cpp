// Single joints against closed forms: a pendulum of a point mass, 2 kg at 0.5 m along its x axis,
// that turns about z while gravity pulls along -y.
#include "lockstep/auxiliary/joint_rows.hpp"

#include <CppUTest/TestHarness.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/auxiliary/test_solvers.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;

namespace {

constexpr double kMass = 2, kArm = 0.5, kInertia = kMass * kArm * kArm, kGravity = 9.81;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

constexpr Body pendulum() {
  return {.mass = kMass, .h = {kMass * kArm, 0, 0}, .inertia = {0, 0, 0, kInertia, 0, kInertia}};
}

// One joint with bounds, in both scalars.
template <class T>
struct Joint {
  using Model = test::TestModel<T>;
  using Stepper = test::TestBounded<T>;
  using Demands = typename Stepper::Demands;

  explicit Joint(const JointLimits<T>& bounds, const Body& body = pendulum())
      : model(make(body)), own(bounds), stepper(model, {}, {&own, 1}), state(stepper.make_input()) {
    state.gravity << 0, T(-kGravity), 0;
  }
  static Model make(const Body& body) {
    Model model;
    CHECK(model.assign({&body, 1}) == Status::kOk);
    return model;
  }

  void step(const Demands& demands = {}) {
    CHECK(stepper.step(state, settings, demands) == Status::kOk);
    CHECK(stepper.result().stop == rows::Stop::kConverged);
  }
  double q() const { return static_cast<double>(state.q[0]); }
  double v() const { return static_cast<double>(state.v[0]); }
  double energy() const {
    return 0.5 * kInertia * v() * v() + kMass * kGravity * kArm * std::sin(q());
  }
  // gravity's torque on the pendulum
  double weight() const { return -kMass * kGravity * kArm * std::cos(q()); }

  Model model;
  JointLimits<T> own;
  Stepper stepper;
  typename Stepper::Input state;
  BoundedSettings<T> settings = {.dt = T(1e-3), .solver = RowSolver::kPivoting};  // exact
};

// Falls from the horizontal onto a stop 0.5 below it.
template <class T>
void check_stop(double rounding) {
  Joint<T> joint({.lower = T(-0.5)});
  double before = joint.energy();
  for (int i = 0; i < 2000; ++i) {
    joint.step();
    CHECK_AT_MOST(double(joint.settings.contact.slop), -0.5 - joint.q(), "depth");
    // semi-implicit Euler's own error while it falls
    CHECK_AT_MOST(before + 1e-2, joint.energy(), "energy");
    if (joint.stepper.result().row_count > 0) before = joint.energy();
  }
  DOUBLES_EQUAL(-0.5, joint.q(), rounding);
  DOUBLES_EQUAL(0, joint.v(), 1e3 * rounding);
  DOUBLES_EQUAL(-joint.weight(), static_cast<double>(joint.stepper.result().limit_force(0)),
                1e6 * rounding);
  const T rest = joint.state.q[0];
  for (int i = 0; i < 1000; ++i) joint.step();
  CHECK_EQUAL(rest, joint.state.q[0]);
}

}  // namespace

TEST_GROUP(JointRows){};

TEST(JointRows, PendulumComesToRestOnItsStop) {
  check_stop<double>(1e-12);
  check_stop<float>(1e-7);
}

// The other way round: thrown upwards against the upper end, it falls back.
TEST(JointRows, UpperEndPushesDownAndDoesNotHold) {
  Joint<double> joint({.upper = 0.3});
  joint.state.v[0] = 6;
  double most = 0, pushed = 0;
  for (int i = 0; i < 200; ++i) {
    joint.step();
    most = std::max(most, joint.q());
    pushed = std::min(pushed, joint.stepper.result().limit_force(0));
  }
  DOUBLES_EQUAL(0.3, most, 1e-12);
  CHECK(pushed < -100);
  CHECK(joint.q() < 0.29);
}

TEST(JointRows, ViolatedEndComesBackGently) {
  Joint<double> joint({.lower = 0.2});
  double fastest = 0;
  for (int i = 0; i < 1000; ++i) {
    joint.step();
    fastest = std::max(fastest, joint.v());
  }
  CHECK_AT_MOST(0.5 + 1e-12, fastest, "speed");
  CHECK_AT_MOST(joint.settings.contact.slop, std::abs(joint.q() - 0.2), "depth");
}

TEST(JointRows, SpeedStopsAtItsLimit) {
  Joint<double> joint({.velocity = 1.5});
  for (int i = 0; i < 400; ++i) {
    joint.step();
    CHECK_AT_MOST(1.5, std::abs(joint.v()), "speed");
  }
  CHECK_EQUAL(-1.5, joint.v());
  // what the limit exerts: all of the weight, at the pose before the last motion
  const double then = joint.q() + joint.settings.dt * 1.5;
  DOUBLES_EQUAL(kMass * kGravity * kArm * std::cos(then), joint.stepper.result().limit_force(0),
                1e-9);
  joint.state.v[0] = 9;  // and slows down at once what is too fast
  joint.step();
  CHECK_EQUAL(1.5, joint.v());
}

// Not a bit of motion below the friction, (tau - friction) / I above it.
template <class T>
void check_friction(double bound) {
  Joint<T> joint({.friction = T(3)});
  joint.state.gravity.setZero();
  for (const double effort : {2.9, -1.3, 0.7}) {
    joint.state.tau[0] = static_cast<T>(effort);
    for (int i = 0; i < 1000; ++i) joint.step();
    CHECK_EQUAL(T(0), joint.state.v[0]);
    CHECK_EQUAL(T(0), joint.state.q[0]);
    DOUBLES_EQUAL(-effort, double(joint.stepper.result().force(RowOf::kFriction, 0)), 10 * bound);
  }
  joint.state.tau[0] = T(5);
  for (int i = 0; i < 1000; ++i) joint.step();
  DOUBLES_EQUAL((5 - 3) / kInertia, joint.v(), bound);
  DOUBLES_EQUAL(-3, double(joint.stepper.result().force(RowOf::kFriction, 0)), bound);
  joint.state.tau[0] = T(0);  // it stops, and does not turn back
  for (int i = 0; i < 1000; ++i) {
    joint.step();
    CHECK(joint.state.v[0] >= T(0));
  }
  CHECK_EQUAL(T(0), joint.state.v[0]);
}
TEST(JointRows, DryFrictionHoldsAndBrakes) {
  check_friction<double>(1e-11);
  check_friction<float>(1e-3);
}

TEST(JointRows, DrivePrescribesTheSpeedExactly) {
  Joint<double> joint({.friction = 0.4});
  const Drive<double> drive = {.body = 0, .velocity = 0.7};
  double place = 0;
  for (int i = 0; i < 1000; ++i) {
    const double weight = joint.weight();
    joint.step({.drives = {&drive, 1}});
    CHECK_EQUAL(0.7, joint.v());
    place = place + 1e-3 * 0.7;
    CHECK_EQUAL(place, joint.q());
    const double started = i == 0 ? kInertia * 0.7 / 1e-3 : 0;
    DOUBLES_EQUAL(0.4 - weight + started, joint.stepper.result().force(RowOf::kDrive, 0), 1e-8);
  }
}

TEST(JointRows, DriveFollowsPositions) {
  Joint<double> joint({});
  for (int i = 1; i <= 1000; ++i) {
    const double there = 0.3 * std::sin(5e-3 * i);
    const Drive<double> drive = {.body = 0, .position = there, .rate = 1e3};
    joint.step({.drives = {&drive, 1}});
    DOUBLES_EQUAL(there, joint.q(), 1e-14);
  }
  const Drive<double> slow = {.body = 0, .position = 1, .rate = 10};
  const double gap = 1 - joint.q();
  for (int i = 0; i < 100; ++i) joint.step({.drives = {&slow, 1}});
  DOUBLES_EQUAL(gap * std::pow(1 - 10e-3, 100), 1 - joint.q(), 1e-12);
}

TEST(JointRows, DriveDoesNoMoreThanItsEffort) {
  Joint<double> joint({});
  joint.state.gravity.setZero();
  const Drive<double> drive = {.body = 0, .velocity = 4, .effort = 2};
  for (int i = 1; i <= 1000; ++i) {
    joint.step({.drives = {&drive, 1}});
    DOUBLES_EQUAL(std::min(4.0, 2 / kInertia * 1e-3 * i), joint.v(), 1e-12);
    if (i < 1000) DOUBLES_EQUAL(2, joint.stepper.result().force(RowOf::kDrive, 0), 1e-9);
  }
  joint.step({.drives = {&drive, 1}});
  joint.step({.drives = {&drive, 1}});
  CHECK_EQUAL(4.0, joint.v());
  DOUBLES_EQUAL(0, joint.stepper.result().force(RowOf::kDrive, 0), 1e-9);
}

// With gains far beyond what torques that last a step bear: kp (1 - q') - kd v' at the end of every
// step, or the most that it has, by either solver.
TEST(JointRows, ADriveWithGainsYieldsAtTheEndOfTheStep) {
  for (const RowSolver solver : {RowSolver::kPivoting, RowSolver::kNewton}) {
    for (const double kp : {40.0, 4e4}) {
      Joint<double> joint({});
      joint.settings.solver = solver;
      joint.settings.newton.tolerance = 1e-12;
      joint.state.gravity.setZero();
      const double dt = 1e-3, kd = 0.05 * kp, most = 0.1 * kp;
      int cut = 0;
      for (int i = 0; i < 800; ++i) {
        const double before = joint.v();
        const Drive<double> drive = pd_drive(0, kp, kd, 1.0, 0.0, dt, most);
        joint.step({.drives = {&drive, 1}});
        const double asked = kp * (1 - joint.q()) - kd * joint.v();
        const double effort = std::clamp(asked, -most, most);
        cut += effort != asked;
        DOUBLES_EQUAL(effort, joint.stepper.result().force(RowOf::kDrive, 0), 1e-6 * kp);
        DOUBLES_EQUAL(effort, kInertia * (joint.v() - before) / dt, 1e-6 * kp);
      }
      CHECK(cut > 0 && cut < 800);
      if (kp > 1e3) DOUBLES_EQUAL(1, joint.q(), 2e-3);
    }
  }
}

TEST(JointRows, OutOfReachThereIsNoRow) {
  Joint<double> joint({.lower = -1, .upper = 1, .velocity = 10});
  joint.step();
  LONGS_EQUAL(0, joint.stepper.result().row_count);
  CHECK_EQUAL(0.0, joint.stepper.result().limit_force(0));
}

TEST(JointRows, BodiesBoundsKeepTheirNumbers) {
  Body body = pendulum();
  body.limits = {.lower = -0.5, .upper = 1e300, .velocity = 3};
  body.friction = 0.25;
  const auto bounds = to_joint_limits<float>(body);
  CHECK_EQUAL(-0.5f, bounds.lower);
  CHECK_EQUAL(std::numeric_limits<float>::infinity(), bounds.upper);
  CHECK_EQUAL(3.0f, bounds.velocity);
  CHECK_EQUAL(0.25f, bounds.friction);
  CHECK(bounds.check() == Status::kOk);
  CHECK((JointLimits<float>{.lower = 1, .upper = 0}).check() == Status::kBadConstraint);
  CHECK((JointLimits<float>{.friction = -1}).check() == Status::kBadConstraint);
}

TEST(JointRows, BadDrivesAreRefused) {
  Joint<double> joint({});
  const auto verdict = [&](const Drive<double>& drive) {
    const auto before = joint.state;
    const Status status = joint.stepper.step(joint.state, joint.settings, {.drives = {&drive, 1}});
    CHECK(joint.state.q == before.q && joint.state.v == before.v);
    return status;
  };
  CHECK(verdict({.body = 1}) == Status::kBadFrame);
  CHECK(verdict({.body = kWorld}) == Status::kBadFrame);
  CHECK(verdict({.velocity = kInfinity}) == Status::kBadConstraint);
  CHECK(verdict({.position = kInfinity}) == Status::kBadConstraint);
  CHECK(verdict({.rate = -1}) == Status::kBadConstraint);
  CHECK(verdict({.effort = -1}) == Status::kBadConstraint);
  CHECK(verdict({.effort = std::nan("")}) == Status::kBadConstraint);
  CHECK(verdict({.rate = std::nan("")}) == Status::kBadConstraint);
  CHECK(verdict({.gain = 0}) == Status::kBadConstraint);
}

// By Newton's method and by pivoting alike: the status tells why, and nothing has moved.
TEST(JointRows, StepsThatCannotBeTakenLeaveAllAsItWas) {
  const Drive<double> drive = {.body = 0, .velocity = 1};
  std::array<Drive<double>, test::kTestRoom.rows + 1> many;
  many.fill(drive);
  const auto check = [&](Status expected, const Body& body, auto&& spoil,
                         std::span<const Drive<double>> drives) {
    for (const RowSolver solver : {RowSolver::kNewton, RowSolver::kPivoting}) {
      Joint<double> joint({}, body);
      joint.settings.solver = solver;
      spoil(joint);
      const auto before = joint.state;
      CHECK(joint.stepper.step(joint.state, joint.settings, {.drives = drives}) == expected);
      CHECK(joint.state.q == before.q && joint.state.v == before.v);
      LONGS_EQUAL(0, joint.stepper.result().row_count);
    }
  };
  const auto keep = [](auto&) {};
  check(Status::kTooManyRows, pendulum(), keep, many);
  const Body ball = {.joint = JointType::kBall, .mass = 1, .inertia = {1, 0, 0, 1, 0, 1}};
  check(Status::kBadJoint, ball, keep, {&drive, 1});
  check(Status::kSingular, Body{}, keep, {});  // nothing that could be moved
  // an acceleration that is no number, a velocity that is none, and a turn that is too far
  for (const double effort : {1e308, 1e307}) {
    check(Status::kOverflow, pendulum(),
          [&](auto& joint) { joint.state.tau[0] = effort, joint.settings.dt = 1e3; }, {});
  }
  check(Status::kAngleTooLarge, pendulum(), [](auto& joint) { joint.state.v[0] = 1e12; }, {});
}

// A leader that friction stops, and the joint that follows it: both stand, to the last bit.
TEST(JointRows, AFollowerIsHeldWithItsLeader) {
  std::array<Body, 2> bodies;
  bodies.fill(pendulum());
  bodies[0].leads = true, bodies[0].followed = 0.3;
  bodies[1].tie = {.leader = 0, .ratio = -1.7};
  test::TestModel<double> model;
  CHECK(model.assign(bodies) == Status::kOk);
  const std::array<JointLimits<double>, 2> limits = {{{.friction = 500}, {}}};
  test::TestBounded<double> stepper(model, {}, limits);
  auto state = stepper.make_input();
  state.v << 0.1, -0.17;
  state.tau[0] = 3.3;
  CHECK(stepper.step(state, {.dt = 1e-3}) == Status::kOk);
  CHECK_EQUAL(0.0, state.v[0]);
  CHECK_EQUAL(0.0, state.v[1]);
}
