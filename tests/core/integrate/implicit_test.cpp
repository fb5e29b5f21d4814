#include "lockstep/implicit.hpp"

#include <CppUTest/TestHarness.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "core/auxiliary/test_solvers.hpp"
#include "lockstep/integrate/joint_stepper.hpp"
#include "model/merge.hpp"
#include "model/rotor_map.hpp"
#include "oracle/dense.hpp"
#include "oracle/energy.hpp"
#include "support/geared_tree.hpp"
#include "support/long_test.hpp"
#include "support/random_tree.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;

namespace {

using Table = test::TestModel<double>;
using Closed = test::TestClosed<double>;
using Bounded = test::TestBounded<double>;
using Stepper = JointStepper<Table>;

struct Bench {
  explicit Bench(std::span<const Body> bodies) {
    CHECK_TRUE(Status::kOk == table.assign(bodies));
    stepper = std::make_unique<Stepper>(table);
    state = stepper->make_input();
    external = stepper->make_wrenches();
  }
  void set(const host::DenseInput& from) {
    state.q = from.q, state.v = from.v, state.tau = from.tau;
    state.gravity = from.gravity, external = from.external;
  }
  Table table;
  std::unique_ptr<Stepper> stepper;
  Stepper::Input state;
  Stepper::Wrenches external;
};

// Damping and springs from nothing to far beyond 2 I / dt and 4 I / dt^2.
void soften(std::vector<Body>& bodies, test::Random& random) {
  const auto draw = [&](double most) {
    return random.uniform(0, 1) < 0.2 ? 0 : std::pow(10.0, random.uniform(-3, most));
  };
  for (Body& body : bodies) {
    body.damping = draw(4);
    if (dof_count(body.joint) != 1) continue;
    body.stiffness = draw(6);
    body.rest = random.uniform(-1, 1);
  }
}
// For trees without followers, which have none.
void add_armature(std::vector<Body>& bodies, test::Random& random) {
  for (Body& body : bodies) {
    if (dof_count(body.joint) == 1) body.armature = std::max(0.0, random.uniform(-0.2, 0.2));
  }
}

// The efforts at the end of a step: what dampers do more than at its start is dt d vdot, what
// springs do k dt (v + dt vdot).
Eigen::VectorXd efforts_at_end(const Table& table, const Eigen::VectorXd& tau, double dt,
                               const Eigen::VectorXd& v, const Eigen::VectorXd& vdot) {
  Eigen::VectorXd result = tau;
  for (const BodyData<double>& body : table.bodies()) {
    for (int i = body.v; i < body.v + dof_count(body.joint); ++i) {
      result[i] -= dt * (body.damping * vdot[i] + body.stiffness * (v[i] + dt * vdot[i]));
    }
  }
  return result;
}

double energy(std::span<const Body> bodies, const Stepper::Input& state) {
  const host::Mechanics m = host::mechanics(
      bodies, {.q = state.q,
               .v = state.v,
               .tau = state.tau,
               .external = host::Matrix6Xd::Zero(6, static_cast<Eigen::Index>(bodies.size())),
               .gravity = state.gravity});
  return m.kinetic + m.potential;
}

}  // namespace

TEST_GROUP(Implicit){};

TEST(Implicit, AStepHasTheDampersAndSpringsOfItsEnd) {
  test::Random random(31);
  for (const test::Shape shape : test::kShapes) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      auto bodies = test::random_tree({.shape = shape, .bodies = 8, .seed = seed});
      soften(bodies, random);
      add_armature(bodies, random);
      Bench b(bodies);
      host::DenseInput start = test::random_state(bodies, random);
      b.set(start);
      const double dt = 0.01;
      CHECK_TRUE(Status::kOk ==
                 b.stepper->step(b.state, b.external, dt, Integrator::kSemiImplicitEuler));
      const Stepper::Output& out = b.stepper->output();
      start.tau = efforts_at_end(b.table, start.tau, dt, start.v, out.vdot);
      const host::DenseOutput dense = host::solve_dense(bodies, start);
      CHECK_AT_MOST(1e-9, test::relative_error(out.vdot, dense.vdot), "accelerations");
      CHECK_AT_MOST(1e-9, test::relative_error(out.reaction, dense.reaction), "reactions");
      CHECK_AT_MOST(1e-12, test::relative_error(b.state.v, start.v + dt * out.vdot), "velocities");
    }
  }
}

// Joints with rotors, and joints that others follow: dampers and springs at either end of the tie.
TEST(Implicit, RotorsAndFollowersHaveThoseOfTheEndToo) {
  test::Random random(32);
  for (const bool round : {true, false}) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      const host::Tree whole = test::geared_tree({.bodies = 6, .seed = seed}, round);
      host::Tree tree = host::merge_rotors(whole);
      const host::RotorMap map(whole, tree);
      soften(tree.bodies, random);
      Bench b(tree.bodies);
      b.set(map.to_merged(test::geared_state(whole, random)));
      auto in = b.state;
      const double dt = 0.01;
      CHECK_TRUE(Status::kOk ==
                 b.stepper->step(b.state, b.external, dt, Integrator::kSemiImplicitEuler));
      const auto& out = b.stepper->output();
      in.tau = efforts_at_end(b.table, in.tau, dt, in.v, out.vdot);
      Solver<Table> solver(b.table);
      auto expected = solver.make_output();
      CHECK_TRUE(Status::kOk == solver.forward_dynamics(in, b.external, expected));
      CHECK_AT_MOST(1e-9, test::relative_error(out.vdot, expected.vdot), "accelerations");
      CHECK_AT_MOST(1e-9, test::relative_error(out.reaction, expected.reaction), "reactions");
    }
  }
}

TEST(Implicit, AShaftThatADamperStopsFollowsTheClosedForm) {
  std::vector<Body> bodies = {{.inertia = {1, 0, 0, 1, 0, 2}, .damping = 3}};
  Bench b(bodies);
  b.state.gravity.setZero();
  b.state.v[0] = 5;
  for (int i = 0; i < 100; ++i) {
    CHECK_TRUE(Status::kOk == b.stepper->step(b.state, 0.5, Integrator::kSemiImplicitEuler));
  }
  const double expected = 5 * std::pow(1 + 0.5 * 3 / 2, -100);
  CHECK_AT_MOST(1e-12, std::abs(b.state.v[0] / expected - 1), "speed");
}

// Of a chain whose joints have this damping, and springs; looked at after so many steps each time.
void check_energy(double stiff, int looks, int steps = 1) {
  auto bodies = test::random_tree({.shape = test::Shape::kChain, .bodies = 5, .seed = 4});
  for (Body& body : bodies) {
    const bool springs = dof_count(body.joint) == 1;
    body.damping = stiff, body.stiffness = springs ? 1e3 * stiff : 0, body.rest = 0.1;
  }
  Bench b(bodies);
  b.state.v.setConstant(1);
  double last = energy(bodies, b.state);
  for (int look = 0; look < looks; ++look) {
    bool good = true;
    for (int i = 0; i < steps; ++i) {
      good &= Status::kOk == b.stepper->step(b.state, 1e-3, Integrator::kSemiImplicitEuler);
    }
    CHECK_TRUE(good);
    const double now = energy(bodies, b.state);
    CHECK_AT_MOST(last + 1e-9 * std::abs(last), now, "energy");
    last = now;
  }
}

// Up to a million times the damping and the stiffness at which an explicit step diverges.
TEST(Implicit, EnergyNeverGrowsHoweverStiffTheJoints) {
  for (const double stiff : {1e2, 1e5, 1e8}) check_energy(stiff, 2000);
}
LONG_TEST(Implicit, EnergyOfAChainDoesNotGrowInAMillionSteps) { check_energy(1e8, 10000, 100); }

// A disc with the moment 2 and an armature 0.5, a spring k and a damper d.
template <class T>
struct Disc {
  using Model = TableModel<T, 1>;

  Disc(double k, double d) {
    const Body body = {
        .inertia = {1, 0, 0, 1, 0, 2}, .damping = d, .stiffness = k, .rest = 0.25, .armature = 0.5};
    CHECK_TRUE(Status::kOk == table.assign({&body, 1}));
    stepper = std::make_unique<JointStepper<Model, T>>(table);
    state = stepper->make_input();
    state.gravity.setZero();
    state.q[0] = T(1.25);
  }
  Model table;
  std::unique_ptr<JointStepper<Model, T>> stepper;
  typename JointStepper<Model, T>::Input state;

  void run(int steps, double dt, Integrator integrator) {
    bool good = true;
    for (int i = 0; i < steps; ++i) {
      good &= Status::kOk == stepper->step(state, static_cast<T>(dt), integrator);
    }
    CHECK_TRUE(good);
  }
};

// q = 0.25 + exp(-a t) (cos w t + a/w sin w t) with a = d / 2 J, w^2 = k / J - a^2, J = 2.5.
TEST(Implicit, ASpringSwingsAsTheClosedFormToTheFirstOrder) {
  const double k = 40, d = 2, J = 2.5, a = d / (2 * J), w = std::sqrt(k / J - a * a);
  const double expected = 0.25 + std::exp(-a) * (std::cos(w) + a / w * std::sin(w));
  double before = 0;
  for (const int steps : {1000, 2000, 4000}) {
    Disc<double> disc(k, d);
    disc.run(steps, 1.0 / steps, Integrator::kSemiImplicitEuler);
    const double error = std::abs(disc.state.q[0] - expected);
    if (before != 0) CHECK_AT_MOST(0.02, std::abs(before / error - 2), "order");
    before = error;
  }
  CHECK_AT_MOST(2e-3, before, "place");
  Disc<double> explicit_disc(k, d);
  explicit_disc.run(1000, 1e-3, Integrator::kRungeKutta4);
  CHECK_AT_MOST(1e-10, std::abs(explicit_disc.state.q[0] - expected), "Runge-Kutta");
}

// A million steps at a million times the limits of explicit ones, 2 J / dt and 4 J / dt^2.
template <class T>
void check_million(double stiff, double damped) {
  const double dt = 1e-3, k = stiff * 4 * 2.5 / (dt * dt), d = damped * 2 * 2.5 / dt;
  Disc<T> disc(k, d);
  disc.state.v[0] = T(1);
  const auto energy_of = [&] {
    const double stretch = static_cast<double>(disc.state.q[0]) - 0.25;
    const double v = static_cast<double>(disc.state.v[0]);
    return 0.5 * k * stretch * stretch + 0.5 * 2.5 * v * v;
  };
  double last = energy_of();
  for (int i = 0; i < 1000; ++i) {
    disc.run(1000, dt, Integrator::kSemiImplicitEuler);
    CHECK_AT_MOST(last, energy_of(), "energy");
    last = energy_of();
  }
}
TEST(Implicit, EnergyDoesNotGrowInAMillionSteps) {
  check_million<double>(1e6, 0);
  check_million<float>(1e6, 1e6);
}

// The midpoint keeps the energy of a spring at any stiffness: here w dt is up to 600.
TEST(Implicit, TheMidpointKeepsTheEnergyOfSprings) {
  for (const double k : {1.0, 1e4, 1e6}) {
    Disc<double> exact(k, 0);
    Disc<float> rounded(k, 0);
    exact.run(4000, 1, Integrator::kMidpoint);
    rounded.run(1000, 1, Integrator::kMidpoint);
    const auto energy_of = [&](double q, double v) {
      return 0.5 * k * std::pow(q - 0.25, 2) + 0.5 * 2.5 * v * v;
    };
    const double start = energy_of(1.25, 0);
    CHECK_AT_MOST(1e-9, std::abs(energy_of(exact.state.q[0], exact.state.v[0]) / start - 1), "J");
    const double q = static_cast<double>(rounded.state.q[0]),
                 v = static_cast<double>(rounded.state.v[0]);
    CHECK_AT_MOST(1e-3, std::abs(energy_of(q, v) / start - 1), "J in float");
  }
}

// What floats has velocity terms of the step's middle in a bounded step alone (floating_base_test).
bool floats(const host::Tree& tree) {
  return std::ranges::any_of(tree.bodies,
                             [](const auto& body) { return body.joint == JointType::kFloating; });
}

// Rows see the same joints: without any row, and with limits that are out of reach, all three
// steppers take the same step.
TEST(Implicit, EveryStepperTakesTheSameStep) {
  test::Random random(33);
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    host::Tree tree;
    tree.bodies = test::random_tree({.shape = test::Shape::kForest, .bodies = 7, .seed = seed});
    soften(tree.bodies, random);
    Bench b(tree.bodies);
    host::DenseInput start = test::random_state(tree.bodies, random);
    start.external.setZero();
    b.set(start);
    const auto before = b.state;
    const double dt = 0.01;
    CHECK_TRUE(Status::kOk == b.stepper->step(b.state, dt, Integrator::kSemiImplicitEuler));

    const auto closed = std::make_unique<Closed>(b.table, tree);
    auto by_closed = before;
    CHECK_TRUE(Status::kOk == closed->step(by_closed, {.dt = dt}));
    CHECK_AT_MOST(1e-10, test::relative_error(by_closed.v, b.state.v), "closed");

    if (floats(tree)) continue;
    ++compared;
    const auto bounded =
        std::make_unique<Bounded>(b.table, tree, std::span<const JointLimits<double>>{});
    auto by_bounded = before;
    CHECK_TRUE(Status::kOk == bounded->step(by_bounded, {.dt = dt}));
    CHECK_AT_MOST(1e-10, test::relative_error(by_bounded.v, b.state.v), "bounded");
  }
  CHECK(compared >= 4);
}

// What a row feels of a joint that a damper holds: M + dt D is behind A too. A drive that asks for
// a speed has it at the end of the step, and its effort is what the whole tree needs for it.
TEST(Implicit, RowsFeelTheDampers) {
  test::Random random(34);
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    host::Tree tree;
    tree.bodies = test::random_tree({.shape = test::Shape::kRandom, .bodies = 7, .seed = seed});
    soften(tree.bodies, random);
    int driven = kNone;
    for (int i = 0; i < 7; ++i) {
      if (dof_count(tree.bodies[at(i)].joint) == 1) driven = i;
    }
    if (driven == kNone) continue;
    Bench b(tree.bodies);
    host::DenseInput start = test::random_state(tree.bodies, random);
    start.external.setZero();
    b.set(start);
    const auto bounded =
        std::make_unique<Bounded>(b.table, tree, std::span<const JointLimits<double>>{});
    const double dt = 0.01, speed = 0.7;
    const std::array<Drive<double>, 1> drives = {
        Drive<double>{.body = driven, .velocity = speed, .effort = 1e9}};
    CHECK_TRUE(Status::kOk == bounded->step(b.state, {.dt = dt}, {.drives = drives}));
    const int v = b.table.bodies()[at(driven)].v;
    CHECK_AT_MOST(1e-9, std::abs(b.state.v[v] - speed), "speed");
    start.tau[v] += bounded->result().forces[0];
    start.tau = efforts_at_end(b.table, start.tau, dt, start.v, bounded->output().vdot);
    const host::DenseOutput dense = host::solve_dense(tree.bodies, start);
    CHECK_AT_MOST(1e-8, test::relative_error(bounded->output().vdot, dense.vdot), "accelerations");
  }
}

// Efforts that follow the motion, whatever the gains, beside dampers and springs.
TEST(Implicit, DrivesActAsTheyAreAtTheEndOfTheStep) {
  test::Random random(35);
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    host::Tree tree;
    tree.bodies = test::random_tree({.shape = test::Shape::kRandom, .bodies = 7, .seed = seed});
    soften(tree.bodies, random);
    Bench b(tree.bodies);
    host::DenseInput start = test::random_state(tree.bodies, random);
    start.external.setZero();
    b.set(start);
    Eigen::VectorXd kp = start.v, kd = start.v;
    for (Eigen::Index i = 0; i < kp.size(); ++i) {
      kp[i] = std::pow(10.0, random.uniform(-1, 6)), kd[i] = std::pow(10.0, random.uniform(-2, 4));
    }
    const DriveGains<double> gains = {kp.data(), kd.data()};
    const auto before = b.state;
    const double dt = 0.01;
    CHECK_TRUE(Status::kOk == b.stepper->step(b.state, dt, Integrator::kSemiImplicitEuler, gains));
    const Eigen::VectorXd end =
        start.tau - kp.cwiseProduct(dt * b.state.v) - kd.cwiseProduct(b.state.v - start.v);
    CHECK_AT_MOST(1e-12, test::relative_error(b.state.tau, end), "efforts");
    const auto& out = b.stepper->output();
    host::DenseInput ended = start;
    ended.tau = efforts_at_end(b.table, b.state.tau, dt, start.v, out.vdot);
    const host::DenseOutput dense = host::solve_dense(tree.bodies, ended);
    CHECK_AT_MOST(1e-7, test::relative_error(out.vdot, dense.vdot), "accelerations");

    const auto closed = std::make_unique<Closed>(b.table, tree);
    auto by_closed = before;
    CHECK_TRUE(Status::kOk == closed->step(by_closed, {.dt = dt}, gains));
    CHECK_AT_MOST(1e-9, test::relative_error(by_closed.v, b.state.v), "closed");
    if (floats(tree)) continue;
    ++compared;
    const auto bounded =
        std::make_unique<Bounded>(b.table, tree, std::span<const JointLimits<double>>{});
    for (const RowSolver solver : {RowSolver::kPivoting, RowSolver::kNewton}) {
      auto by_bounded = before;
      CHECK_TRUE(Status::kOk ==
                 bounded->step(by_bounded, {.dt = dt, .solver = solver}, {.gains = gains}));
      CHECK_AT_MOST(1e-9, test::relative_error(by_bounded.v, b.state.v), "bounded");
      CHECK_AT_MOST(1e-9, test::relative_error(by_bounded.tau, b.state.tau), "efforts");
    }
  }
  CHECK(compared >= 4);
}
