#include "lockstep/maximal/bounded_rows.hpp"

#include <CppUTest/TestHarness.h>

#include "core/maximal/touching.hpp"
#include "support/dense_algebra.hpp"

using namespace lockstep;
using namespace lockstep::test;
using namespace lockstep::contact;
using maximal::ConstraintType;

namespace {

const RigidBody kRod = {1.2, {0.02, 0, 0, 0.11, 0, 0.1}};

// Four rods in a square that stands on a corner, closed by a ball joint: three of them a tree.
TestMechanism square() {
  TestMechanism m;
  const double s = std::sqrt(0.125);
  const auto rod = [&](double x, double z, double angle) {
    m.add(kRod, {{x, 0, z}, {0, std::sin(angle / 2), 0, std::cos(angle / 2)}},
          {0.3, 0.1, -0.5, 0, 0, 0});
  };
  constexpr double kEighth = 0.78539816339744831;
  rod(s, s, -kEighth);
  rod(s, 3 * s, -3 * kEighth);
  rod(-s, 3 * s, -5 * kEighth);
  rod(-s, s, -7 * kEighth);
  for (int i = 0; i < 4; ++i) {
    m.connect(ConstraintType::kBall, i, at_point(0.5, 0, 0), (i + 1) % 4, at_point(-0.5, 0, 0),
              maximal::Ball<double>{});
  }
  return m;
}

}  // namespace

TEST_GROUP(BoundedRows){};

// A of a few rows on a closed mechanism against the whole system at once.
TEST(BoundedRows, ResponseMatchesTheDenseSystemWithLoops) {
  const TestMechanism m = square();
  TestRun run(m);
  CHECK_TRUE(Status::kOk == run.stepper().assemble(run.state, run.settings));
  CHECK(run.table().counts().auxiliary > 0);
  CHECK_TRUE(Status::kOk == run.solver().factor(run.state));
  maximal::BoundedRows<TestRun<>::Table, 9> rows;
  rows.clear();
  const Contact<double> ground = {
      .a = 1, .point = {0.2, 0.1, 0.9}, .normal = {0, 0.6, 0.8}, .distance = 0, .material = {}};
  const Contact<double> between = {
      .a = 3, .b = 0, .point = {0, 0.1, 0.2}, .normal = {1, 0, 0}, .distance = 0, .material = {}};
  LONGS_EQUAL(0, rows.add(run.table(), run.state, touching(ground), 1, kWorld));
  LONGS_EQUAL(3, rows.add(run.table(), run.state, touching(between), 3, 0, -1.0));
  CHECK_TRUE(Status::kOk == rows.anticipate(run.solver().core().system()));

  const DenseRows dense = run.dense_rows(m);
  const Eigen::MatrixXd &M = dense.M, &J = dense.J;
  Eigen::MatrixXd K(6, M.rows());
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < M.rows(); ++j) {
      typename TestRun<>::Stepper::Velocities unit = TestRun<>::Stepper::Velocities::Zero(M.rows());
      unit[j] = 1;
      K(i, j) = rows.rate(i, unit);
    }
  }
  const Eigen::Index n = M.rows(), k = J.rows();
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(n + k, n + k), right = Eigen::MatrixXd::Zero(n + k, 6);
  H.topLeftCorner(n, n) = M;
  H.topRightCorner(n, k) = J.transpose();
  H.bottomLeftCorner(k, n) = J;
  right.topRows(n) = K.transpose();
  const Eigen::MatrixXd A = K * solve_least_squares(H, right).topRows(n);
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      DOUBLES_EQUAL(A(i, j), rows.system().A[maximal::at(i)][maximal::at(j)], 1e-9);
    }
  }
}

TEST(BoundedRows, WhatDoesNotFitIsCounted) {
  TestRun run(square());
  maximal::BoundedRows<TestRun<>::Table, 4> rows;
  rows.clear();
  const Contact<double> contact = {
      .a = 0, .point = {}, .normal = {0, 0, 1}, .distance = 0, .material = {}};
  LONGS_EQUAL(0, rows.add(run.table(), run.state, touching(contact), 0, kWorld));
  LONGS_EQUAL(kNone, rows.add(run.table(), run.state, touching(contact), 0, kWorld));
  LONGS_EQUAL(3, rows.count());
  LONGS_EQUAL(3, rows.dropped());
}

// A step of a closed mechanism on the ground obeys all of its conditions at once: momentum balance
// with joints' and contacts' impulses, joints at rest, complementarity, the friction cone.
TEST(BoundedRows, StepObeysEveryConditionOfAClosedMechanismOnTheGround) {
  const TestMechanism m = square();
  Touching<> t(m);
  t.ground.material = {.friction = 0.4};
  for (int i = 0; i < 4; ++i) {
    t.touch(i, capsule(0.04, 0.5), t.ground.material, {{{0, 0, -1}, {0, 1, 0}, {1, 0, 0}}, {}});
  }
  t.assign();
  CHECK_TRUE(Status::kOk == t.run.stepper().assemble(t.run.state, t.run.settings));
  t.run.settings.stabilization = Stabilization::kOff;
  int sliding = 0, pressing = 0;
  for (int step = 0; step < 300; ++step) {
    const auto before = t.run.state;
    const DenseRows dense = t.run.dense_rows(m);
    t.step(false);
    const double dt = t.run.settings.dt;
    // what is left for the joints, along their rows alone
    Eigen::VectorXd left = dense.M * (t.run.state.v - before.v) - t.contacts->contact_impulse();
    left -= dt * dense.inertial;
    for (int i = 0; i < 4; ++i) left[6 * i + 2] += dt * 9.81 * kRod.mass;
    const Eigen::MatrixXd J_T = dense.J.transpose();
    CHECK_AT_MOST(1e-9, (J_T * solve_least_squares(J_T, left) - left).norm(), "momentum");

    const auto& rows = t.contacts->rows();
    const auto& mu = t.contacts->impulses();
    for (int i = 0; i < t.contacts->list().size(); ++i) {
      const auto& contact = t.contacts->list()[i];
      const auto at = [&](int r) { return mu[maximal::at(3 * i + r)]; };
      const double end = rows.rate(3 * i, t.run.state.v) + dt * rows.bias(3 * i);
      const double least =
          least_velocity(contact, rows.rate(3 * i, before.v), 0.0, dt, StepOptions<double>{});
      CHECK(at(0) >= 0);
      // whether a fast one arrives is for contact_step_test.cpp
      if (rows.rate(3 * i, before.v) < -0.05) continue;
      CHECK(end >= least - 1e-9);
      DOUBLES_EQUAL(0, at(0) * (end - least), 1e-9);
      pressing += at(0) > 0 ? 1 : 0;
      const auto slip = [&](int r) {
        return rows.rate(3 * i + r, t.run.state.v) + dt * rows.bias(3 * i + r);
      };
      const double speed = std::hypot(slip(1), slip(2)), most = 0.4 * at(0);
      CHECK_AT_MOST(most + 1e-10, std::hypot(at(1), at(2)), "cone");
      const bool moves = speed > 1e-7;
      for (const int r : {1, 2}) {
        if (moves) DOUBLES_EQUAL(-most * slip(r) / speed, at(r), 1e-8);
      }
      sliding += moves && at(0) > 0 ? 1 : 0;
    }
  }
  LONGS_EQUAL(0, t.contacts->unsolved());
  CHECK(pressing > 100);
  CHECK(sliding > 10);
}
