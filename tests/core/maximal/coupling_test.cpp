// Couplings: one row over three bodies and more, the sum of joints' coordinates.
#include <CppUTest/TestHarness.h>

#include "hosttools/methods/test_methods.hpp"
#include "methods/parts.hpp"

using namespace lockstep;
using namespace lockstep::test;
using maximal::ConstraintType;

namespace {

constexpr Placement<double> kIdentity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {}};
constexpr Placement<double> beside(double x) { return {kIdentity.R, {x, 0, 0}}; }
constexpr RigidBody kWheel = {0.5, {0.2, 0, 0, 0.2, 0, 0.3}},
                    kRotor = {0.1, {0.02, 0, 0, 0.02, 0, 0.02}};

template <class C>
constexpr maximal::ConstraintRecord record(ConstraintType type, int a, const Placement<double>& X_A,
                                           int b, const C& constraint) {
  const maximal::Between<C> between = {X_A, kIdentity, constraint};
  return {static_cast<int>(type), a, b,
          maximal::to_numbers<maximal::kMaxConstraintNumbers>(between)};
}
constexpr maximal::ConstraintRecord hinge(int a, double x, int b) {
  return record(ConstraintType::kRevolute, a, beside(x), b, maximal::Revolute<double>{});
}
constexpr maximal::ConstraintRecord turn(int a, double x, int b, double factor, bool joins) {
  maximal::ConstraintRecord own =
      record(ConstraintType::kAngleTerm, a, beside(x), b, maximal::AngleTerm<double>{factor});
  own.joins = joins, own.turn_parts = 1;
  return own;
}

// A wheel and a rotor on axles of the world, the rotor five times as fast.
TestMechanism gear() {
  TestMechanism m;
  m.add(kWheel, {{0, 0, 0}, {0, 0, 0, 1}});
  m.add(kRotor, {{1, 0, 0}, {0, 0, 0, 1}});
  m.constraints = {hinge(kWorld, 0, 0), hinge(kWorld, 1, 1), turn(kWorld, 0, 0, -5, false),
                   turn(kWorld, 1, 1, 1, true)};
  return m;
}

// A carrier that swings, a wheel and a rotor on it, and a slider that follows both.
struct Geared {
  template <class T>
  using Types = maximal::StandardTypes<T>;
  static constexpr std::array<maximal::BodyRecord, 4> kBodies = [] {
    std::array<maximal::BodyRecord, 4> all{};
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i] = {static_cast<int>(maximal::BodyType::kRigid),
                maximal::to_numbers<maximal::kMaxBodyNumbers>(i == 2 ? kRotor : kWheel)};
    }
    return all;
  }();
  static constexpr std::array<maximal::ConstraintRecord, 9> kConstraints = [] {
    maximal::ConstraintRecord along =
        record(ConstraintType::kWayTerm, 0, beside(1.5), 3, maximal::WayTerm<double>{1});
    along.joins = true;
    const Placement<double> rail = {{{0, 0, -1}, {0, 1, 0}, {1, 0, 0}}, {1.5, 0, 0}};
    const maximal::Between<maximal::Prismatic<double>> runs = {rail, {rail.R, {}}, {}};
    const maximal::Between<maximal::WayTerm<double>> way = {rail, {rail.R, {}}, {1}};
    along.numbers = maximal::to_numbers<maximal::kMaxConstraintNumbers>(way);
    maximal::ConstraintRecord first = turn(0, 0.5, 1, 0.1, false),
                              second = turn(0, 1, 2, -0.02, true);
    first.turn_parts = second.turn_parts = along.turn_parts = 50;
    return std::array<maximal::ConstraintRecord, 9>{
        hinge(kWorld, 0, 0),
        hinge(0, 0.5, 1),
        hinge(0, 1, 2),
        {static_cast<int>(ConstraintType::kPrismatic), 0, 3,
         maximal::to_numbers<maximal::kMaxConstraintNumbers>(runs)},
        turn(0, 0.5, 1, 3, false),
        turn(0, 1, 2, 1, true),
        first,
        second,
        along};
  }();
};

TestMechanism geared() {
  TestMechanism m;
  m.bodies.assign(Geared::kBodies.begin(), Geared::kBodies.end());
  m.constraints.assign(Geared::kConstraints.begin(), Geared::kConstraints.end());
  for (const double x : {0.0, 0.5, 1.0, 1.5}) {
    m.x.insert(m.x.end(), {x, 0, 0, 0, 0, 0, 1});
    // all turn with the carrier at 0.7 rad/s, the wheel at 0.4 against it
    const double own = x == 0.5 ? 0.4 : x == 1.0 ? -1.2 : 0, slides = x == 1.5 ? -0.064 : 0;
    m.v.insert(m.v.end(), {slides, 0.7 * x, 0, 0, 0, 0.7 + own});
  }
  return m;
}

template <class Method>
Eigen::VectorXd accelerations(const TestMechanism& m) {
  TestRun run(m);
  run.loads.gravity = {1, -9, 2};
  TestStepper<Method> stepper(run.table());
  TestSolver<Method>& solver = stepper.solver();
  auto out = solver.make_solution();
  CHECK_TRUE(Status::kOk == solver.factor(run.state));
  CHECK_AT_MOST(1e-14, solver.errors().position, "poses");
  CHECK_AT_MOST(1e-14, solver.errors().velocity, "velocities");
  CHECK_TRUE(Status::kOk == solver.accelerations(run.state, run.loads, out));
  Eigen::VectorXd all(out.v.size() + out.lambda.size());
  all << out.v, out.lambda;
  return all;
}

template <template <class> class Method>
void check_bits() {
  using Static = maximal::StaticMechanism<Geared, float>;
  maximal::ImpulseStepper<Static, Method<Static>> fixed;
  TestRun<float> table(geared());
  TestImpulses<Method<TestTable<float>>> any(table.table());
  auto state = fixed.solver().make_state();
  state.x = table.state.x, state.v = table.state.v;
  const auto loads = fixed.solver().make_loads();
  const maximal::ImpulseSettings<float> settings = {
      .dt = 0.002F, .tolerance = 1e-5F, .max_solves = 1000};
  for (int i = 0; i < 100; ++i) {
    CHECK_TRUE(Status::kOk == fixed.step(state, loads, settings));
    CHECK_TRUE(Status::kOk == any.step(table.state, table.loads, settings));
    CHECK_TRUE(state.x == table.state.x && state.v == table.state.v);
  }
}

template <class Mechanism>
using AllRows = host::methods::DenseSystem<Mechanism>;

}  // namespace

TEST_GROUP(MaximalCoupling){};

TEST(MaximalCoupling, ARotorIsFeltWithTheSquareOfItsRatio) {
  TestRun run(gear());
  run.loads.force[5] = 2;
  auto out = run.solver().make_solution();
  CHECK_TRUE(Status::kOk == run.solver().factor(run.state));
  CHECK_TRUE(Status::kOk == run.solver().accelerations(run.state, run.loads, out));
  const double expected = 2 / (0.3 + 25 * 0.02);
  DOUBLES_EQUAL(expected, out.v[5], 1e-13);
  DOUBLES_EQUAL(5 * expected, out.v[11], 1e-13);
  DOUBLES_EQUAL(5 * expected * 0.02, out.lambda[10], 1e-13);
  LONGS_EQUAL(11, run.table().counts().lambda);
}

TEST(MaximalCoupling, AllMethodsAgree) {
  const Eigen::VectorXd sparse = accelerations<Sparse<double>>(geared());
  CHECK_AT_MOST(1e-11, relative_error(accelerations<Dense<double>>(geared()), sparse), "dense");
  const auto end_of = []<class Method>() {
    TestRun run(geared());
    TestImpulses<Method> stepper(run.table());
    const maximal::ImpulseSettings<double> settings = {
        .dt = 0.005, .tolerance = 1e-10, .max_solves = 10000};
    for (int i = 0; i < 20; ++i) {
      CHECK_TRUE(Status::kOk == stepper.step(run.state, run.loads, settings));
    }
    return Eigen::VectorXd(run.state.x);
  };
  const Eigen::VectorXd expected = end_of.operator()<Sparse<double>>();
  CHECK_AT_MOST(1e-7, (end_of.operator()<Sweep<double>>() - expected).norm(), "sweep");
}

TEST(MaximalCoupling, StaticAndTableHaveTheSameBits) {
  check_bits<maximal::SparseSystem>();
  check_bits<host::methods::SweepSystem>();
  check_bits<AllRows>();
}

// Whole turns of either wheel change nothing: the row holds on, and so does the energy.
TEST(MaximalCoupling, TurnsOnAndOn) {
  TestMechanism m = gear();
  m.v[5] = 7, m.v[11] = 35;
  TestRun run(m);
  const double energy = run.energy();
  run.run(4, 4000);  // 4 and 22 turns
  DOUBLES_EQUAL(energy, run.energy(), 1e-9);
  CHECK_AT_MOST(1e-9, run.stepper().errors().position, "angle");
  TestImpulses<Sparse<double>> impulses(run.table());
  for (int i = 0; i < 2000; ++i) {
    CHECK_TRUE(Status::kOk ==
               impulses.step(run.state, run.loads, {.dt = 0.002, .tolerance = 1e-9}));
    CHECK_AT_MOST(1e-9, impulses.errors().position, "angle");
  }
  DOUBLES_EQUAL(7, run.state.v[5], 1e-6);
}

TEST(MaximalCoupling, WhatIsNoSumIsRefused) {
  TestRun<>::Table table;
  TestMechanism m = gear();
  const auto status = [&] { return table.assign(m.bodies, m.constraints); };
  CHECK_TRUE(Status::kOk == status());
  // parts are trees of pairs
  host::methods::Parts<TestRun<>::Table, 4> parts;
  const std::array<int, 4> part_of = {};
  const std::array<int, 1> colour_of = {};
  CHECK_TRUE(Status::kBadConstraint == parts.assign(table, {part_of, colour_of}));
  m.constraints[1].joins = true;  // five rows
  CHECK_TRUE(Status::kBadConstraint == status());
  m = gear();
  std::swap(m.constraints[0], m.constraints[3]);  // nothing before it
  CHECK_TRUE(Status::kBadConstraint == status());
}

// A wheel whose x axis is turned along its axle has no angle: the step says so and changes nothing,
// instead of leaving the row out.
TEST(MaximalCoupling, ARowWithoutAMeaningIsTold) {
  TestMechanism m = gear();
  m.constraints.erase(m.constraints.begin(), m.constraints.begin() + 2);  // the hinges
  TestRun run(m);
  const auto good = run.state;
  const double half = std::sqrt(0.5);
  run.settings.dt = 1e-3;
  run.state.x[4] = half, run.state.x[6] = half;  // a quarter turn about y
  const auto before = run.state;
  CHECK_TRUE(Status::kOverflow == run.stepper().step(run.state, run.loads, run.settings));
  CHECK_TRUE(before.x == run.state.x && before.v == run.state.v);
  run.settings.stabilization = Stabilization::kProjection;
  CHECK_TRUE(Status::kOverflow == run.stepper().assemble(run.state, run.settings));
  CHECK_TRUE(before.x == run.state.x);
  TestImpulses<Sparse<double>> impulses(run.table());
  CHECK_FALSE(has_moved(impulses.step(run.state, run.loads, {.dt = 1e-3})));
  CHECK_TRUE(before.x == run.state.x && before.v == run.state.v);
  run.state = good;
  CHECK_TRUE(Status::kOk == run.stepper().step(run.state, run.loads, run.settings));
}
