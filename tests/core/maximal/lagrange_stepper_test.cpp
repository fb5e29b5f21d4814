#include "lockstep/maximal/lagrange_stepper.hpp"

#include <CppUTest/TestHarness.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "core/maximal/test_mechanism.hpp"
#include "support/allocation_guard.hpp"

using namespace lockstep;
using namespace lockstep::test;
using maximal::ConstraintType;

namespace {

constexpr double kG = 9.81;

const RigidBody kRod = {1.2, {0.02, 0, 0, 0.11, 0, 0.1}};

RigidBody::Pose pose_at(const Eigen::Vector3d& p, const Eigen::Quaterniond& R) {
  return {vec3(p), {R.x(), R.y(), R.z(), R.w()}};
}
RigidBody::Velocity velocity_of(const Eigen::Vector3d& v, const Eigen::Vector3d& w) {
  return {v.x(), v.y(), v.z(), w.x(), w.y(), w.z()};
}

// Three bodies on a hinge, a ball joint and a cross, swinging from a level start.
TestMechanism swinging_chain() {
  TestMechanism m;
  const Eigen::Quaterniond level = Eigen::Quaterniond::Identity();
  for (const double x : {0.5, 1.5, 2.5}) m.add(kRod, pose_at({x, 0, 0}, level));
  const Placement<double> hinge = {
      mat3(Eigen::AngleAxisd(1.2, Eigen::Vector3d::UnitX()).toRotationMatrix()), {0, 0, 0}};
  m.connect(ConstraintType::kRevolute, kWorld, hinge, 0, {hinge.R, {-0.5, 0, 0}},
            maximal::Revolute<double>{});
  m.connect(ConstraintType::kBall, 0, at_point(0.5, 0, 0), 1, at_point(-0.5, 0, 0),
            maximal::Ball<double>{});
  m.connect(ConstraintType::kUniversal, 1, at_point(0.5, 0, 0), 2, at_point(-0.5, 0, 0),
            maximal::Universal<double>{});
  return m;
}

// The largest along the way: where it crosses zero says nothing.
double energy_error(Integrator integrator, Stabilization stabilization, int steps) {
  TestRun run(swinging_chain());
  run.settings.integrator = integrator;
  run.settings.stabilization = stabilization;
  run.settings.dt = 0.5 / steps;
  const double start = run.energy();
  double largest = 0;
  for (int i = 0; i < steps; ++i) {
    run.step();
    largest = std::max(largest, std::abs(run.energy() - start));
  }
  return largest;
}

}  // namespace

TEST_GROUP(MaximalStepper){};

TEST(MaximalStepper, EnergyErrorFallsWithTheFourthPowerOfTheStep) {
  for (const Stabilization how :
       {Stabilization::kOff, Stabilization::kBaumgarte, Stabilization::kProjection}) {
    const double coarse = energy_error(Integrator::kRungeKutta4, how, 128);
    const double fine = energy_error(Integrator::kRungeKutta4, how, 256);
    CHECK_AT_MOST(1e-4, coarse, "coarse");
    CHECK(coarse / fine > 13);
    CHECK(coarse / fine < 20);
  }
}

TEST(MaximalStepper, EulersErrorFallsWithTheStep) {
  for (const Stabilization how : {Stabilization::kBaumgarte, Stabilization::kProjection}) {
    const double ratio = energy_error(Integrator::kSemiImplicitEuler, how, 500) /
                         energy_error(Integrator::kSemiImplicitEuler, how, 1000);
    CHECK(ratio > 1.7);
    CHECK(ratio < 2.5);
  }
}

// A pendulum over a hundred swings: the energy of projected Euler steps goes nowhere.
TEST(MaximalStepper, ProjectedEulerKeepsItsEnergyForLong) {
  TestMechanism m;
  m.add(Particle{2}, {{1, 0, 0}});
  m.connect(ConstraintType::kDistance, kWorld, kAtOrigin, 0, kAtOrigin,
            maximal::Distance<double>{1});
  TestRun run(m);
  run.settings.integrator = Integrator::kSemiImplicitEuler;
  run.settings.stabilization = Stabilization::kProjection;
  run.settings.dt = 0.005;
  double largest = 0, late = 0;
  for (int i = 0; i < 40000; ++i) {
    run.step();
    (i < 20000 ? largest : late) = std::max(i < 20000 ? largest : late, std::abs(run.energy()));
  }
  CHECK_AT_MOST(0.5, largest, "J of 19.6");
  CHECK_AT_MOST(1.01 * largest, late, "second half");
}

TEST(MaximalStepper, MomentumOfAFreeMechanismStays) {
  TestMechanism m;
  Random random(9);
  const auto rigid = [&](const Eigen::Vector3d& p) {
    return m.add(kRod, pose_at(p, Eigen::Quaterniond::Identity()));
  };
  rigid({0.5, 0, 0}), rigid({1.5, 0, 0}), rigid({2.5, 0, 0}), rigid({1, 0.5, 0});
  m.connect(ConstraintType::kBall, 0, at_point(0.5, 0, 0), 1, at_point(-0.5, 0, 0),
            maximal::Ball<double>{});
  m.connect(ConstraintType::kRevolute, 1, at_point(0.5, 0, 0), 2, at_point(-0.5, 0, 0),
            maximal::Revolute<double>{});
  m.connect(ConstraintType::kUniversal, 1, at_point(-0.5, 0, 0), 3, at_point(0, -0.5, 0),
            maximal::Universal<double>{});
  TestRun run(m);
  run.loads.gravity.setZero();
  for (double& v : run.state.v) v = random.uniform(-1, 1);
  CHECK_TRUE(Status::kOk == run.stepper().assemble(run.state, run.settings));
  const auto start = run.momentum();
  const double energy = run.energy();
  CHECK(start.head<3>().norm() > 0.5);
  CHECK(start.tail<3>().norm() > 0.5);
  run.run(1, 8000);
  CHECK_AT_MOST(1e-13, (run.momentum() - start).head<3>().norm(), "linear");
  CHECK_AT_MOST(1e-12, (run.momentum() - start).tail<3>().norm(), "angular");
  CHECK_AT_MOST(1e-10, std::abs(run.energy() - energy), "energy");
}

// A heavy symmetric top in steady precession about the vertical: with A and C its moments about the
// pivot, A W^2 cos(a) - C w3 W + m g l = 0.
TEST(MaximalStepper, GyroscopePrecessesAsTheClosedFormSays) {
  const double m = 0.8, l = 0.3, C = 0.02, across = 0.015, A = across + m * l * l;
  const double tilt = 1.1, W = 1.7;
  const double w3 = (A * W * W * std::cos(tilt) + m * kG * l) / (C * W);
  const Eigen::Quaterniond R(Eigen::AngleAxisd(tilt, Eigen::Vector3d::UnitY()));
  const Eigen::Vector3d axis = R * Eigen::Vector3d::UnitZ();
  const Eigen::Vector3d w = Eigen::Vector3d(0, 0, W) + (w3 - W * std::cos(tilt)) * axis;
  TestMechanism top;
  top.add(RigidBody{m, {across, 0, 0, across, 0, C}}, pose_at(l * axis, R),
          velocity_of(w.cross(l * axis), w));
  top.connect(ConstraintType::kBall, kWorld, kAtOrigin, 0, at_point(0, 0, -l),
              maximal::Ball<double>{});
  TestRun run(top);
  const double seconds = 2;
  run.run(seconds, 8000);
  const Eigen::Vector3d expected =
      Eigen::AngleAxisd(W * seconds, Eigen::Vector3d::UnitZ()) * (l * axis);
  CHECK_AT_MOST(1e-7, (eigen(run.pose<RigidBody>(0).p) - expected).norm(), "precession");
}

// A disc in steady motion round a circle: with w3 its spin, W its precession and A, C its moments,
// A W^2 sin(a) cos(a) - (C + m r^2) w3 W sin(a) - m g r cos(a) = 0 (a from the vertical to the
// axle).
TEST(MaximalStepper, RollingDiscFollowsTheSteadyMotion) {
  const double m = 1.3, r = 0.4, C = m * r * r / 2, A = C / 2;
  const double tilt = 1.2, W = 1.1, s = std::sin(tilt), c = std::cos(tilt);
  const double w3 = (A * W * W * s * c - m * kG * r * c) / ((C + m * r * r) * W * s);
  const Eigen::Quaterniond R(Eigen::AngleAxisd(tilt, Eigen::Vector3d::UnitX()));
  const Eigen::Vector3d axle = R * Eigen::Vector3d::UnitZ(), up = R * Eigen::Vector3d::UnitY();
  const Eigen::Vector3d w = Eigen::Vector3d(0, 0, W) + (w3 - W * c) * axle;
  const Eigen::Vector3d start(0, 0, r * s), v = w.cross(r * up);
  TestMechanism disc;
  disc.add(RigidBody{m, {A, 0, 0, A, 0, C}}, pose_at(start, R), velocity_of(v, w));
  disc.connect(ConstraintType::kRollingDisc, kWorld, kAtOrigin, 0, kAtOrigin,
               maximal::RollingDisc<double>{{r}});
  TestRun run(disc);
  const double seconds = 1.5;
  run.run(seconds, 3000);
  // the centre circles about the point that stands still under the rotation W
  const Eigen::Vector3d middle = start + Eigen::Vector3d(0, 0, 1).cross(v) / W;
  const Eigen::Vector3d expected =
      middle + Eigen::AngleAxisd(W * seconds, Eigen::Vector3d::UnitZ()) * (start - middle);
  CHECK_AT_MOST(1e-8, (eigen(run.pose<RigidBody>(0).p) - expected).norm(), "circle");
  CHECK_AT_MOST(1e-6, run.stepper().errors().velocity, "slip");
}

// Down a slope without slipping: 5/7 g sin(slope), whatever the ball weighs.
TEST(MaximalStepper, BallRollsDownASlope) {
  const double r = 0.25, slope = 0.4, mass = 3, I = 0.4 * mass * r * r;
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(slope, Eigen::Vector3d::UnitY()));
  const Eigen::Vector3d normal = turn * Eigen::Vector3d::UnitZ();
  TestMechanism ball;
  ball.add(RigidBody{mass, {I, 0, 0, I, 0, I}}, pose_at(r * normal, turn));
  ball.connect(ConstraintType::kRollingBall, kWorld, {mat3(turn.toRotationMatrix()), {}}, 0,
               kAtOrigin, maximal::RollingBall<double>{{r}});
  TestRun run(ball);
  run.run(1, 200);
  const Eigen::Vector3d expected =
      r * normal + turn * Eigen::Vector3d(5.0 / 14 * kG * std::sin(slope), 0, 0);
  CHECK_AT_MOST(1e-12, (eigen(run.pose<RigidBody>(0).p) - expected).norm(), "distance");
}

// Two shafts in bearings: I_1 and ratio^2 I_2 turn together.
TEST(MaximalStepper, GearedPairKeepsItsRatio) {
  const double ratio = -3;
  TestMechanism gears;
  for (const double y : {0.0, 0.7}) {
    const int body = gears.add(RigidBody{1, {0.1, 0, 0, 0.1, 0, y == 0 ? 0.2 : 0.05}},
                               pose_at({0, y, 0}, Eigen::Quaterniond::Identity()));
    gears.connect(ConstraintType::kRevolute, kWorld, at_point(0, y, 0), body, kAtOrigin,
                  maximal::Revolute<double>{});
  }
  gears.connect(ConstraintType::kGear, 0, kAtOrigin, 1, kAtOrigin, maximal::Gear<double>{ratio});
  for (const Stabilization how :
       {Stabilization::kOff, Stabilization::kBaumgarte, Stabilization::kProjection}) {
    TestRun run(gears);
    run.settings.stabilization = how;
    run.loads.force[5] = 0.65;  // N m on the first
    run.run(2, 500);
    CHECK_AT_MOST(1e-12, std::abs(run.state.v[5] - 2.0), "0.65 / (0.2 + 9 * 0.05) a second");
    CHECK_AT_MOST(1e-12, std::abs(run.state.v[11] - ratio * run.state.v[5]), "ratio");
  }
}

// A free body that spins and may grow: L = s^2 I w stays, and s^2 = 1 + (I / K) w0^2 t^2, where K
// is half the trace of I.
TEST(MaximalStepper, ScalingBodyConservesItsMomentum) {
  const double I = 0.4, K = 0.5 * (0.3 + 0.25 + I), w0 = 2, seconds = 1.5;
  TestMechanism body;
  body.add(ScalingBody{2, {0.3, 0, 0, 0.25, 0, I}}, {}, {0.3, 0, 0, 0, 0, w0, 0});
  TestRun run(body);
  run.loads.gravity.setZero();
  const auto start = run.momentum();
  run.run(seconds, 1500);
  CHECK_AT_MOST(1e-12, (run.momentum() - start).norm(), "momentum");
  const double grown = std::sqrt(1 + I / K * w0 * w0 * seconds * seconds);
  DOUBLES_EQUAL(grown, run.pose<ScalingBody>(0).scale, 1e-10);
  DOUBLES_EQUAL(w0 / (grown * grown), run.state.v[5], 1e-10);
}

// About any axis, growing along three axes, energy and angular momentum stay to the fourth order.
TEST(MaximalStepper, StretchingBodyConservesMomentumAndEnergy) {
  TestMechanism body;
  body.add(StretchingBody{2, {0.3, 0.02, 0, 0.25, 0.01, 0.4}}, {},
           {0.3, 0, 0, 0.5, -1, 2, 0.1, -0.2, 0.3});
  const auto error = [&](int steps) {
    TestRun run(body);
    run.loads.gravity.setZero();
    const auto start = run.momentum();
    const double energy = run.energy();
    run.run(1, steps);
    return std::max((run.momentum() - start).norm(), std::abs(run.energy() - energy));
  };
  const double coarse = error(100);
  CHECK_AT_MOST(1e-6, coarse, "coarse");
  CHECK(coarse / error(200) > 13);
}

TEST(MaximalStepper, PrescribedMotionIsFollowed) {
  using Drive = maximal::FollowAngle<double, maximal::Swing<double>>;
  const maximal::Swing<double> swing = {{0, 0.5, 0.2}, {0, 0.4, 3, 0}};
  TestMechanism m;
  m.add(PlanarBody{1, 0.1}, {0.5, 0, 0}, {0, 0.5 * 1.7, 1.7});
  m.connect(ConstraintType::kDrivenPin, kWorld, kAtOrigin, 0, at_point(-0.5, 0, 0),
            maximal::Both<maximal::FlatPin<double>, Drive>{{}, {swing}});
  TestRun run(m);
  run.settings.stabilization = Stabilization::kProjection;
  run.run(1, 100);
  const double angle = swing.at(1).value;
  DOUBLES_EQUAL(angle, run.pose<PlanarBody>(0).angle, 1e-12);
  DOUBLES_EQUAL(0.5 * std::cos(angle), run.pose<PlanarBody>(0).x, 1e-12);
}

TEST(MaximalStepper, QuaternionsStayUnit) {
  TestRun run(swinging_chain());
  run.settings.integrator = Integrator::kSemiImplicitEuler;
  run.run(20, 20000);
  for (int i = 0; i < 3; ++i) {
    CHECK_AT_MOST(1e-14, std::abs(eigen(run.pose<RigidBody>(i).q).norm() - 1), "length");
  }
}

TEST(MaximalStepper, ProjectionTakesOutAllErrors) {
  for (const Integrator integrator : {Integrator::kSemiImplicitEuler, Integrator::kRungeKutta4}) {
    TestRun run(swinging_chain());
    run.settings.integrator = integrator;
    run.settings.stabilization = Stabilization::kProjection;
    run.settings.dt = 0.002;
    for (int i = 0; i < 2000; ++i) {
      run.step();
      CHECK_AT_MOST(1e-12, run.stepper().errors().position, "position");
      CHECK_AT_MOST(1e-11, run.stepper().errors().velocity, "velocity");
    }
  }
}

// Errors of a state that was assembled badly die out.
TEST(MaximalStepper, BaumgartePullsBack) {
  TestRun run(swinging_chain());
  run.state.x[0] += 0.01;
  run.settings.dt = 0.001;
  run.step();
  const double at_first = run.stepper().errors().position;
  for (int i = 0; i < 60; ++i) run.step();
  CHECK(at_first > 0.005);
  CHECK_AT_MOST(1e-3 * at_first, run.stepper().errors().position, "after 60 steps");
  TestRun loose(swinging_chain());
  loose.state.x[0] += 0.01;
  loose.settings.stabilization = Stabilization::kOff;
  loose.run(0.061, 61);
  CHECK(loose.stepper().errors().position > 0.005);
}

TEST(MaximalStepper, AssemblePutsAStateTogether) {
  TestRun run(swinging_chain());
  Random random(4);
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) run.state.x[7 * i + k] += random.uniform(-0.05, 0.05);
  }
  for (double& v : run.state.v) v = random.uniform(-1, 1);
  run.settings.max_solves = 30;
  CHECK_TRUE(Status::kOk == run.stepper().assemble(run.state, run.settings));
  CHECK_TRUE(Status::kOk == run.solver().evaluate(run.state));
  CHECK_AT_MOST(1e-12, run.solver().position_errors().cwiseAbs().maxCoeff(), "positions");
  CHECK_AT_MOST(1e-12, run.solver().velocity_errors().cwiseAbs().maxCoeff(), "velocities");
}

// f = m v: the last body is dragged, the others follow, all joints hold.
TEST(MaximalStepper, DraggingABodyTakesTheMechanismAlong) {
  TestRun run(swinging_chain());
  run.loads.gravity.setZero();
  run.loads.force[12 + 2] = 3;  // up, on the third
  const double before = run.state.x[14 + 2];
  for (int i = 0; i < 300; ++i) {
    CHECK_TRUE(Status::kOk == run.stepper().drag(run.state, run.loads, 0.002));
    CHECK_AT_MOST(1e-4, run.stepper().errors().position, "joints");
  }
  CHECK(run.state.x[14 + 2] > before + 0.3);
  run.loads.force.setZero();
  CHECK_TRUE(Status::kOk == run.stepper().drag(run.state, run.loads, 0.002));
  CHECK_AT_MOST(0.05, run.state.v.cwiseAbs().maxCoeff(), "without a force nothing moves");
}

// The free end of a rod on a hinge is struck: dw = (r x p) / I about the hinge.
TEST(MaximalStepper, ABlowMovesARodAsTheClosedFormSays) {
  TestMechanism m;
  m.add(kRod, pose_at({0.5, 0, 0}, Eigen::Quaterniond::Identity()));
  m.connect(ConstraintType::kRevolute, kWorld, kAtOrigin, 0, at_point(-0.5, 0, 0),
            maximal::Revolute<double>{});
  TestRun run(m);
  auto impulse = run.state.v;
  impulse.setZero();
  impulse[1] = 0.6, impulse[5] = 0.3;  // 0.6 N s at x = 1
  CHECK_TRUE(Status::kOk == run.stepper().strike(run.state, impulse));
  const double w = 0.6 * 1 / (0.1 + 1.2 * 0.25);
  DOUBLES_EQUAL(w, run.state.v[5], 1e-14);
  DOUBLES_EQUAL(0.5 * w, run.state.v[1], 1e-14);
  DOUBLES_EQUAL(1.2 * 0.5 * w - 0.6, run.stepper().solution().lambda[1], 1e-14);
}

// A planar four-bar of spatial hinges, turned anyhow: of the five rows that close it the others
// hold three, but for rounding and the square of their errors.
TEST(MaximalStepper, AFourBarIsHeldByRedundantRows) {
  const Eigen::Quaterniond turn(
      Eigen::AngleAxisd(0.8, Eigen::Vector3d(0.3, 0.7, -0.5).normalized()));
  TestMechanism m;
  const auto at_world = [&](double x, double z) { return turn * Eigen::Vector3d(x, 0, z); };
  const Eigen::Vector3d centres[] = {at_world(0, 0.125), at_world(0.25, 0.3), at_world(0.5, 0.175)};
  for (const Eigen::Vector3d& p : centres) m.add(kRod, pose_at(p, turn));
  const Eigen::Matrix3d hinge =
      Eigen::AngleAxisd(-std::numbers::pi / 2, Eigen::Vector3d::UnitX()).toRotationMatrix();
  const auto in_body = [&](int body, const Eigen::Vector3d& p) -> Placement<double> {
    if (body == kWorld) return {mat3(turn * hinge), vec3(p)};
    return {mat3(hinge), vec3(turn.conjugate() * (p - centres[body]))};
  };
  const auto pin = [&](int a, int b, const Eigen::Vector3d& p) {
    m.connect(ConstraintType::kRevolute, a, in_body(a, p), b, in_body(b, p),
              maximal::Revolute<double>{});
  };
  pin(kWorld, 0, at_world(0, 0)), pin(0, 1, at_world(0, 0.25));
  pin(1, 2, at_world(0.5, 0.35)), pin(kWorld, 2, at_world(0.5, 0));
  for (const Stabilization how : {Stabilization::kBaumgarte, Stabilization::kProjection}) {
    TestRun run(m);
    LONGS_EQUAL(5, run.table().counts().auxiliary);
    run.settings.stabilization = how;
    const Eigen::Vector3d pull = turn * Eigen::Vector3d(3, 0, -9.81);
    run.loads.gravity = pull;
    const double start = run.energy();
    run.run(2, 2000);
    LONGS_EQUAL(3, run.solver().redundant_rows());
    CHECK_AT_MOST(1e-4, std::abs(run.energy() - start), "energy");
    CHECK_AT_MOST(1e-7, run.stepper().errors().position, "joints");
  }
}

TEST(MaximalStepper, BadInputChangesNothing) {
  TestRun run(swinging_chain());
  run.settings.dt = 0.001;
  run.step();
  const auto before = run.state;
  const auto refused = [&](Status expected) {
    CHECK_TRUE(expected == run.stepper().step(run.state, run.loads, run.settings));
    CHECK(before.x == run.state.x);
    CHECK(before.v == run.state.v);
    CHECK(before.time == run.state.time);
  };
  for (const double dt : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                          std::numeric_limits<double>::infinity()}) {
    run.settings.dt = dt;
    refused(Status::kBadTimeStep);
  }
  run.settings.dt = 0.001;
  const auto settings = run.settings;
  for (const double bad : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
    run.settings.tolerance = bad;
    refused(Status::kBadTolerance);
    CHECK(Status::kBadTolerance == run.stepper().assemble(run.state, run.settings));
    run.settings = settings;
    run.settings.gains.velocity = bad;
    refused(Status::kBadConstraint);
    run.settings = settings;
  }
  run.settings.stabilization = static_cast<Stabilization>(3);
  refused(Status::kBadConstraint);
  run.settings = settings;
  run.settings.integrator = static_cast<Integrator>(2);
  refused(Status::kBadConstraint);
  run.settings = settings;
  run.loads.force[0] = std::numeric_limits<double>::quiet_NaN();
  refused(Status::kNotFinite);
  run.loads.force[0] = 1e307;
  run.loads.force[1] = 1e307;
  run.settings.dt = 1e6;
  const Status status = run.stepper().step(run.state, run.loads, run.settings);
  CHECK(status == Status::kOverflow || status == Status::kAngleTooLarge);
  CHECK(before.x == run.state.x);
  run.loads.force.setZero();
  run.settings.dt = 0.05;
  run.settings.stabilization = Stabilization::kProjection;
  for (const int most : {0, -1, std::numeric_limits<int>::min()}) {
    run.settings.max_solves = most;
    refused(Status::kNotConverged);
  }
}

TEST(MaximalStepper, NeverAllocates) {
  TestRun run(swinging_chain());
  run.settings.dt = 0.001;
  for (const Stabilization how : {Stabilization::kBaumgarte, Stabilization::kProjection}) {
    run.settings.stabilization = how;
    Status status = Status::kSingular;
    LONGS_EQUAL(0, allocations_in(
                       [&] { status = run.stepper().step(run.state, run.loads, run.settings); }));
    CHECK_TRUE(Status::kOk == status);
  }
}

TEST(MaximalStepper, FloatFollowsDouble) {
  const TestMechanism m = swinging_chain();
  TestRun<float> rough(m);
  TestRun exact(m);
  rough.run(0.5, 500);
  exact.run(0.5, 500);
  CHECK_AT_MOST(1e-4, relative_error(rough.state.x, exact.state.x), "poses");
  CHECK_AT_MOST(1e-3, relative_error(rough.state.v, exact.state.v), "velocities");
}
