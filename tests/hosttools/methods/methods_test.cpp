// All ways to solve a mechanism's rows, side by side.
#include <CppUTest/TestHarness.h>

#include <cmath>
#include <limits>

#include "hosttools/methods/test_methods.hpp"
#include "support/allocation_guard.hpp"

using namespace lockstep;
using namespace lockstep::test;
using maximal::ConstraintType;

namespace {

using Table = TestRun<>::Table;

const RigidBody kRod = {1.2, {0.02, 0, 0, 0.11, 0, 0.1}};

// Rods on a hinge, a ball joint and a slider, level and moving at first; closed: the last is tied
// to the world twice, by the same rod.
TestMechanism chain(bool closed) {
  TestMechanism m;
  for (const double x : {0.5, 1.5, 2.5}) m.add(kRod, {{x, 0, 0}, {0, 0, 0, 1}});
  m.connect(ConstraintType::kRevolute, kWorld, kAtOrigin, 0, at_point(-0.5, 0, 0),
            maximal::Revolute<double>{});
  m.connect(ConstraintType::kBall, 0, at_point(0.5, 0, 0), 1, at_point(-0.5, 0, 0),
            maximal::Ball<double>{});
  m.connect(ConstraintType::kPrismatic, 1, at_point(0.5, 0, 0), 2, at_point(-0.5, 0, 0),
            maximal::Prismatic<double>{});
  for (int i = 0; closed && i < 2; ++i) {
    m.connect(ConstraintType::kDistance, 2, at_point(0.5, 0, 0), kWorld, at_point(2, 1.5, 0.5),
              maximal::Distance<double>{std::sqrt(1 + 2.25 + 0.25)});
  }
  m.v[7] = 0.3, m.v[13] = -0.2, m.v[4] = 0.5;
  return m;
}

template <class Method>
struct Impulses {
  explicit Impulses(const TestMechanism& mechanism) : run(mechanism), stepper(run.table()) {
    settings.max_solves = 10000;
    settings.dt = 0.005;
  }
  void step() {
    CHECK_TRUE(Status::kOk == stepper.step(run.state, run.loads, settings));
    CHECK_AT_MOST(settings.tolerance, stepper.errors().position, "positions");
    CHECK_AT_MOST(settings.tolerance / settings.dt, stepper.errors().velocity, "velocities");
  }

  TestRun<> run;
  TestImpulses<Method> stepper;
  maximal::ImpulseSettings<double> settings;
};

// Where a tenth of a second of impulses leads to.
template <class Method>
Eigen::VectorXd end_of(const TestMechanism& m) {
  Impulses<Method> sim(m);
  sim.settings.tolerance = 1e-11;
  for (int i = 0; i < 20; ++i) sim.step();
  return sim.run.state.x;
}

template <class Method>
Eigen::VectorXd accelerations(const TestMechanism& m, int& redundant) {
  TestRun run(m);
  TestStepper<Method> stepper(run.table());
  TestSolver<Method>& solver = stepper.solver();
  auto out = solver.make_solution();
  CHECK_TRUE(Status::kOk == solver.factor(run.state));
  CHECK_TRUE(Status::kOk == solver.accelerations(run.state, run.loads, out));
  redundant = solver.redundant_rows();
  return out.v;
}

}  // namespace

TEST_GROUP(MaximalMethods){};

TEST(MaximalMethods, AllImpulsesLeadToTheSameMotion) {
  for (const bool closed : {false, true}) {
    const TestMechanism m = chain(closed);
    const Eigen::VectorXd expected = end_of<Sparse<double>>(m);
    CHECK((expected - TestRun(m).state.x).norm() > 0.05);
    CHECK_AT_MOST(1e-8, (end_of<Dense<double>>(m) - expected).norm(), "dense");
    CHECK_AT_MOST(1e-8, (end_of<Sweep<double>>(m) - expected).norm(), "iterative");
  }
}

TEST(MaximalMethods, DenseAndSparseAccelerationsAgree) {
  for (const bool closed : {false, true}) {
    int sparse = 0, dense = 0;
    const Eigen::VectorXd expected = accelerations<Sparse<double>>(chain(closed), sparse);
    CHECK_AT_MOST(1e-11,
                  relative_error(accelerations<Dense<double>>(chain(closed), dense), expected),
                  "accelerations");
    LONGS_EQUAL(closed ? 1 : 0, dense);
    LONGS_EQUAL(sparse, dense);
  }
}

TEST(MaximalMethods, DenseLagrangeStepsAsSparse) {
  TestRun sparse(chain(true)), dense(chain(true));
  TestStepper<Dense<double>> stepper(dense.table());
  sparse.run(0.2, 100);
  dense.settings.dt = 0.002;
  for (int i = 0; i < 100; ++i) {
    CHECK_TRUE(Status::kOk == stepper.step(dense.state, dense.loads, dense.settings));
  }
  CHECK_AT_MOST(1e-9, (sparse.state.x - dense.state.x).norm(), "poses");
}

TEST(MaximalMethods, ASmallerToleranceCostsTheIterativeMethodMoreThanTheOthers) {
  const auto solves = []<class Method>(double tolerance) {
    Impulses<Method> sim(chain(false));
    sim.settings.tolerance = tolerance;
    int sum = 0;
    for (int i = 0; i < 100; ++i) {
      sim.step();
      sum += sim.stepper.solves();
    }
    return sum;
  };
  const int sweeps =
      solves.operator()<Sweep<double>>(1e-9) - solves.operator()<Sweep<double>>(1e-4);
  const int dense = solves.operator()<Dense<double>>(1e-9) - solves.operator()<Dense<double>>(1e-4);
  CHECK(dense < 500);
  CHECK(sweeps > 10 * dense);
}

TEST(MaximalMethods, StopsAtTheBoundAndChangesNothing) {
  Impulses<Sweep<double>> sim(chain(false));
  sim.settings.tolerance = 1e-9;
  sim.settings.max_solves = 5;
  const auto before = sim.run.state;
  CHECK_TRUE(Status::kNotConverged == sim.stepper.step(sim.run.state, sim.run.loads, sim.settings));
  CHECK(before.x == sim.run.state.x);
  CHECK(before.v == sim.run.state.v);
}

TEST(MaximalMethods, MoreRowsThanTheDenseMatrixHoldsAreRefused) {
  TestRun run(chain(false));  // 5 + 3 + 5 rows
  maximal::Lagrange<Table, host::methods::DenseSystem<Table, 12>> small(run.table());
  CHECK_TRUE(Status::kTooManyRows == small.factor(run.state));
}

TEST(MaximalMethods, NeverAllocate) {
  Impulses<Dense<double>> dense(chain(true));
  Impulses<Sweep<double>> sweep(chain(true));
  LONGS_EQUAL(0, allocations_in([&] {
                dense.step();
                sweep.step();
              }));
}
