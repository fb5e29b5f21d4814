#include "lockstep/auxiliary/newton_step.hpp"

#include <CppUTest/TestHarness.h>

#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <random>

#include "core/auxiliary/test_solvers.hpp"
#include "lockstep/inverse_dynamics.hpp"
#include "support/allocation_guard.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;

namespace {

constexpr double kGravity = 9.81, kDegree = std::numbers::pi / 180;

// A box of 4 kg; on it an arm that rubs and ends, and on the arm a rod that slides.
struct Armed {
  static constexpr std::uint64_t kHash = 0;
  static constexpr std::array<Node, 0> kForward = {};
  static constexpr Vec3<double> kHalf = {0.3, 0.2, 0.1};
  static constexpr double kBall = 0.05;
  static constexpr std::array<Body, 3> kBodies = {
      {{.joint = JointType::kFloating,
        .mass = 4,
        .inertia = {4.0 / 3 * 0.05, 0, 0, 4.0 / 3 * 0.1, 0, 4.0 / 3 * 0.13}},
       {.parent = 0,
        .joint = JointType::kRevolute,
        .R_PJ = {1, 0, 0, 0, 0, -1, 0, 1, 0},
        .p_PJ = {0.3, 0, 0.1},
        .mass = 0.5,
        .h = {0.1, 0, 0},
        .inertia = {0.001, 0, 0, 0.03, 0, 0.03},
        .damping = 0.02,
        .friction = 0.4,
        .limits = {.lower = -0.7, .upper = 0.9, .velocity = 8}},
       {.parent = 1,
        .joint = JointType::kPrismatic,
        .R_PJ = {0, 0, 1, 1, 0, 0, 0, 1, 0},
        .p_PJ = {0.2, 0, 0},
        .mass = 0.2,
        .h = {0, 0, 0.01},
        .inertia = {0.002, 0, 0, 0.002, 0, 0.0001},
        .friction = 0.5,
        .limits = {.lower = -0.05, .upper = 0.1}}}};

  template <class T>
  static std::array<contact::Collider<T>, 2> colliders(double friction, double restitution) {
    const T o(0), one(1);
    const Placement<T> origin = {{{one, o, o}, {o, one, o}, {o, o, one}}, {}};
    const contact::Material<T> material = {T(friction), T(restitution)};
    return {
        {{.body = 0,
          .X_BS = origin,
          .shape = contact::box(Vec3<T>{T(kHalf.x), T(kHalf.y), T(kHalf.z)}),
          .material = material},
         {.body = 2, .X_BS = origin, .shape = contact::sphere(T(kBall)), .material = material}}};
  }
};

// On a floor, with gravity along any direction.
template <class T>
struct Scenery {
  using Stepper = test::TestBounded<T>;

  Scenery(int bodies, double friction, double restitution = 0)
      : colliders(Armed::colliders<T>(friction, restitution)) {
    CHECK(model.assign(std::span(Armed::kBodies).first(at(bodies))) == Status::kOk);
    stepper = std::make_unique<Stepper>(
        model, host::Tree{}, std::span(kJointLimits<Armed, T>).first(at(bodies)),
        Scene<T>{.colliders = std::span(colliders).first(bodies == 3 ? 2 : 1),
                 .pairs = {},
                 .ground = {.material = colliders[0].material}});
    state = stepper->make_input();
    state.q[2] = T(Armed::kHalf.z);
    settings.solver = RowSolver::kNewton;
  }
  void lean(double angle, double heading) {
    const double along = kGravity * std::sin(angle);
    state.gravity << T(along * std::cos(heading)), T(along * std::sin(heading)),
        T(-kGravity * std::cos(angle));
  }
  void step(int count = 1) {
    for (int i = 0; i < count; ++i) CHECK(stepper->step(state, settings) == Status::kOk);
  }
  double pressing() const {
    double sum = 0;
    for (const auto& own : stepper->result().contacts()) sum += double(own.normal);
    return sum;
  }

  test::TestModel<T> model;
  std::array<contact::Collider<T>, 2> colliders;
  std::unique_ptr<Stepper> stepper;
  typename Stepper::Input state;
  BoundedSettings<T> settings = {.dt = T(1e-3)};
};

// How far a box slides in a second.
template <class T>
double slide(double angle, double heading, double speed) {
  Scenery<T> box(1, 0.5);
  box.lean(angle, heading);
  box.state.v[0] = T(speed * std::cos(heading)), box.state.v[1] = T(speed * std::sin(heading));
  box.step(1000);
  DOUBLES_EQUAL(4 * kGravity * std::cos(angle), box.pressing(), 0.01 * 4 * kGravity);
  const double x = double(box.state.q[0]), y = double(box.state.q[1]);
  CHECK_AT_MOST(1e-3, std::fabs(x * std::sin(heading) - y * std::cos(heading)), "aside");
  return x * std::cos(heading) + y * std::sin(heading);
}

template <class T>
void check_slides() {
  const auto expected = [](double angle) {
    return 0.5 * kGravity * (std::sin(angle) - 0.5 * std::cos(angle));
  };
  for (const double heading : {0.0, 20.0, 45.0, 130.0}) {
    for (const double angle : {30.0, 35.0}) {
      const double way = expected(angle * kDegree);
      DOUBLES_EQUAL(way, slide<T>(angle * kDegree, heading * kDegree, 0), 0.01 * way);
    }
    CHECK_AT_MOST(1e-5, std::fabs(slide<T>(20 * kDegree, heading * kDegree, 0)), "creep in 1 s");
    const double brake = 0.170, speed = std::sqrt(2 * 0.5 * kGravity * brake);
    DOUBLES_EQUAL(brake, slide<T>(0, heading * kDegree, speed), 0.01 * brake);
  }
}

// A state in which the robot has some of its rows.
template <class T>
void toss(Scenery<T>& robot, std::mt19937& random) {
  std::uniform_real_distribution<double> share(-1, 1);
  auto& state = robot.state;
  state.q.setZero();
  state.q[2] = T(Armed::kHalf.z + 2e-3 * share(random));
  state.q[3] = T(0.004 * share(random)), state.q[4] = T(0.004 * share(random));
  state.q[6] = std::sqrt(T(1) - state.q[3] * state.q[3] - state.q[4] * state.q[4]);
  state.q[7] = T(0.1 + 0.85 * share(random)), state.q[8] = T(0.025 + 0.08 * share(random));
  for (int i = 0; i < 8; ++i) state.v[i] = T(0.5 * share(random));
  state.tau.setZero();
  state.tau[6] = T(2 * share(random)), state.tau[7] = T(3 * share(random));
}

// Bodies in the world, and the velocity of a point that is fixed to one.
struct Poses {
  Poses(const test::TestModel<double>& model, const auto& q, const auto& v) {
    model.backward([&]<JointType kJoint>(int i, const BodyData<double>& body) {
      const Placement<double> X = place_body<kJoint>(body.X_PJ, q.data() + body.q);
      const bool root = body.parent == kWorld;
      X_WB[at(i)] = root ? X : X_WB[at(body.parent)] * X;
      V[at(i)] = root ? Spatial<double>{} : twist_to_child(X, V[at(body.parent)]);
      add_joint_motion<kJoint>(V[at(i)], v.data() + body.v);
    });
  }
  Vec3<double> velocity(int body, const Vec3<double>& at_B) const {
    return X_WB[at(body)].R * (V[at(body)].linear + cross(V[at(body)].angular, at_B));
  }
  std::array<Placement<double>, 3> X_WB;
  std::array<Spatial<double>, 3> V;
};

// By how much the box's gyroscopic moment in the middle of a step is not that of its start, where
// it turns freely: Euler's equation by repetition.
Eigen::Vector3d gyroscopic_change(const Eigen::Vector3d& w, double dt) {
  const auto& I_B = Armed::kBodies[0].inertia;
  const Eigen::Vector3d moments(I_B[0], I_B[3], I_B[5]);
  const auto moment = [&](const Eigen::Vector3d& at) -> Eigen::Vector3d {
    return at.cross(moments.cwiseProduct(at));
  };
  Eigen::Vector3d middle = w;
  for (int i = 0; i < 50; ++i) middle = w - dt / 2 * moment(middle).cwiseQuotient(moments);
  return moment(middle) - moment(w);
}

// The conditions of the step that led here, from efforts that the motion needs and from poses.
void check_conditions(Scenery<double>& robot, const Scenery<double>::Stepper::Input& before) {
  const double dt = 1e-3, mu = 0.6, bound = 2e-3;  // m/s
  const auto& result = robot.stepper->result();
  const auto& vdot = robot.stepper->output().vdot;
  auto v = before.v;
  v += dt * vdot;
  const Poses start(robot.model, before.q, before.v), end(robot.model, before.q, v);
  // where the bodies are a moment later, with the velocities of the start
  const double moment = 1e-7;
  auto q = before.q;
  CHECK(add_motion(robot.model, before.q.data(), before.v.data(), moment, q.data()) == Status::kOk);
  const Poses later(robot.model, q, before.v);
  auto pushes = robot.stepper->make_wrenches();
  for (const auto& own : result.contacts()) {
    const contact::Contact<double>& at = own.contact;
    const Placement<double>& X = start.X_WB[lockstep::at(at.a)];
    const Vec3<double> arm = transpose_times(X.R, at.point - X.p);
    const Vec3<double> centre = transpose_times(X.R, at.point + at.rolling_a * at.normal - X.p);
    const Vec3<double> bias =
        (1 / moment) * (later.velocity(at.a, centre) - start.velocity(at.a, centre));
    const Vec3<double> w = end.velocity(at.a, arm) + dt * bias;
    const Vec3<double> t = {w.x, w.y, 0};
    const double slip = std::sqrt(dot(t, t)), grip = std::sqrt(dot(own.friction, own.friction));
    const double least =
        contact::least_velocity(at, start.velocity(at.a, arm).z, 0.0, dt, robot.settings.contact);
    CHECK(own.normal >= 0);
    CHECK_AT_MOST(bound, least - w.z, "normal velocity");
    if (own.normal * dt > 1e-3) CHECK_AT_MOST(bound, w.z - least, "bearing");
    CHECK_AT_MOST(mu * own.normal + 1e-6, grip, "cone");
    if (slip > 5 * bound) {
      CHECK_AT_MOST(0.01 * mu * own.normal + 1e-3, mu * own.normal - grip, "sliding");
      CHECK_AT_MOST(-0.98 * slip * grip + 1e-3, dot(own.friction, t), "against the slip");
    }
    const Vec3<double> f = transpose_times(X.R, own.normal * at.normal + own.friction);
    const Vec3<double> moment_B = cross(arm, f);
    pushes.col(at.a) +=
        Eigen::Matrix<double, 6, 1>(f.x, f.y, f.z, moment_B.x, moment_B.y, moment_B.z);
  }
  InverseDynamics<test::TestModel<double>> inverse(robot.model);
  auto motion = inverse.make_input();
  motion.q = before.q, motion.v = before.v, motion.vdot = vdot, motion.gravity = before.gravity;
  auto needed = inverse.make_output();
  CHECK(inverse.inverse_dynamics(motion, pushes, needed) == Status::kOk);
  for (int body = 1; body < 3; ++body) {
    const int i = 5 + body;
    const double rubs = result.force(RowOf::kFriction, body), limit = result.limit_force(body);
    // what inverse dynamics asks for at the start: the damper's part of the step is its own
    const double damped = dt * Armed::kBodies[at(body)].damping * vdot[i];
    DOUBLES_EQUAL(before.tau[i] + rubs + limit - damped, needed[i], 1e-3);
    const double most = Armed::kBodies[at(body)].friction;
    CHECK_AT_MOST(most, std::fabs(rubs), "dry friction");
    if (std::fabs(v[i]) > bound) DOUBLES_EQUAL(-most, rubs * v[i] / std::fabs(v[i]), 1e-6);
  }
  needed.segment(3, 3) += gyroscopic_change(before.v.segment(3, 3), dt);
  CHECK_AT_MOST(1e-4 * robot.pressing() + 1e-6, needed.head(6).norm(), "base");
}

// From states in which the box lands and slides on its corners, arm and rod at their limits.
// Returns how many of 300 steps end further from the exact solver's than `near`, in m/s and rad/s:
// friction has several answers where corners strike and slide, and both solvers' are right.
int check_steps(double tolerance, double near) {
  Scenery<double> robot(3, 0.6), exact(3, 0.6);
  exact.settings.solver = RowSolver::kPivoting;
  robot.settings.newton.tolerance = tolerance;
  if (tolerance < 1e-6) robot.settings.newton.rounds = 16, robot.settings.newton.iterations = 200;
  std::mt19937 random(11);
  int bearing = 0, most = 0, apart = 0;
  for (int i = 0; i < 300; ++i) {
    toss(robot, random);
    exact.state = robot.state;
    robot.stepper->forget();
    const auto before = robot.state;
    robot.step();
    if (tolerance < 1e-6) check_conditions(robot, before);
    CHECK(has_moved(exact.stepper->step(exact.state, exact.settings)));
    LONGS_EQUAL(exact.stepper->result().row_count, robot.stepper->result().row_count);
    apart += (robot.state.v - exact.state.v).norm() < near ? 0 : 1;
    bearing += robot.pressing() > 0 ? 1 : 0;
    most = std::max(most, robot.stepper->result().sweeps);
  }
  CHECK(bearing > 100);
  CHECK_AT_MOST(tolerance < 1e-6 ? 100 : 40, most, "solves");
  return apart;
}

}  // namespace

TEST_GROUP(NewtonStep){};

TEST(NewtonStep, BoxesStickAndSlideInEveryDirection) { check_slides<double>(); }
TEST(NewtonStep, BoxesStickAndSlideInFloat) { check_slides<float>(); }

TEST(NewtonStep, StepsMeetTheConditionsOfEveryRow) {
  CHECK_AT_MOST(40, check_steps(1e-7, 1e-3), "other answers");
}
TEST(NewtonStep, StepsAreNearTheExactSolvers) {
  CHECK_AT_MOST(60, check_steps(1e-5, 0.05), "other answers");
}

TEST(NewtonStep, ABallRollsDownASlope) {
  const Body body = {
      .joint = JointType::kFloating, .mass = 2, .inertia = {0.008, 0, 0, 0.008, 0, 0.008}};
  test::TestModel<double> model;
  CHECK(model.assign({&body, 1}) == Status::kOk);
  const contact::Collider<double> ball = {.body = 0,
                                          .X_BS = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {}},
                                          .shape = contact::sphere(0.1),
                                          .material = {.friction = 0.5}};
  test::TestBounded<double> stepper(
      model, {}, {},
      {.colliders = {&ball, 1}, .pairs = {}, .ground = {.material = {.friction = 0.5}}});
  auto state = stepper.make_input();
  state.q[2] = 0.1;
  const double angle = 20 * kDegree, along = kGravity * std::sin(angle);
  state.gravity << along * std::cos(0.7), along * std::sin(0.7), -kGravity * std::cos(angle);
  for (int i = 0; i < 300; ++i) {
    CHECK(stepper.step(state, {.dt = 1e-3, .solver = RowSolver::kNewton}) == Status::kOk);
  }
  const double way = 0.5 * 0.09 * 5.0 / 7 * along;
  DOUBLES_EQUAL(way, std::hypot(state.q[0], state.q[1]), 0.01 * way);
  DOUBLES_EQUAL(0.1, state.q[2], 1e-4);
}

TEST(NewtonStep, RestitutionGivesItsShareBack) {
  for (const double share : {0.0, 0.5, 1.0}) {
    Scenery<double> box(1, 0.5, share);
    box.state.q[2] = Armed::kHalf.z + 0.2;
    double top = 0;
    bool landed = false;
    for (int i = 0; i < 500; ++i) {
      box.step();
      landed = landed || box.state.v[2] >= 0;
      if (landed) top = std::max(top, box.state.q[2] - Armed::kHalf.z);
    }
    DOUBLES_EQUAL(share * share * 0.2, top, 0.004);
  }
}

// The arm's friction and limit, the rod's friction: to the last bit.
TEST(NewtonStep, WhatHoldsDoesNotCreep) {
  Scenery<double> robot(3, 0.8);
  robot.state.q[2] = 0.1;
  robot.step(500);
  const auto q = robot.state.q;
  const double height = robot.state.q[2];
  CHECK_EQUAL(0, robot.state.v[7]);
  robot.step(2000);
  CHECK(robot.state.q.tail(2) == q.tail(2));
  CHECK_AT_MOST(1e-5, height - robot.state.q[2], "sinking in 2 s");
  DOUBLES_EQUAL(4.7 * kGravity, robot.pressing(), 1e-4);
  LONGS_EQUAL(1, robot.stepper->result().sweeps);
}

TEST(NewtonStep, ADriveEndsAtTheLimit) {
  for (const double effort : {3.0, std::numeric_limits<double>::infinity()}) {
    Scenery<double> robot(3, 0.8);
    const Drive<double> drive = {.body = 1, .velocity = 1, .effort = effort};
    for (int i = 0; i < 1500; ++i) {
      CHECK(robot.stepper->step(robot.state, robot.settings, {.drives = {&drive, 1}}) ==
            Status::kOk);
      if (i == 200) CHECK_EQUAL(1.0, robot.state.v[6]);
    }
    DOUBLES_EQUAL(0.9, robot.state.q[7], 1e-3);
    CHECK_AT_MOST(10, std::fabs(robot.stepper->result().force(RowOf::kDrive, 1)), "effort");
  }
}

// A link that turns about the vertical cannot be lifted: what it sinks into does not brake it.
TEST(NewtonStep, AHeldContactBearsNothing) {
  const Body body = {.mass = 1, .inertia = {0.01, 0, 0, 0.01, 0, 0.01}};
  test::TestModel<double> model;
  CHECK(model.assign({&body, 1}) == Status::kOk);
  const contact::Collider<double> ball = {.body = 0,
                                          .X_BS = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0.1, 0, 0}},
                                          .shape = contact::sphere(0.05),
                                          .material = {.friction = 0.5}};
  test::TestBounded<double> stepper(
      model, {}, {},
      {.colliders = {&ball, 1}, .pairs = {}, .ground = {.material = {.friction = 0.5}}});
  auto state = stepper.make_input();
  state.v[0] = 3;
  for (int i = 0; i < 100; ++i) {
    CHECK(stepper.step(state, {.dt = 1e-3, .solver = RowSolver::kNewton}) == Status::kOk);
  }
  DOUBLES_EQUAL(3, state.v[0], 1e-12);
}

TEST(NewtonStep, SoftGroundYieldsAsASpring) {
  Scenery<double> box(1, 0.5);
  box.settings.newton.softness = 1e-4;  // m/N, of each of four corners
  box.settings.newton.settling = 0.02;
  box.step(2000);
  DOUBLES_EQUAL(kGravity * 1e-4, Armed::kHalf.z - box.state.q[2], 1e-6);
}

TEST(NewtonStep, AThrownRobotLosesEnergy) {
  Scenery<double> robot(3, 0.6);
  std::mt19937 random(2);
  std::uniform_real_distribution<double> share(-1, 1);
  for (int trial = 0; trial < 5; ++trial) {
    robot.stepper->forget();
    robot.state = robot.stepper->make_input();
    robot.state.q[2] = 0.8;
    robot.state.q.segment(3, 4) << share(random), share(random), share(random), share(random);
    robot.state.q.segment(3, 4).normalize();
    for (int i = 0; i < 8; ++i) robot.state.v[i] = 2 * share(random);
    double fastest = robot.state.v.head(3).norm();
    for (int i = 0; i < 1500; ++i) {
      CHECK(has_moved(robot.stepper->step(robot.state, robot.settings)));
      fastest = std::max(fastest, robot.state.v.head(3).norm());
      CHECK(robot.state.q[2] > 0.05 && robot.state.q[2] < 2.0);
    }
    CHECK_AT_MOST(8.0, fastest, "speed");
  }
}

TEST(NewtonStep, ARecalledStepHasTheSameBits) {
  Scenery<float> robot(3, 0.6), again(3, 0.6);
  robot.state.v[0] = 1, robot.state.v[6] = 2;
  robot.step(60);
  const auto& kept = robot.stepper->result();
  CHECK(again.stepper->recall({kept.keys.data(), at(kept.row_count)},
                              {kept.forces.data(), at(kept.row_count)}) == Status::kOk);
  again.state = robot.state;
  robot.step(50), again.step(50);
  CHECK(robot.state.q == again.state.q && robot.state.v == again.state.v);
}

TEST(NewtonStep, BothFormsGiveTheSameBits) {
  Scenery<float> robot(3, 0.6);
  const auto fixed = std::make_unique<BoundedStepper<Armed, float, test::kTestRoom, NoRows>>(
      Scene<float>{.colliders = robot.colliders,
                   .pairs = {},
                   .ground = {.material = robot.colliders[0].material}});
  auto state = fixed->make_input();
  state.q = robot.state.q;
  state.v[0] = robot.state.v[0] = 1, state.v[6] = robot.state.v[6] = 2;
  for (int i = 0; i < 200; ++i) {
    robot.step();
    CHECK(fixed->step(state, robot.settings) == Status::kOk);
  }
  CHECK(state.q == robot.state.q && state.v == robot.state.v);
  CHECK(fixed->output().reaction == robot.stepper->output().reaction);
  CHECK(fixed->result().forces == robot.stepper->result().forces);
}

TEST(NewtonStep, ABoundThatIsUsedUpIsTold) {
  Scenery<double> robot(3, 0.6);
  robot.settings.newton.iterations = 1;
  robot.state.q[2] = 0.101, robot.state.v[2] = -2, robot.state.v[0] = 1;
  int short_of = 0;
  for (int i = 0; i < 20; ++i) {
    const Status status = robot.stepper->step(robot.state, robot.settings);
    CHECK(has_moved(status));
    short_of += status == Status::kStoppedShort ? 1 : 0;
  }
  CHECK(short_of > 0);
}

TEST(NewtonStep, AllocatesNothing) {
  Scenery<float> robot(3, 0.6);
  robot.state.v[0] = 1;
  LONGS_EQUAL(0, test::allocations_in([&] { robot.step(100); }));
}
