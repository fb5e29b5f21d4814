#include "lockstep/maximal/contacts.hpp"

#include <CppUTest/TestHarness.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/maximal/touching.hpp"
#include "support/allocation_guard.hpp"
#include "support/long_test.hpp"

using namespace lockstep;
using namespace lockstep::test;
using namespace lockstep::contact;
using maximal::ConstraintType;

namespace {

constexpr double kGravity = 9.81;
const Mat3<double> kAlongX = {{0, 0, -1}, {0, 1, 0}, {1, 0, 0}};  // of a capsule
const Mat3<double> kHinge = {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}};   // its z is y of the world

template <class T>
void check_incline(bool by_impulses, double bound, RowSolver solver = RowSolver::kPivoting) {
  const double friction = 0.5;
  for (const double angle : {0.0, 0.3, 0.45, 0.48, 0.8}) {
    TestMechanism m;
    const double s = std::sin(angle), c = std::cos(angle);
    m.add(box_body(4, {0.3, 0.2, 0.1}),
          {{0.1 * s, 0, 0.1 * c}, {0, std::sin(angle / 2), 0, std::cos(angle / 2)}});
    Touching<T> t(m);
    t.settings.row_solver.solver = solver;
    t.ground = {{T(s), T(0), T(c)}, T(0), {T(friction)}};
    t.touch(0, box(Vec3<T>{T(0.3), T(0.2), T(0.1)}), t.ground.material);
    t.assign();
    t.steps(by_impulses, 500);
    const double slide = std::max(0.0, kGravity * (s - friction * c));
    const double speed =
        c * static_cast<double>(t.run.state.v[0]) - s * static_cast<double>(t.run.state.v[2]);
    const Vec3<double> force = t.force(0);
    DOUBLES_EQUAL(0.5 * slide, speed, bound * std::max(1.0, slide));
    DOUBLES_EQUAL(4 * kGravity * c, s * force.x + c * force.z, 40 * bound);
    LONGS_EQUAL(4, t.contacts->list().size());
  }
}

constexpr double kDegree = 0.017453292519943295, kFriction = 0.5;

// A box flat on the ground that gravity leans by `angle`, downhill along `heading`.
template <class T>
Touching<T> leaning_box(double angle, double heading, RowSolver solver) {
  TestMechanism m;
  m.add(box_body(4, {0.3, 0.2, 0.1}), {{0, 0, 0.1}, {0, 0, 0, 1}});
  Touching<T> t(m);
  t.settings.row_solver.solver = solver;
  t.ground.material = {T(kFriction)};
  t.touch(0, box(Vec3<T>{T(0.3), T(0.2), T(0.1)}), t.ground.material);
  t.assign();
  const double down = kGravity * std::sin(angle);
  t.run.loads.gravity << T(down * std::cos(heading)), T(down * std::sin(heading)),
      T(-kGravity * std::cos(angle));
  return t;
}

template <class T>
double along(const Touching<T>& t, double heading) {
  return static_cast<double>(t.run.state.x[0]) * std::cos(heading) +
         static_cast<double>(t.run.state.x[1]) * std::sin(heading);
}

// Way down a slope within half a second, and way of a box of 1 m/s to its stop on the flat.
template <class T>
void check_directions(RowSolver solver, double bound) {
  for (const bool by_impulses : {false, true}) {
    for (const double azimuth : {0, 20, 45, 70, 200}) {
      const double heading = azimuth * kDegree;
      for (const double degrees : {25, 30, 35}) {
        Touching<T> t = leaning_box<T>(degrees * kDegree, heading, solver);
        t.steps(by_impulses, 500);
        const double angle = degrees * kDegree;
        const double rate = kGravity * (std::sin(angle) - kFriction * std::cos(angle));
        const double way = std::max(0.0, rate) * 0.125;
        DOUBLES_EQUAL(way, along(t, heading), bound * way + 1e-5);
        DOUBLES_EQUAL(0, along(t, heading + 90 * kDegree), bound * way + 1e-5);
      }
      Touching<T> t = leaning_box<T>(0, heading, solver);
      t.run.state.v[0] = static_cast<T>(std::cos(heading));
      t.run.state.v[1] = static_cast<T>(std::sin(heading));
      t.steps(by_impulses, 300);
      const double way = 1 / (2 * kFriction * kGravity);
      DOUBLES_EQUAL(way, along(t, heading), 0.01 * way);
    }
  }
}

Touching<> ball(double height, double restitution) {
  TestMechanism m;
  m.add(ball_body(2, 0.1), {{0, 0, 0.1 + height}, {0, 0, 0, 1}});
  Touching<> t(m);
  t.ground.material = {.friction = 0.5, .restitution = restitution};
  t.touch(0, sphere(0.1), t.ground.material);
  return t;
}

// Five rods on ball joints above the floor, the first one turning.
TestMechanism chain() {
  const RigidBody rod = {1.2, {0.002, 0, 0, 0.04, 0, 0.04}};
  TestMechanism m;
  for (int i = 0; i < 5; ++i) {
    m.add(rod, {{0.3 + 0.6 * i, 0, 0.4}, {0, 0, 0, 1}}, {0, 0, 0, i == 0 ? 3.0 : 0, 0, 0});
  }
  for (int i = 1; i < 5; ++i) {
    m.connect(ConstraintType::kBall, i - 1, at_point(0.3, 0, 0), i, at_point(-0.3, 0, 0),
              maximal::Ball<double>{});
  }
  return m;
}
template <class T>
void clothe_chain(Touching<T>& t) {
  t.ground.material = {T(0.5), T(0.2)};
  for (int i = 0; i < 5; ++i) {
    t.touch(i, capsule(T(0.05), T(0.25)), t.ground.material, {kAlongX, {}});
  }
  t.assign();
}

// A ball on an arm of 1 m, level at first, on a hinge to the world.
TestMechanism pendulum() {
  TestMechanism m;
  m.add(ball_body(1, 0.1), {{1, 0, 0}, {0, 0, 0, 1}});
  m.connect(ConstraintType::kRevolute, kWorld, {kHinge, {}}, 0, {kHinge, {-1, 0, 0}},
            maximal::Revolute<double>{});
  return m;
}
maximal::JointBound<double> bound_of_pendulum() {
  maximal::JointBound<double> bound;
  bound.b = 0;
  bound.X_A = {kHinge, {}};
  bound.X_B = {kHinge, {-1, 0, 0}};
  return bound;
}

}  // namespace

TEST_GROUP(MaximalContacts){};

// tan(angle) below the coefficient: it stays; above, it slides with g (sin - coefficient cos).
TEST(MaximalContacts, BoxOnAnInclineSticksOrSlides) {
  for (const bool by_impulses : {false, true}) {
    check_incline<double>(by_impulses, 1e-9);
    check_incline<float>(by_impulses, 2e-3);
    check_incline<double>(by_impulses, 1e-3, RowSolver::kGaussSeidel);
  }
}

TEST(MaximalContacts, BoxSlidesAlikeInEveryDirection) {
  check_directions<double>(RowSolver::kPivoting, 5e-3);
  check_directions<float>(RowSolver::kPivoting, 1e-2);
  check_directions<double>(RowSolver::kGaussSeidel, 5e-3);
}

// Four corners at the radius r rub across r: w falls by coefficient m g r / I.
TEST(MaximalContacts, SpinningBoxStopsAsItsCornersRub) {
  for (const bool by_impulses : {false, true}) {
    Touching<> t = leaning_box<double>(0, 0, RowSolver::kPivoting);
    t.run.state.v[5] = 10;
    t.steps(by_impulses, 100);
    const double r2 = 0.3 * 0.3 + 0.2 * 0.2;  // I = m r2 / 3
    const double w = 10 - kFriction * kGravity * std::sqrt(r2) / (r2 / 3) * 0.1;
    DOUBLES_EQUAL(w, t.run.state.v[5], 0.01 * w);
    DOUBLES_EQUAL(0, along(t, 0), 1e-6);
  }
}

TEST(MaximalContacts, BallBouncesToTheSquareOfItsRestitution) {
  for (const bool by_impulses : {false, true}) {
    for (const double e : {1.0, 0.9, 0.6}) {
      Touching<> t = ball(1, e);
      t.assign();
      double apex = 0;
      bool up = false;
      while (!up || t.run.state.v[2] > 0) {
        t.step(by_impulses);
        up = up || t.run.state.v[2] > 0;
        if (up) apex = std::max(apex, t.run.state.x[2] - 0.1);
      }
      DOUBLES_EQUAL(e * e, apex, 0.01 * e * e);
    }
  }
}

// Free flight by impulses is exact, so a perfect bounce keeps the energy to the last bits.
TEST(MaximalContacts, PerfectBouncesByImpulsesKeepTheEnergy) {
  Touching<> t = ball(0.3, 1);
  t.assign();
  const double start = t.run.energy();
  t.steps(true, 20000);
  DOUBLES_EQUAL(start, t.run.energy(), 1e-9);
}

TEST(MaximalContacts, BallComesToRestAndStaysThere) {
  for (const bool by_impulses : {false, true}) {
    Touching<> t = ball(0.2, 0.5);
    t.assign();
    t.steps(by_impulses, 3000);
    const auto rest = t.run.state;
    t.steps(by_impulses, 1000);
    DOUBLES_EQUAL(0.1, rest.x[2], 1e-4);
    DOUBLES_EQUAL(0, (t.run.state.x - rest.x).norm(), 1e-12);
    DOUBLES_EQUAL(2 * kGravity, t.force(0).z, 1e-9);
  }
}

TEST(MaximalContacts, BallsExchangeTheirMomentum) {
  for (const bool by_impulses : {false, true}) {
    TestMechanism m;
    m.add(ball_body(1, 0.05), {{0, 0, 1}, {0, 0, 0, 1}}, {1, 0, 0, 0, 0, 0});
    m.add(ball_body(1, 0.05), {{0.5, 0.03, 1}, {0, 0, 0, 1}});
    Touching<> t(m);
    t.run.loads.gravity.setZero();
    for (const int i : {0, 1}) t.touch(i, sphere(0.05), {.restitution = 1});
    t.pairs = {{0, 1}};
    t.assign();
    const auto momentum = t.run.momentum();
    const double energy = t.run.energy();
    t.steps(by_impulses, 1000);
    CHECK_AT_MOST(1e-12, (t.run.momentum() - momentum).norm(), "momentum");
    DOUBLES_EQUAL(energy, t.run.energy(), 1e-12);
    // the line of centres, where they meet, is at asin(0.3): one leaves along it, one across
    DOUBLES_EQUAL(0, t.run.state.v.head<3>().dot(t.run.state.v.segment<3>(6)), 1e-12);
    DOUBLES_EQUAL(1 - 0.09, t.run.state.v.segment<3>(6).squaredNorm(), 0.01);
  }
}

LONG_TEST(MaximalContacts, ChainFallsOnTheFloorAndLies) {
  for (const bool by_impulses : {false, true}) {
    Touching<> t(chain());
    clothe_chain(t);
    CHECK_TRUE(Status::kOk == t.run.stepper().assemble(t.run.state, t.run.settings));
    const double start = t.run.energy();
    for (int i = 0; i < 5000; ++i) {
      t.step(by_impulses);
      CHECK_AT_MOST(start + 1e-5, t.run.energy(), "energy");
      for (const auto& contact : t.contacts->list().span()) {
        CHECK_AT_MOST(2e-4, -contact.distance, "depth");
      }
      if (!by_impulses) continue;
      CHECK_AT_MOST(t.impulses.tolerance, t.impulse_stepper.errors().position, "joints");
      CHECK_AT_MOST(t.impulses.tolerance / 1e-3, t.impulse_stepper.errors().velocity, "joints");
    }
    double force = 0;
    for (int i = 0; i < 5; ++i) force += t.force(i).z;
    DOUBLES_EQUAL(6 * kGravity, force, 1e-3);
    DOUBLES_EQUAL(6 * kGravity * 0.05, t.run.energy(), 0.01);
  }
}

TEST(MaximalContacts, PendulumComesBackFromAWall) {
  for (const bool by_impulses : {false, true}) {
    Touching<> t(pendulum());
    t.ground = {.normal = {1, 0, 0}, .offset = -0.1, .material = {.restitution = 1}};
    t.touch(0, sphere(0.1), t.ground.material);
    t.assign();
    double least = 1, highest = -1;
    for (int i = 0; i < 5000; ++i) {
      t.step(by_impulses);
      least = std::min(least, t.run.state.x[0]);
      if (i > 1500) highest = std::max(highest, t.run.state.x[2]);
      if (by_impulses) {
        CHECK_AT_MOST(t.impulses.tolerance, t.impulse_stepper.errors().position, "hinge");
      }
    }
    DOUBLES_EQUAL(0, least, 5e-3);  // the wall is at the lowest point
    DOUBLES_EQUAL(0, highest, by_impulses ? 1e-4 : 2e-3);
  }
}

// A ball on a hinge falls onto the joint's stop: it rests there, and the stop bears its moment.
TEST(MaximalContacts, HingeRestsOnItsLimit) {
  for (const bool by_impulses : {false, true}) {
    for (const bool upper : {true, false}) {
      Touching<> t(pendulum());
      auto bound = bound_of_pendulum();
      if (upper) {
        bound.limits.upper = 0.5, bound.limits.lower = -2;
      } else {  // the same stop, seen from the other side
        std::swap(bound.a, bound.b), std::swap(bound.X_A, bound.X_B);
        bound.limits.lower = -0.5;
      }
      bound.restitution = 0.3;
      t.bounds = {bound};
      t.assign();
      t.steps(by_impulses, 3000);
      DOUBLES_EQUAL(-std::sin(0.5), t.run.state.x[2], 1e-4);
      const double moment = kGravity * std::cos(0.5) * 1e-3;
      DOUBLES_EQUAL(upper ? -moment : moment, t.contacts->bound_impulse(0), 1e-6);
    }
  }
}

TEST(MaximalContacts, SliderStopsAtItsLimitAndARopeAtItsLength) {
  for (const bool by_impulses : {false, true}) {
    TestMechanism m;
    m.add(ball_body(2, 0.1), {{0, 0, 0}, {0, 0, 0, 1}});
    m.connect(ConstraintType::kPrismatic, kWorld, kAtOrigin, 0, kAtOrigin,
              maximal::Prismatic<double>{});
    m.add(ball_body(3, 0.1), {{1, 0, 0}, {0, 0, 0, 1}});
    Touching<> t(m);
    maximal::JointBound<double> slider, rope;
    slider.b = 0, slider.coordinate = maximal::Coordinate::kAlong;
    slider.X_A = slider.X_B = kAtOrigin;
    slider.limits.lower = -0.2;
    rope.b = 1, rope.coordinate = maximal::Coordinate::kDistance;
    rope.X_A = at_point(1, 0, 0), rope.X_B = kAtOrigin;
    rope.limits.upper = 0.3;
    t.bounds = {slider, rope};
    t.ground.offset = -10;
    t.assign();
    t.steps(by_impulses, 1000);
    DOUBLES_EQUAL(-0.2, t.run.state.x[2], 1e-4);
    DOUBLES_EQUAL(-0.3, t.run.state.x[9], 1e-4);
    DOUBLES_EQUAL(2 * kGravity * 1e-3, t.contacts->bound_impulse(0), 1e-9);
    DOUBLES_EQUAL(-3 * kGravity * 1e-3, t.contacts->bound_impulse(1), 1e-6);
  }
}

// Below the moment of the weight a dry hinge turns, with the difference; above, it holds.
TEST(MaximalContacts, DryFrictionHoldsAHingeOrGivesWay) {
  for (const bool by_impulses : {false, true}) {
    for (const double moment : {5.0, 12.0}) {
      Touching<> t(pendulum());
      auto bound = bound_of_pendulum();
      bound.limits.friction = moment;
      t.bounds = {bound};
      t.assign();
      t.steps(by_impulses, 20);
      const double w = std::max(0.0, (kGravity - moment) / (1 + 0.004) * 0.02);
      DOUBLES_EQUAL(w, t.run.state.v[4], 1e-3 * w + 1e-12);
    }
  }
}

TEST(MaximalContacts, DriveReachesItsRate) {
  for (const bool by_impulses : {false, true}) {
    Touching<> t(pendulum());
    auto bound = bound_of_pendulum();
    bound.limits.friction = 20, bound.rate = -1.5;
    t.bounds = {bound};
    t.assign();
    t.steps(by_impulses, 500);
    DOUBLES_EQUAL(-1.5, t.run.state.v[4], 1e-3);
  }
}

// A particle and a body in the plane know no rotation, or one: they land all the same.
TEST(MaximalContacts, BodiesOfOtherTypesLand) {
  for (const bool by_impulses : {false, true}) {
    TestMechanism m;
    m.add(Particle{0.5}, {{3, 0, 0.2}});
    m.add(PlanarBody{2, 0.1}, {0, 0.4, 0.3});
    Touching<> t(m);
    t.ground.normal = {0, 1, 0};
    t.run.loads.gravity = {0, -kGravity, 0};
    t.touch(0, sphere(0.0), {});
    t.touch(1, box(Vec3<double>{0.2, 0.1, 0}), {.friction = 0.5});
    t.assign();
    t.steps(by_impulses, 2000);
    DOUBLES_EQUAL(0, t.run.state.x[1], 1e-4);
    DOUBLES_EQUAL(0.1, t.run.state.x[4], 1e-4);
    DOUBLES_EQUAL(0.5 * kGravity, t.force(0).y, 1e-6);
    DOUBLES_EQUAL(2 * kGravity, t.force(1).y, 1e-6);
  }
}

LONG_TEST(MaximalContacts, FloatChainLiesToo) {
  for (const bool by_impulses : {false, true}) {
    Touching<float> t(chain());
    clothe_chain(t);
    t.impulses.tolerance = 1e-5F;
    t.run.state.v[3] = 0;
    t.steps(by_impulses, 2000);
    double force = 0;
    for (int i = 0; i < 5; ++i) force += t.force(i).z;
    DOUBLES_EQUAL(6 * kGravity, force, 0.3);
  }
}

TEST(MaximalContacts, SameInputsGiveTheSameBitsWithoutAllocation) {
  for (const bool by_impulses : {false, true}) {
    Touching<> one(chain()), two(chain());
    clothe_chain(one), clothe_chain(two);
    for (Touching<>* t : {&one, &two}) {
      t->run.state.v[3] = 0;
      const AllocationGuard guard;
      Status status = Status::kOk;
      for (int i = 0; i < 500 && status == Status::kOk; ++i) status = t->try_step(by_impulses);
      LONGS_EQUAL(0, guard.count());
      CHECK_TRUE(status == Status::kOk);
    }
    CHECK(one.run.state.x == two.run.state.x);
    CHECK(one.run.state.v == two.run.state.v);
  }
}

// Three balls, room for two contacts: the one without room is counted, and not borne.
TEST(MaximalContacts, WhatFindsNoRoomIsCounted) {
  for (const bool by_impulses : {false, true}) {
    TestMechanism m;
    for (int i = 0; i < 3; ++i) m.add(ball_body(1, 0.1), {{1.0 * i, 0, 0.1}, {0, 0, 0, 1}});
    Touching<double, 2> t(m);
    for (int i = 0; i < 3; ++i) t.touch(i, sphere(0.1), {});
    t.assign();
    CHECK_TRUE(Status::kOk == t.try_step(by_impulses));
    LONGS_EQUAL(1, t.contacts->dropped());
    if (by_impulses) continue;  // at the end of the step it is the deepest, and another's turn
    DOUBLES_EQUAL(0, t.run.state.v[2], 1e-12);
    CHECK(t.run.state.v[14] < -9e-3);
  }
}

TEST(MaximalContacts, TablesWithoutAMeaningAreRefused) {
  Touching<> t(pendulum());
  const auto refused = [&](Status expected) { CHECK_TRUE(expected == t.try_assign()); };
  t.touch(1, sphere(0.1), {});
  refused(Status::kBadFrame);
  t.colliders[0].body = 0;
  refused(Status::kOk);
  t.settings.margin = -1;
  refused(Status::kBadConstraint);
  t.settings.margin = 0.01;
  const auto solver = t.settings.row_solver;
  t.settings.row_solver.solver = static_cast<RowSolver>(3);
  refused(Status::kBadConstraint);
  t.settings.row_solver = solver;
  t.settings.row_solver.pivoting.pivots = -1;
  refused(Status::kBadConstraint);
  t.settings.row_solver = solver;
  t.settings.row_solver.gauss_seidel.tolerance = std::numeric_limits<double>::quiet_NaN();
  refused(Status::kBadTolerance);
  t.settings.row_solver = solver;
  const auto with = [&](auto&& change, Status expected) {
    auto bound = bound_of_pendulum();
    change(bound);
    t.bounds = {bound};
    refused(expected);
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  with([](auto& bound) { bound.b = 1; }, Status::kBadFrame);
  with([](auto& bound) { bound.b = kWorld; }, Status::kBadFrame);
  with([](auto& bound) { bound.limits.lower = 1, bound.limits.upper = 0; }, Status::kBadConstraint);
  with([&](auto& bound) { bound.limits.upper = nan; }, Status::kBadConstraint);
  with([](auto& bound) { bound.limits.upper = 1e12; }, Status::kBadConstraint);
  with([](auto& bound) { bound.limits.friction = -1; }, Status::kBadConstraint);
  with([](auto& bound) { bound.limits.velocity = 1; }, Status::kBadConstraint);
  with([](auto& bound) { bound.restitution = 1.5; }, Status::kBadConstraint);
  with([](auto& bound) { bound.X_A.R.x = {}; }, Status::kBadConstraint);
  with(
      [](auto& bound) {
        bound.coordinate = maximal::Coordinate::kDistance, bound.limits.friction = 1;
      },
      Status::kBadConstraint);
  t.bounds.assign(5, bound_of_pendulum());
  refused(Status::kTooManyRows);
}

TEST(MaximalContacts, BadStatesAreRefusedAndNothingChanges) {
  Touching<> t(pendulum());
  t.touch(0, sphere(0.1), {});
  t.assign();
  const auto before = t.run.state;
  t.run.state.v[0] = std::numeric_limits<double>::infinity();
  for (const bool by_impulses : {false, true}) CHECK(Status::kOk != t.try_step(by_impulses));
  CHECK(before.x == t.run.state.x);
}

// As long as nothing is near, Runge-Kutta goes as if nothing could touch; where the floor is,
// Euler.
TEST(MaximalContacts, RungeKuttaBetweenContacts) {
  Touching<> t(pendulum());
  t.touch(0, sphere(0.1), {});
  t.ground = {{0, 0, 1}, -2, {}};
  t.assign();
  TestRun<> alone(pendulum());
  for (TestRun<>* run : {&t.run, &alone}) run->settings.integrator = Integrator::kRungeKutta4;
  CHECK_TRUE(Status::kOk == t.try_step(false));
  alone.settings.dt = t.run.settings.dt;
  alone.step();
  CHECK(alone.state.x == t.run.state.x);
  CHECK(alone.state.v == t.run.state.v);
}

// Boxes that Gauss-Seidel solves from the last step's impulses: a state that was kept with them is
// stepped to the same bits again, without them to others.
TEST(MaximalContacts, AStateKeptWithItsWarmStartIsReplayed) {
  for (const bool by_impulses : {false, true}) {
    TestMechanism m;
    m.add(box_body(4, {0.3, 0.2, 0.1}), {{0, 0, 0.1}, {0, 0, 0, 1}}, {0.5, 0.2, 0, 0, 0, 0.7});
    m.add(box_body(2, {0.2, 0.2, 0.1}), {{0.05, 0, 0.3}, {0, 0, 0, 1}});
    Touching<> t(m);
    t.settings.row_solver.solver = RowSolver::kGaussSeidel;
    t.settings.row_solver.gauss_seidel.sweeps = 5;  // too few, so that the start matters
    t.ground.material = {0.4};
    t.touch(0, box(Vec3<double>{0.3, 0.2, 0.1}), t.ground.material);
    t.touch(1, box(Vec3<double>{0.2, 0.2, 0.1}), t.ground.material);
    t.pairs = {{0, 1}};
    t.assign();
    t.steps(by_impulses, 20);
    const auto state = t.run.state;
    const auto kept =
        std::make_unique<decltype(t)::Contacts::WarmStarts>(t.contacts->warm_starts());
    const auto run_on = [&] {
      t.run.state = state;
      bool stopped_short = false;
      for (int i = 0; i < 10; ++i) {
        const Status status = t.try_step(by_impulses);
        CHECK_TRUE(has_moved(status));
        stopped_short |= status == Status::kStoppedShort;
      }
      CHECK_TRUE(stopped_short);
      return t.run.state.v;
    };
    const auto first = run_on();
    t.contacts->recall(*kept);
    CHECK_TRUE(first == run_on());
    t.contacts->forget();
    CHECK_TRUE(first != run_on());
  }
}
