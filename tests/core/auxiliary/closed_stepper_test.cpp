// A crank that turns a rocker over a coupler, and a rotor geared to the crank: energies come from
// the bodies' motions in the world, closed poses from the intersection of two circles.
#include "lockstep/auxiliary/closed_stepper.hpp"

#include <CppUTest/TestHarness.h>

#include <cmath>
#include <limits>
#include <memory>
#include <numbers>

#include "core/auxiliary/test_solvers.hpp"
#include "oracle/energy.hpp"
#include "support/long_test.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;

namespace {

constexpr double kCrank = 0.3, kCoupler = 1.0, kRocker = 0.8, kGround = 1.0;
constexpr double kRatio = 3, kOffset = 0.2;

constexpr maximal::ConstraintRecord joined_tips() {
  maximal::ConstraintRecord record{static_cast<int>(maximal::ConstraintType::kRevolute), 1, 2};
  for (const std::size_t i : {0u, 4u, 8u, 12u, 16u, 20u}) record.numbers[i] = 1;  // unturned
  record.numbers[9] = kCoupler, record.numbers[21] = kRocker;                     // along x
  return record;
}

constexpr Body rod(double length) {
  const double I = length * length / 3;
  return {.mass = 1, .h = {length / 2, 0, 0}, .inertia = {0.001, 0, 0, I, 0, I}};
}

// All axes along z.
struct CrankRocker {
  static constexpr std::uint64_t kHash = 0;
  static constexpr std::array<Node, 0> kForward = {};
  static constexpr std::array<Body, 4> kBodies = [] {
    std::array<Body, 4> bodies = {rod(kCrank), rod(kCoupler), rod(kRocker), Body{}};
    bodies[1].parent = 0, bodies[1].p_PJ = {kCrank, 0, 0};
    bodies[2].p_PJ = {kGround, 0, 0};
    bodies[3].inertia = {0, 0, 0, 0, 0, 0.01};  // a rotor without mass
    return bodies;
  }();
  static constexpr std::array<maximal::ConstraintRecord, 1> kLoops = {joined_tips()};
  static constexpr std::array<Coupling, 1> kCouplings = {
      {{.first = 0, .count = 2, .offset = kOffset}}};
  static constexpr std::array<CouplingTerm, 2> kCouplingTerms = {
      {{.body = 0, .coefficient = -kRatio}, {.body = 3, .coefficient = 1}}};
};

host::Tree tree() {
  host::Tree tree;
  tree.bodies.assign(CrankRocker::kBodies.begin(), CrankRocker::kBodies.end());
  tree.loops.assign(CrankRocker::kLoops.begin(), CrankRocker::kLoops.end());
  tree.couplings.assign(CrankRocker::kCouplings.begin(), CrankRocker::kCouplings.end());
  tree.terms.assign(CrankRocker::kCouplingTerms.begin(), CrankRocker::kCouplingTerms.end());
  return tree;
}

// The rocker's angle at a crank's, above the line between the tips.
double rocker_at(double crank) {
  const double x = kCrank * std::cos(crank) - kGround, y = kCrank * std::sin(crank);
  const double reach = std::hypot(x, y);
  const double inner =
      (kRocker * kRocker + reach * reach - kCoupler * kCoupler) / (2 * kRocker * reach);
  return std::atan2(y, x) - std::acos(inner);
}

std::array<double, 4> pose(double crank) {
  const double rocker = rocker_at(crank);
  const double x = kGround + kRocker * std::cos(rocker) - kCrank * std::cos(crank);
  const double y = kRocker * std::sin(rocker) - kCrank * std::sin(crank);
  return {crank, std::atan2(y, x) - crank, rocker, kRatio * crank + kOffset};
}

template <class T>
using Fixed = ClosedStepper<CrankRocker, T, 6>;

template <class Stepper>
auto start(const Stepper& stepper) {
  auto state = stepper.make_input();
  using T = typename decltype(state.q)::Scalar;
  for (int i = 0; i < 4; ++i) state.q[i] = static_cast<T>(pose(1)[static_cast<std::size_t>(i)]);
  state.gravity << 0, T(-9.81), 0;
  return state;
}

template <class State>
double energy(const State& state) {
  host::DenseInput now = host::rest(CrankRocker::kBodies);
  now.q = state.q.template cast<double>();
  now.v = state.v.template cast<double>();
  now.gravity = state.gravity.template cast<double>();
  const host::Mechanics mechanics = host::mechanics(CrankRocker::kBodies, now);
  return mechanics.kinetic + mechanics.potential;
}

struct Run {
  double energy = 0, position = 0, velocity = 0;  // the largest errors
  double rocker = 0;                              // against the circles, at the end
};

template <class T>
Run turn(Integrator integrator, Stabilization stabilization, int steps) {
  const auto stepper = std::make_unique<Fixed<T>>();
  auto state = start(*stepper);
  const double first = energy(state);
  Run run;
  for (int i = 0; i < steps; ++i) {
    const Status status = stepper->step(state, {.dt = T(1e-3),
                                                .integrator = integrator,
                                                .stabilization = stabilization,
                                                .gains = {},
                                                .tolerance = T(0)});
    CHECK_TRUE(Status::kOk == status);
    run.energy = std::max(run.energy, std::abs(energy(state) - first));
    run.position = std::max(run.position, static_cast<double>(stepper->errors().position));
    run.velocity = std::max(run.velocity, static_cast<double>(stepper->errors().velocity));
  }
  LONGS_EQUAL(3, stepper->forces().redundant);  // a planar linkage
  const double off = static_cast<double>(state.q[2]) - rocker_at(static_cast<double>(state.q[0]));
  run.rocker = std::abs(std::remainder(off, 2 * std::acos(-1.0)));
  return run;
}

template <class T>
void check_both_forms(Stabilization stabilization) {
  const auto table = std::make_unique<test::TestModel<T>>();
  CHECK_TRUE(Status::kOk == table->assign(CrankRocker::kBodies));
  const auto fixed = std::make_unique<Fixed<T>>();
  const auto other = std::make_unique<test::TestClosed<T>>(*table, tree());
  auto state = start(*fixed);
  auto same = start(*other);
  for (int i = 0; i < 200; ++i) {
    const auto integrator = static_cast<Integrator>(i % 2);
    const StepSettings<T> settings = {T(1e-3), integrator, stabilization, {}, T(0)};
    CHECK_TRUE(Status::kOk == fixed->step(state, settings));
    CHECK_TRUE(Status::kOk == other->step(same, settings));
  }
  for (int i = 0; i < 4; ++i) {
    CHECK_TRUE(state.q[i] == same.q[i]);
    CHECK_TRUE(state.v[i] == same.v[i]);
  }
  CHECK_TRUE(fixed->errors().velocity == other->errors().velocity);
}

}  // namespace

TEST_GROUP(ClosedStepper){};

LONG_TEST(ClosedStepper, RungeKuttaKeepsEnergyAndLoops) {
  const Run projected = turn<double>(Integrator::kRungeKutta4, Stabilization::kProjection, 10000);
  CHECK_AT_MOST(1e-6, projected.energy, "energy");
  CHECK_AT_MOST(1e-12, projected.position, "position");
  CHECK_AT_MOST(1e-11, projected.velocity, "velocity");
  CHECK_AT_MOST(1e-11, projected.rocker, "circles");
  const Run pulled = turn<double>(Integrator::kRungeKutta4, Stabilization::kBaumgarte, 10000);
  CHECK_AT_MOST(1e-3, pulled.energy, "energy");
  CHECK_AT_MOST(1e-8, pulled.position, "position");
}

LONG_TEST(ClosedStepper, EulersEnergySwingsButStays) {
  for (const Stabilization how : {Stabilization::kProjection, Stabilization::kBaumgarte}) {
    const Run euler = turn<double>(Integrator::kSemiImplicitEuler, how, 10000);
    CHECK_AT_MOST(0.1, euler.energy, "energy");
    CHECK_AT_MOST(1e-4, euler.position, "position");
  }
}

TEST(ClosedStepper, FloatStaysClosed) {
  const Run projected =
      turn<float>(Integrator::kSemiImplicitEuler, Stabilization::kProjection, 5000);
  CHECK_AT_MOST(1e-4, projected.position, "position");
  CHECK_AT_MOST(0.2, projected.energy, "energy");
}

TEST(ClosedStepper, BothFormsGiveTheSameBits) {
  for (const Stabilization how :
       {Stabilization::kOff, Stabilization::kBaumgarte, Stabilization::kProjection}) {
    check_both_forms<double>(how);
    check_both_forms<float>(how);
  }
}

TEST(ClosedStepper, AGearStaysInMeshWhenAnAngleIsWoundBack) {
  // the same motion from a small angle and from one that is wound back on the way
  constexpr double kTurn = 2 * std::numbers::pi;
  double most[2] = {0, 0}, least = kMaxAngle<double>;
  for (const int far : {0, 1}) {
    const auto stepper = std::make_unique<Fixed<double>>();
    auto state = start(*stepper);
    const double turns = far * std::floor(kMaxAngle<double> / 2 / kRatio / kTurn);
    for (const int i : {0, 2}) state.q[i] += turns * kTurn;
    state.q[3] += kRatio * turns * kTurn;
    state.tau[0] = 5;
    for (int i = 0; i < 2000; ++i) {
      CHECK_TRUE(Status::kOk == stepper->step(state, {.dt = 1e-3, .gains = {}, .tolerance = 0}));
      if (far) least = std::min(least, state.q[3]);
      most[far] = std::max(most[far], stepper->errors().position);
    }
  }
  CHECK_AT_MOST(kTurn, least, "the rotor was wound back");
  CHECK_AT_MOST(1.01 * most[0] + 1e-6, most[1], "error of a row");
}

TEST(ClosedStepper, AnOpenStateIsPulledClosed) {
  Fixed<double> stepper;
  auto state = start(stepper);
  state.q[2] += 0.01, state.q[3] -= 0.02;
  for (int i = 0; i < 200; ++i) {
    CHECK_TRUE(Status::kOk == stepper.step(state, {.dt = 1e-3, .gains = {}, .tolerance = 0}));
  }
  CHECK_AT_MOST(1e-5, stepper.errors().position, "pulled");
  state = start(stepper);
  state.q[2] += 0.01, state.q[3] -= 0.02;
  CHECK_TRUE(Status::kOk == stepper.step(state, {.dt = 1e-3,
                                                 .stabilization = Stabilization::kProjection,
                                                 .gains = {},
                                                 .tolerance = 0}));
  CHECK_AT_MOST(1e-12, stepper.errors().position, "projected");
}

TEST(ClosedStepper, BadInputChangesNothing) {
  Fixed<double> stepper;
  const auto good = start(stepper);
  const auto refuses = [&](Status expected, const StepSettings<double>& settings, auto&& spoil) {
    auto state = good;
    spoil(state);
    const auto before = state;
    CHECK_TRUE(expected == stepper.step(state, settings));
    for (int i = 0; i < 4; ++i) {
      CHECK_TRUE(state.q[i] == before.q[i]);
      CHECK_TRUE(state.v[i] == before.v[i] || before.v[i] != before.v[i]);
    }
  };
  const auto keep = [](auto&) {};
  refuses(Status::kBadTimeStep, {.dt = 0, .gains = {}, .tolerance = 0}, keep);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  refuses(Status::kBadTolerance, {.dt = 1e-3, .gains = {}, .tolerance = nan}, keep);
  refuses(Status::kBadTolerance, {.dt = 1e-3, .gains = {}, .tolerance = -1}, keep);
  refuses(Status::kBadConstraint, {.dt = 1e-3, .gains = {nan, 0}, .tolerance = 0}, keep);
  refuses(Status::kBadConstraint, {.dt = 1e-3, .gains = {0, -1}, .tolerance = 0}, keep);
  refuses(Status::kNotFinite, {.dt = 1e-3, .gains = {}, .tolerance = 0},
          [](auto& state) { state.v[1] = std::numeric_limits<double>::quiet_NaN(); });
  for (const int most : {0, -1, std::numeric_limits<int>::min()}) {
    refuses(Status::kNotConverged,
            {.dt = 1e-3,
             .stabilization = Stabilization::kProjection,
             .gains = {},
             .tolerance = 0,
             .max_solves = most},
            [](auto& state) { state.q[2] += 0.01; });
  }
}
