// Loop, coupling, ends, dry friction and contact in one step, against forces and velocities that
// come from the bodies' places in the world and a dense solve alone.
#include <CppUTest/TestHarness.h>

#include <cmath>
#include <memory>
#include <utility>

#include "core/auxiliary/bounded_machine.hpp"
#include "oracle/dense.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using Machine = test::BoundedMachine;

namespace {

using Stepper = test::MachineStepper<double>;

// The machine by points in the world alone.
struct Oracle {
  static Eigen::Vector3d point(int body, double along, const VectorXd& q) {
    const auto placed = host::place_in_world(Machine::kBodies, q, VectorXd::Zero(q.size()));
    const host::WorldBody& at = placed[static_cast<std::size_t>(body)];
    return at.origin + at.R_WB.col(0) * along;
  }
  static double height(const VectorXd& q) { return point(Machine::kTip, Machine::kArm, q).y(); }
  static double aside(const VectorXd& q) { return point(Machine::kTip, Machine::kArm, q).x(); }

  template <class F>
  static VectorXd gradient(const F& f, const VectorXd& q) {
    VectorXd result(q.size());
    for (int i = 0; i < q.size(); ++i) {
      const VectorXd step = 1e-5 * VectorXd::Unit(q.size(), i);
      result[i] = (f(VectorXd(q + step)) - f(VectorXd(q - step))) / 2e-5;
    }
    return result;
  }
  // d^2 f / dt^2 while v is constant
  template <class F>
  static double bend(const F& f, const VectorXd& q, const VectorXd& v) {
    const double h = 1e-4;
    return (f(VectorXd(q + h * v)) - 2 * f(q) + f(VectorXd(q - h * v))) / (h * h);
  }
  // Of the loop and the coupling.
  static MatrixXd closure(const VectorXd& q) {
    MatrixXd J(3, q.size());
    for (const int axis : {0, 1}) {
      const auto gap = [&](const VectorXd& at) {
        return (point(1, Machine::kCoupler, at) - point(2, Machine::kRocker, at))[axis];
      };
      J.row(axis) = gradient(gap, q);
    }
    J.row(2) << -Machine::kRatio, 0, 0, 1, 0, 0;
    return J;
  }
  // The efforts that would have to act beside tau for these accelerations.
  static VectorXd missing(const host::DenseInput& in, const VectorXd& vdot) {
    const auto answer = [&](const VectorXd& tau) {
      host::DenseInput other = in;
      other.tau = tau;
      return host::solve_dense(Machine::kBodies, other).vdot;
    };
    const VectorXd free = answer(in.tau);
    MatrixXd inverse(vdot.size(), vdot.size());
    for (int i = 0; i < vdot.size(); ++i) {
      inverse.col(i) = answer(in.tau + VectorXd::Unit(vdot.size(), i)) - free;
    }
    return inverse.fullPivLu().solve(vdot - free);
  }
};

struct Seen {
  int ends = 0, free_ends = 0, contacts = 0, free_contacts = 0, sliding = 0, sticking = 0;
};

// Checks one step from a random state: forces, and the conditions on forces and velocities.
// Newton's method has them as exactly as it is asked to.
void check_step(RowSolver solver, test::Random& random, Seen& seen) {
  const double friction = 0.4, dt = 1e-3, bound = 2e-5, depth = 5e-5;  // within the slop
  const auto pose =
      Machine::pose(random.uniform(0, 3), random.uniform(-2, -1), random.uniform(0.19, 0.2));
  host::DenseInput in = host::rest(Machine::kBodies);
  in.gravity = {0, -9.81, 0};
  in.q = VectorXd::Map(pose.data(), Machine::kDofs);
  VectorXd wish(Machine::kDofs);
  for (double& v : wish) v = random.uniform(-3, 3);
  for (double& tau : in.tau) tau = random.uniform(-10, 10);
  const MatrixXd J = Oracle::closure(in.q);
  in.v = wish - J.completeOrthogonalDecomposition().solve(J * wish);

  const contact::Collider<double> ball = Machine::ball(friction);
  const double ground = Oracle::height(in.q) - Machine::kBall + depth;
  const auto stepper = std::make_unique<Stepper>(Scene<double>{
      .colliders = {&ball, 1}, .pairs = {}, .ground = Machine::floor(ground, friction)});
  auto state = stepper->make_input();
  state.q = in.q, state.v = in.v, state.tau = in.tau, state.gravity = in.gravity;
  CHECK(stepper->step(state, {.dt = dt,
                              .solver = solver,
                              .newton = {.iterations = 300, .rounds = 100, .tolerance = 1e-9}}) ==
        Status::kOk);
  const auto& result = stepper->result();
  CHECK_EQUAL(solver == RowSolver::kNewton, result.pivots == 0);
  CHECK(result.stop == rows::Stop::kConverged);

  // all forces together: what is left belongs to the loop and the coupling
  const VectorXd vdot = (VectorXd(state.v) - in.v) / dt;
  VectorXd rest = Oracle::missing(in, vdot);
  for (int i = 0; i < Machine::kDofs; ++i) {
    rest[i] -= result.limit_force(i) + result.force(RowOf::kFriction, i);
  }
  LONGS_EQUAL(1, result.contact_count);
  const auto& touch = result.contacts()[0];
  const VectorXd J_n = Oracle::gradient(Oracle::height, in.q);
  // what touches runs ahead of the ball's centre where the ball turns
  VectorXd turns = VectorXd::Zero(Machine::kDofs);
  for (const int body : {0, 1, 4, 5}) turns[body] = 1;
  const VectorXd J_t = Oracle::gradient(Oracle::aside, in.q) + (Machine::kBall - depth / 2) * turns;
  rest -= J_n * touch.normal + J_t * touch.friction.x;
  const VectorXd off =
      rest - J.transpose() * J.transpose().completeOrthogonalDecomposition().solve(rest);
  CHECK_AT_MOST(bound * (1 + rest.norm()), off.norm(), "forces");

  // closed at the end
  const auto placed = [](const VectorXd& q) {
    return (Oracle::point(1, Machine::kCoupler, q) - Oracle::point(2, Machine::kRocker, q)).norm();
  };
  CHECK_AT_MOST(1e-4, placed(state.q), "loop");
  DOUBLES_EQUAL(Machine::kRatio * state.v[0], state.v[3], 1e-9);

  // contact
  const double lifting = J_n.dot(state.v) + dt * Oracle::bend(Oracle::height, in.q, in.v);
  CHECK(touch.normal >= 0);
  CHECK_AT_MOST(bound, -lifting, "lifting");
  if (touch.normal > 0) DOUBLES_EQUAL(0, lifting, bound);
  ++(touch.normal > 0 ? seen.contacts : seen.free_contacts);
  CHECK_AT_MOST(friction * touch.normal * (1 + 1e-9), std::abs(touch.friction.x), "friction");
  const double slip = J_t.dot(state.v);
  if (touch.normal > 0) {
    const bool slides = std::abs(slip) > 0.05;  // more than the point's own bend within the step
    if (slides)
      DOUBLES_EQUAL(-std::copysign(friction * touch.normal, slip), touch.friction.x, 1e-6);
    ++(slides ? seen.sliding : seen.sticking);
  }

  // the forearm's end
  const double pushed = result.force(RowOf::kUpper, 5), gap = 0.2 - state.q[5];
  CHECK(pushed >= 0);
  CHECK_AT_MOST(1e-12, -gap, "gap");
  if (pushed > 0) DOUBLES_EQUAL(0, gap, 1e-12);
  ++(pushed > 0 ? seen.ends : seen.free_ends);

  // dry friction
  for (const auto& [body, most] : {std::pair(0, 0.3), std::pair(4, 0.2)}) {
    const double force = result.force(RowOf::kFriction, body), v = state.v[body];
    CHECK_AT_MOST(most * (1 + 1e-12), std::abs(force), "dry friction");
    if (v != 0) DOUBLES_EQUAL(-std::copysign(most, v), force, 1e-9);
  }
}

void check_all(RowSolver solver) {
  test::Random random(5);
  Seen seen;
  for (int i = 0; i < 100; ++i) check_step(solver, random, seen);
  for (const int count : {seen.ends, seen.free_ends, seen.contacts, seen.free_contacts,
                          seen.sliding, seen.sticking}) {
    CHECK(count >= 5);
  }
}

}  // namespace

TEST_GROUP(BoundedConditions){};

TEST(BoundedConditions, AllAreMetTogether) { check_all(RowSolver::kPivoting); }
TEST(BoundedConditions, AllAreMetTogetherByNewton) { check_all(RowSolver::kNewton); }
