// A closed robot's own straight line against the same rows over a table.
#include "lockstep/auxiliary/closed_solver.hpp"

#include <CppUTest/TestHarness.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "chain_both_ends.hpp"
#include "core/auxiliary/test_solvers.hpp"
#include "geared_chain.hpp"
#include "six_bar.hpp"
#include "slider_crank.hpp"
#include "support/allocation_guard.hpp"
#include "support/model_states.hpp"

using namespace lockstep;

namespace {

template <class Model>
host::Tree tree_of() {
  host::Tree tree;
  tree.bodies.assign(Model::kBodies.begin(), Model::kBodies.end());
  if constexpr (requires { Model::kLoops; }) {
    tree.loops.assign(Model::kLoops.begin(), Model::kLoops.end());
  }
  if constexpr (requires { Model::kCouplings; }) {
    tree.couplings.assign(Model::kCouplings.begin(), Model::kCouplings.end());
    tree.terms.assign(Model::kCouplingTerms.begin(), Model::kCouplingTerms.end());
  }
  return tree;
}

template <class Model, class T>
void check_both_forms() {
  constexpr int kRows = ModelRows<Model, T>::kCount;
  using Fixed = ClosedSolver<Model, T>;
  using AtRunTime = test::TestClosedSolver<T>;
  static_assert(StraightLoopsModel<Model, T>);
  const auto table = std::make_unique<test::TestModel<T>>();
  CHECK_TRUE(Status::kOk == table->assign(Model::kBodies));
  const auto fixed = std::make_unique<Fixed>();
  const auto other = std::make_unique<AtRunTime>(*table, tree_of<Model>());
  auto in = fixed->make_input();
  auto out = fixed->make_output();
  auto table_in = other->make_input();
  auto table_out = other->make_output();
  typename Fixed::Forces forces;
  typename AtRunTime::Forces table_forces;
  test::Random random(11);
  for (int i = 0; i < 20; ++i) {
    if (i > 0) test::randomize<Model>(in, T(1), random);  // the first is the zero pose, at rest
    table_in.q = in.q, table_in.v = in.v, table_in.tau = in.tau, table_in.gravity = in.gravity;
    CHECK_TRUE(Status::kOk == fixed->forward_dynamics(in, out, forces));
    CHECK_TRUE(Status::kOk == other->forward_dynamics(table_in, table_out, table_forces));
    CHECK_TRUE(out.vdot == table_out.vdot);
    CHECK_TRUE(out.reaction == table_out.reaction);
    CHECK_TRUE(out.lambda == table_out.lambda);
    CHECK_TRUE(std::ranges::equal(forces.mu, std::span(table_forces.mu).template first<kRows>()));
    LONGS_EQUAL(table_forces.redundant, forces.redundant);
  }
}

template <class Model>
void check_scalars() {
  check_both_forms<Model, double>();
  check_both_forms<Model, float>();
}

}  // namespace

// Where registers hold four numbers, the rows of a loop are computed side by side.
static_assert(LoopsInLanesModel<chain_both_ends, float> == kLimbsInLanes<float>);
static_assert(LoopsInLanesModel<chain_both_ends, double> == kLimbsInLanes<double>);

TEST_GROUP(ClosedSolver){};

TEST(ClosedSolver, PlanarLoopsGiveTheBitsOfTheTable) { check_scalars<six_bar>(); }
TEST(ClosedSolver, SlidingLoopsGiveTheBitsOfTheTable) { check_scalars<slider_crank>(); }
TEST(ClosedSolver, BallJointsGiveTheBitsOfTheTable) { check_scalars<chain_both_ends>(); }
TEST(ClosedSolver, CouplingsGiveTheBitsOfTheTable) { check_scalars<geared_chain>(); }

TEST(ClosedSolver, BadInputChangesNothing) {
  ClosedSolver<six_bar, double> solver;
  auto in = solver.make_input();
  auto out = solver.make_output();
  ClosedSolver<six_bar, double>::Forces forces;
  CHECK_TRUE(Status::kOk == solver.forward_dynamics(in, out, forces));
  const auto vdot = out.vdot;
  const auto mu = forces.mu;
  in.v[0] = std::numeric_limits<double>::quiet_NaN();
  CHECK_TRUE(Status::kNotFinite == solver.forward_dynamics(in, out, forces));
  in.v[0] = 1e200;
  CHECK_TRUE(Status::kOverflow == solver.forward_dynamics(in, out, forces));
  CHECK_TRUE(out.vdot == vdot);
  CHECK_TRUE(forces.mu == mu);
}

TEST(ClosedSolver, DoesNotAllocate) {
  ClosedSolver<six_bar, double> solver;
  auto in = solver.make_input();
  auto out = solver.make_output();
  ClosedSolver<six_bar, double>::Forces forces;
  const test::AllocationGuard guard;
  CHECK_TRUE(Status::kOk == solver.forward_dynamics(in, out, forces));
  LONGS_EQUAL(0, guard.count());
}
