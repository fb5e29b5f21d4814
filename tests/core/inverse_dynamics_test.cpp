#include "lockstep/inverse_dynamics.hpp"

#include <CppUTest/TestHarness.h>

#include <cmath>
#include <limits>
#include <memory>

#include "lockstep/solver.hpp"
#include "lockstep/table_model.hpp"
#include "oracle/dense.hpp"
#include "oracle/energy.hpp"
#include "support/allocation_guard.hpp"
#include "support/motion.hpp"
#include "support/random_tree.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;

namespace {

template <class T>
struct Bench {
  using Table = TableModel<T, 12>;
  using Inverse = InverseDynamics<Table, T>;
  explicit Bench(std::span<const Body> bodies) {
    CHECK_TRUE(Status::kOk == table.assign(bodies));
    inverse = std::make_unique<Inverse>(table);
    in = inverse->make_input();
    external = inverse->make_wrenches();
    tau = inverse->make_output();
  }
  void set(const host::DenseInput& from, const Eigen::VectorXd& vdot) {
    in.q = from.q.cast<T>(), in.v = from.v.cast<T>(), in.vdot = vdot.cast<T>();
    in.gravity = from.gravity.cast<T>(), external = from.external.cast<T>();
  }
  Table table;
  std::unique_ptr<Inverse> inverse;
  typename Inverse::Input in;
  typename Inverse::Wrenches external;
  typename Inverse::Dofs tau;
};

template <class T>
void check_against_dense(double bound) {
  for (const test::Shape shape : test::kShapes) {
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      const auto bodies = test::random_tree({.shape = shape, .seed = seed});
      test::Random random(seed + 40);
      const host::DenseInput state = test::random_state(bodies, random);
      Bench<T> b(bodies);
      b.set(state, host::solve_dense(bodies, state).vdot);
      CHECK_TRUE(Status::kOk == b.inverse->inverse_dynamics(b.in, b.external, b.tau));
      // what cancels in the efforts is as large as the accelerations
      const double size = 1 + b.in.vdot.template cast<double>().cwiseAbs().maxCoeff();
      CHECK_AT_MOST(bound * size, test::relative_error(b.tau, state.tau), "");
    }
  }
}

}  // namespace

TEST_GROUP(InverseDynamics){};

TEST(InverseDynamics, FindsTheEffortsOfTheDenseOracle) {
  check_against_dense<double>(1e-13);
  check_against_dense<float>(2e-5);
}

TEST(InverseDynamics, UndoesForwardDynamics) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto bodies = test::random_tree({.seed = seed});
    test::Random random(seed + 60);
    const host::DenseInput state = test::random_state(bodies, random);
    Bench<double> b(bodies);
    const auto solver = std::make_unique<Solver<Bench<double>::Table>>(b.table);
    auto in = solver->make_input();
    auto out = solver->make_output();
    in.q = state.q, in.v = state.v, in.tau = state.tau, in.gravity = state.gravity;
    CHECK_TRUE(Status::kOk == solver->forward_dynamics(in, out));
    b.set(state, out.vdot);
    CHECK_TRUE(Status::kOk == b.inverse->inverse_dynamics(b.in, b.tau));
    CHECK_AT_MOST(1e-13 * (1 + out.vdot.cwiseAbs().maxCoeff()),
                  test::relative_error(b.tau, state.tau), "");
  }
}

// an arm of one kilogram at a metre, turning about a horizontal axis, and its damper
TEST(InverseDynamics, AgreesWithAPendulumOnPaper) {
  const std::array<Body, 1> pendulum = {{{.R_PJ = {1, 0, 0, 0, 0, -1, 0, 1, 0},
                                          .mass = 1,
                                          .h = {1, 0, 0},
                                          .inertia = {0, 0, 0, 1, 0, 1},
                                          .damping = 0.25}}};
  Bench<double> b(pendulum);
  b.in.q << 0.3;
  b.in.v << 2;
  b.in.vdot << -3;
  CHECK_TRUE(Status::kOk == b.inverse->inverse_dynamics(b.in, b.tau));
  DOUBLES_EQUAL(-3 + 9.81 * std::cos(0.3) + 0.25 * 2, b.tau[0], 1e-14);
  CHECK_TRUE(Status::kOk == b.inverse->gravity_torque(b.in.q, b.in.gravity, b.tau));
  DOUBLES_EQUAL(9.81 * std::cos(0.3), b.tau[0], 1e-14);
}

// tau . v is the rate of the potential energy along any v
TEST(InverseDynamics, GravityTorqueIsTheSlopeOfThePotential) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto bodies = test::random_tree({.seed = seed});
    test::Random random(seed + 80);
    const host::DenseInput state = test::random_state(bodies, random);
    Bench<double> b(bodies);
    b.set(state, state.v);
    CHECK_TRUE(Status::kOk == b.inverse->gravity_torque(b.in.q, b.in.gravity, b.tau));
    const double h = 1e-5;
    const auto potential = [&](double time) {
      host::DenseInput later = state;
      later.q += time * test::config_rate(bodies, state.q, state.v);
      return host::mechanics(bodies, later).potential;
    };
    const double slope = (potential(h) - potential(-h)) / (2 * h);
    CHECK_AT_MOST(1e-6, std::abs(b.tau.dot(b.in.v) - slope), "");
  }
}

TEST(InverseDynamics, BadNumbersAreRefusedAndChangeNothing) {
  const auto bodies = test::random_tree({.bodies = 5, .seed = 2});
  const auto refused = [&](auto&& spoil) {
    Bench<double> b(bodies);
    spoil(b);
    b.tau.setConstant(77);
    const Status status = b.inverse->inverse_dynamics(b.in, b.external, b.tau);
    CHECK_TRUE((b.tau.array() == 77).all());
    return status;
  };
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  CHECK_TRUE(Status::kNotFinite == refused([](auto& b) { b.in.q[0] = kNaN; }));
  CHECK_TRUE(Status::kNotFinite == refused([](auto& b) { b.in.v[1] = kNaN; }));
  CHECK_TRUE(Status::kNotFinite == refused([](auto& b) { b.in.vdot[2] = kNaN; }));
  CHECK_TRUE(Status::kNotFinite == refused([](auto& b) { b.in.gravity[1] = kNaN; }));
  CHECK_TRUE(Status::kNotFinite == refused([](auto& b) { b.external(3, 1) = kNaN; }));
  CHECK_TRUE(Status::kOverflow == refused([](auto& b) { b.in.v.setConstant(1e200); }));
  CHECK_TRUE(Status::kWrongSize == refused([](auto& b) { b.in.vdot.conservativeResize(1); }));
  CHECK_TRUE(Status::kWrongSize == refused([](auto& b) { b.tau.conservativeResize(1); }));
  CHECK_TRUE(Status::kWrongSize == refused([](auto& b) { b.in.q.conservativeResize(1); }));
  CHECK_TRUE(Status::kWrongSize == refused([](auto& b) { b.in.v.conservativeResize(1); }));
  CHECK_TRUE(Status::kWrongSize == refused([](auto& b) { b.external.conservativeResize(6, 1); }));

  Bench<double> b(bodies);
  b.tau.setConstant(77);
  b.in.gravity[2] = kNaN;
  CHECK_TRUE(Status::kNotFinite == b.inverse->gravity_torque(b.in.q, b.in.gravity, b.tau));
  CHECK_TRUE((b.tau.array() == 77).all());
}

TEST(InverseDynamics, NeverAllocates) {
  Bench<double> b(test::random_tree({.seed = 3}));
  LONGS_EQUAL(0, test::allocations_in([&] {
                CHECK_TRUE(Status::kOk == b.inverse->inverse_dynamics(b.in, b.external, b.tau));
                CHECK_TRUE(Status::kOk == b.inverse->gravity_torque(b.in.q, b.in.gravity, b.tau));
              }));
}
