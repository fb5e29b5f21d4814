#include "lockstep/observe/momentum.hpp"

#include <CppUTest/TestHarness.h>

#include <limits>
#include <memory>

#include "lockstep/integrate/joint_stepper.hpp"
#include "lockstep/inverse_dynamics.hpp"
#include "lockstep/mass_matrix.hpp"
#include "lockstep/table_model.hpp"
#include "oracle/energy.hpp"
#include "support/allocation_guard.hpp"
#include "support/motion.hpp"
#include "support/random_tree.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;

namespace {

using Table = TableModel<double, 8>;

struct Bench {
  explicit Bench(std::span<const Body> of) : bodies(of) {
    CHECK_TRUE(Status::kOk == table.assign(bodies));
    momentum = std::make_unique<GeneralizedMomentum<Table>>(table);
    out = momentum->make_output();
  }
  std::span<const Body> bodies;
  Table table;
  std::unique_ptr<GeneralizedMomentum<Table>> momentum;
  GeneralizedMomentum<Table>::Output out;
};

// Every second joint of one coordinate has a rotor, with a spin as its armature allows.
std::vector<Body> with_rotors(std::vector<Body> bodies) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (dof_count(bodies[i].joint) != 1 || i % 2 == 0) continue;
    bodies[i].armature = 0.9;
    bodies[i].spin = {0.01, -0.02, 0.03};
    bodies[i].stiffness = 3;
    bodies[i].rest = 0.2;
  }
  return bodies;
}

}  // namespace

TEST_GROUP(GeneralizedMomentum){};

TEST(GeneralizedMomentum, IsTheMassMatrixTimesV) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto bodies = with_rotors(test::random_tree({.seed = seed}));
    test::Random random(seed + 3);
    const host::DenseInput state = test::random_state(bodies, random);
    Bench b(bodies);
    CHECK_TRUE(Status::kOk == b.momentum->momentum(state.q, state.v, state.gravity, b.out));
    const auto mass = std::make_unique<MassMatrix<Table>>(b.table);
    auto M = mass->make_output();
    CHECK_TRUE(Status::kOk == mass->mass_matrix(state.q, M));
    CHECK_AT_MOST(1e-13, test::relative_error(b.out.p, (M * state.v).eval()), "p");
  }
}

// d/dt p along a motion without efforts, by central differences
TEST(GeneralizedMomentum, ChangesAsItsForceSays) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto bodies = with_rotors(test::random_tree({.seed = seed}));
    test::Random random(seed + 30);
    host::DenseInput state = test::random_state(bodies, random);
    Bench b(bodies);
    CHECK_TRUE(Status::kOk == b.momentum->momentum(state.q, state.v, state.gravity, b.out));
    const Eigen::VectorXd force = b.out.force;
    const auto solver = std::make_unique<Solver<Table>>(b.table);
    auto in = solver->make_input();
    auto answer = solver->make_output();
    in.q = state.q, in.v = state.v, in.gravity = state.gravity;
    CHECK_TRUE(Status::kOk == solver->forward_dynamics(in, answer));
    const double h = 1e-5;
    const auto p_at = [&](double time) {
      const Eigen::VectorXd q =
          test::normalized(bodies, state.q + time * test::config_rate(bodies, state.q, state.v));
      const Eigen::VectorXd v = state.v + time * Eigen::VectorXd(answer.vdot);
      CHECK_TRUE(Status::kOk == b.momentum->momentum(q, v, state.gravity, b.out));
      return Eigen::VectorXd(b.out.p);
    };
    const Eigen::VectorXd rate = (p_at(h) - p_at(-h)) / (2 * h);
    const double size = 1 + answer.vdot.cwiseAbs().maxCoeff();
    CHECK_AT_MOST(1e-7 * size, test::relative_error(force, rate), "d/dt p");
  }
}

// M vdot = tau - C v - g of inverse dynamics, and d/dt M v = C v + C^T v: the same C
TEST(GeneralizedMomentum, WithoutMotionItsForceIsTheWeight) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto bodies = with_rotors(test::random_tree({.seed = seed}));
    test::Random random(seed + 60);
    host::DenseInput state = test::random_state(bodies, random);
    state.v.setZero();
    Bench b(bodies);
    CHECK_TRUE(Status::kOk == b.momentum->momentum(state.q, state.v, state.gravity, b.out));
    const auto inverse = std::make_unique<InverseDynamics<Table>>(b.table);
    auto tau = inverse->make_output();
    CHECK_TRUE(Status::kOk == inverse->gravity_torque(state.q, state.gravity, tau));
    CHECK_AT_MOST(1e-13, test::relative_error((-b.out.force).eval(), tau), "weight");
  }
}

TEST(GeneralizedMomentum, BadNumbersAreRefusedAndChangeNothing) {
  const auto bodies = test::random_tree({.bodies = 4, .seed = 2});
  test::Random random(1);
  const host::DenseInput state = test::random_state(bodies, random);
  Bench b(bodies);
  b.out.p.setConstant(7), b.out.force.setConstant(8);
  Eigen::VectorXd v = state.v;
  v[0] = std::numeric_limits<double>::quiet_NaN();
  CHECK_TRUE(Status::kNotFinite == b.momentum->momentum(state.q, v, state.gravity, b.out));
  v.setConstant(1e200);
  CHECK_TRUE(Status::kOverflow == b.momentum->momentum(state.q, v, state.gravity, b.out));
  CHECK_TRUE(Status::kWrongSize ==
             b.momentum->momentum(state.q, Eigen::VectorXd(v.head(1)), state.gravity, b.out));
  CHECK_TRUE(Status::kWrongSize ==
             b.momentum->momentum(Eigen::VectorXd(state.q.head(1)), v, state.gravity, b.out));
  Eigen::Vector3d gravity = state.gravity;
  gravity[1] = std::numeric_limits<double>::infinity();
  CHECK_TRUE(Status::kNotFinite == b.momentum->momentum(state.q, state.v, gravity, b.out));
  CHECK_TRUE((b.out.p.array() == 7).all() && (b.out.force.array() == 8).all());
  auto few = b.out;
  few.p.conservativeResize(1);
  CHECK_TRUE(Status::kWrongSize == b.momentum->momentum(state.q, state.v, state.gravity, few));
  few = b.out;
  few.force.conservativeResize(1);
  CHECK_TRUE(Status::kWrongSize == b.momentum->momentum(state.q, state.v, state.gravity, few));
}

TEST(GeneralizedMomentum, NeverAllocates) {
  const auto bodies = test::random_tree({.bodies = 4, .seed = 2});
  Bench b(bodies);
  const auto in = Problem<Table, double>(b.table).make_input();
  LONGS_EQUAL(0, test::allocations_in([&] {
                CHECK_TRUE(Status::kOk == b.momentum->momentum(in.q, in.v, in.gravity, b.out));
              }));
}
