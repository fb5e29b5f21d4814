// No allocation: every call of the solvers on random mechanisms runs under a guard that counts
// calls of any allocator.
#include <CppUTest/TestHarness.h>

#include <memory>

#include "lockstep/direct.hpp"
#include "lockstep/solver.hpp"
#include "lockstep/table_model.hpp"
#include "support/allocation_guard.hpp"
#include "support/random_tree.hpp"

namespace lockstep::test {

namespace {

constexpr int kBodies = 32;

template <template <class, class> class SolverOf, class T>
int allocations_of_every_call() {
  using Table = TableModel<T, kBodies>;
  int sum = 0;
  for (const Shape shape : kShapes) {
    const auto bodies = random_tree({.shape = shape, .bodies = kBodies});
    Random random(7);
    const host::DenseInput state = random_state(bodies, random);
    const auto table = std::make_unique<Table>();
    Status assigned{}, solved{}, refused{};
    sum += allocations_in([&] { assigned = table->assign(bodies); });
    const auto solver = std::make_unique<SolverOf<Table, T>>(*table);
    sum += allocations_in([&] {
      auto in = solver->make_input();
      auto out = solver->make_output();
      auto external = solver->make_wrenches();
      in.q = state.q.cast<T>();
      in.v = state.v.cast<T>();
      in.tau = state.tau.cast<T>();
      external = state.external.cast<T>();
      solved = solver->forward_dynamics(in, external, out);
      in.q[0] = std::numeric_limits<T>::quiet_NaN();
      refused = solver->forward_dynamics(in, out);
    });
    CHECK(assigned == Status::kOk);
    CHECK(solved == Status::kOk);
    CHECK(refused == Status::kNotFinite);
  }
  return sum;
}

}  // namespace

TEST_GROUP(Allocation){};

TEST(Allocation, NullSpaceEliminationUsesNoHeap) {
  LONGS_EQUAL(0, (allocations_of_every_call<Solver, double>()));
  LONGS_EQUAL(0, (allocations_of_every_call<Solver, float>()));
}

TEST(Allocation, DirectEliminationUsesNoHeap) {
  LONGS_EQUAL(0, (allocations_of_every_call<DirectSolver, double>()));
  LONGS_EQUAL(0, (allocations_of_every_call<DirectSolver, float>()));
}

}  // namespace lockstep::test
