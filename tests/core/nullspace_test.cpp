// The kernels through three passes over a tree, beside dense solves of equation (8).
#include "lockstep/nullspace.hpp"

#include <CppUTest/TestHarness.h>

#include <memory>

#include "lockstep/solver.hpp"
#include "lockstep/table_model.hpp"
#include "oracle/dense.hpp"
#include "support/random_tree.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;

namespace {

// Trees of every shape and with all joint types, an inertia A of at most `most` on every pivot: to
// the oracle it is an effort, -A vdot.
void check_against_dense(double most, double bound) {
  using Table = TableModel<double, 6>;
  for (const test::Shape shape : test::kShapes) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      const auto bodies = test::random_tree({.shape = shape, .bodies = 6, .seed = seed});
      test::Random random(seed + 20);
      host::DenseInput state = test::random_state(bodies, random);
      Table table;
      CHECK_TRUE(Status::kOk == table.assign(bodies));
      const auto solver = std::make_unique<Solver<Table>>(table);
      auto in = solver->make_input();
      auto out = solver->make_output();
      in.q = state.q, in.v = state.v, in.tau = state.tau, in.gravity = state.gravity;
      const Solver<Table>::Wrenches external = state.external;
      if (most == 0) {
        CHECK_TRUE(Status::kOk == solver->forward_dynamics(in, external, out));
      } else {
        auto A = in.v;
        for (double& value : A) value = random.uniform(0, most);
        CHECK_TRUE(Status::kOk == solver->implicit_dynamics<true>(in, &external, A, out));
        state.tau -= A.cwiseProduct(out.vdot);
      }
      const host::DenseOutput dense = host::solve_dense(bodies, state);
      CHECK_AT_MOST(bound, test::relative_error(out.vdot, dense.vdot), "vdot");
      CHECK_AT_MOST(bound, test::relative_error(out.reaction, dense.reaction), "reaction");
    }
  }
}

}  // namespace

TEST_GROUP(NullSpace){};

TEST(NullSpace, MatchesADenseSolveOnEveryShape) { check_against_dense(0, 1e-11); }

TEST(NullSpace, WithInertiasOnItsPivotsItMatchesADenseSolve) { check_against_dense(3, 1e-10); }

// A hinge about z on a free body, with a rotor across it: at rest its spin h along x couples q'' to
// the turning about x, (I_x + J_x) w_x' + h q'' = 0, and J_z w_z' + (J_z + A) q'' + h w_x' = tau.
TEST(NullSpace, ARotorAcrossItsJointTurnsTheBodyBelow) {
  const double A = 0.4, h = 0.3, tau = 1.2, I_x = 2, I_z = 3, J_x = 0.5, J_z = 0.7;
  const std::array<Body, 2> bodies = {
      {{.joint = JointType::kFloating, .mass = 1, .inertia = {I_x, 0, 0, 2.5, 0, I_z}},
       {.parent = 0,
        .mass = 1,
        .inertia = {J_x, 0, 0, 0.6, 0, J_z},
        .armature = A,
        .spin = {h, 0, 0}}}};
  TableModel<double, 2> table;
  CHECK_TRUE(Status::kOk == table.assign(bodies));
  Solver<TableModel<double, 2>> solver(table);
  auto in = solver.make_input();
  auto out = solver.make_output();
  in.gravity.setZero();
  in.tau[6] = tau;
  CHECK_TRUE(Status::kOk == solver.forward_dynamics(in, out));
  const double qdd = tau / (J_z + A - J_z * J_z / (I_z + J_z) - h * h / (I_x + J_x));
  const double w_x = -h * qdd / (I_x + J_x), w_z = -J_z * qdd / (I_z + J_z);
  DOUBLES_EQUAL(qdd, out.vdot[6], 1e-14);
  DOUBLES_EQUAL(w_x, out.vdot[3], 1e-14);
  DOUBLES_EQUAL(w_z, out.vdot[5], 1e-14);
  // what the joint passes to its body, which the rotor is no part of
  DOUBLES_EQUAL(J_x * w_x, out.reaction(3, 1), 1e-14);
  DOUBLES_EQUAL(J_z * (w_z + qdd), out.reaction(5, 1), 1e-14);
}

TEST(NullSpace, APivotThatIsNotPositiveIsTold) {
  const auto positive = [](int place, double pivot) {
    Inertia6<double> B = {{1, 0, 0, 1, 0, 1}, {}, {1, 0, 0, 1, 0, 1}};
    for_free_axes<JointType::kFloating>([&](auto k, auto axis) {
      if (k() == place) B(axis, axis) = pivot;
    });
    return factor_free_block<JointType::kFloating>(B);
  };
  for (int place = 0; place < 6; ++place) {
    CHECK_TRUE(positive(place, 0.5));
    CHECK_FALSE(positive(place, 0));
    CHECK_FALSE(positive(place, -0.5));
  }
}
