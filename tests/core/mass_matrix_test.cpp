#include "lockstep/mass_matrix.hpp"

#include <CppUTest/TestHarness.h>

#include <limits>
#include <memory>

#include "lockstep/inverse_dynamics.hpp"
#include "lockstep/table_model.hpp"
#include "oracle/dense.hpp"
#include "support/allocation_guard.hpp"
#include "support/random_tree.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;

namespace {

template <class T>
using Table = TableModel<T, 12>;

// The kinetic energy that two unit velocities share, summed over the bodies in the world.
Eigen::MatrixXd mass_in_world(std::span<const Body> bodies, const Eigen::VectorXd& q) {
  const Eigen::Index size = host::total_dof(bodies);
  std::vector<std::vector<host::WorldBody>> moving;
  for (Eigen::Index i = 0; i < size; ++i) {
    moving.push_back(host::place_in_world(bodies, q, Eigen::VectorXd::Unit(size, i)));
  }
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(size, size);
  for (std::size_t i = 0; i < moving.size(); ++i) {
    for (std::size_t j = 0; j < moving.size(); ++j) {
      for (std::size_t body = 0; body < bodies.size(); ++body) {
        const host::WorldBody &a = moving[i][body], &b = moving[j][body];
        M(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) +=
            a.mass * a.velocity.dot(b.velocity) + a.omega.dot(a.inertia * b.omega);
      }
    }
  }
  return M;
}

template <class T>
void check_against_world(double bound) {
  for (const test::Shape shape : test::kShapes) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      const auto bodies = test::random_tree({.shape = shape, .seed = seed});
      test::Random random(seed + 30);
      const host::DenseInput state = test::random_state(bodies, random);
      Table<T> table;
      CHECK_TRUE(Status::kOk == table.assign(bodies));
      MassMatrix<Table<T>, T> mass(table);
      auto M = mass.make_output();
      M.setConstant(77);
      CHECK_TRUE(Status::kOk == mass.mass_matrix(state.q.cast<T>(), M));
      CHECK_AT_MOST(bound, test::relative_error(M, mass_in_world(bodies, state.q)), "");
      CHECK_TRUE(M == M.transpose());
    }
  }
}

}  // namespace

TEST_GROUP(MassMatrix){};

TEST(MassMatrix, HoldsTheKineticEnergyOfTheWorld) {
  check_against_world<double>(1e-14);
  check_against_world<float>(3e-6);
}

// the dense oracle's accelerations, and a bias from inverse dynamics
TEST(MassMatrix, TimesTheAccelerationIsWhatTheBiasLeavesOfTheEfforts) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto bodies = test::random_tree({.seed = seed});
    test::Random random(seed + 90);
    const host::DenseInput state = test::random_state(bodies, random);
    Table<double> table;
    CHECK_TRUE(Status::kOk == table.assign(bodies));
    MassMatrix<Table<double>> mass(table);
    InverseDynamics<Table<double>> inverse(table);
    auto M = mass.make_output();
    auto in = inverse.make_input();
    in.q = state.q, in.v = state.v, in.gravity = state.gravity;
    auto bias = inverse.make_output();
    const InverseDynamics<Table<double>>::Wrenches external = state.external;
    CHECK_TRUE(Status::kOk == mass.mass_matrix(in.q, M));
    CHECK_TRUE(Status::kOk == inverse.inverse_dynamics(in, external, bias));
    const Eigen::VectorXd vdot = host::solve_dense(bodies, state).vdot;
    CHECK_AT_MOST(1e-13 * (1 + vdot.cwiseAbs().maxCoeff()),
                  test::relative_error(M * vdot + bias, state.tau), "");
  }
}

TEST(MassMatrix, AMatrixOfTheHeapServesAsWell) {
  const auto bodies = test::random_tree({.seed = 4});
  test::Random random(9);
  const host::DenseInput state = test::random_state(bodies, random);
  Table<double> table;
  CHECK_TRUE(Status::kOk == table.assign(bodies));
  MassMatrix<Table<double>> mass(table);
  Eigen::MatrixXd M(state.v.size(), state.v.size());
  auto expected = mass.make_output();
  CHECK_TRUE(Status::kOk == mass.mass_matrix(state.q, M));
  CHECK_TRUE(Status::kOk == mass.mass_matrix(state.q, expected));
  CHECK_TRUE(M == expected);
}

TEST(MassMatrix, BadNumbersAreRefusedAndChangeNothing) {
  const std::array<Body, 2> bodies = {
      {{.joint = JointType::kBall, .mass = 1, .inertia = {1, 0, 0, 1, 0, 1}},
       {.parent = 0, .joint = JointType::kPrismatic, .mass = 1, .inertia = {1, 0, 0, 1, 0, 1}}}};
  Table<double> table;
  CHECK_TRUE(Status::kOk == table.assign(bodies));
  MassMatrix<Table<double>> mass(table);
  auto M = mass.make_output();
  M.setConstant(77);
  const auto refused = [&](auto&& spoil) {
    MassMatrix<Table<double>>::Configs q = Eigen::VectorXd::Unit(5, 3);
    spoil(q);
    const Status status = mass.mass_matrix(q, M);
    CHECK_TRUE((M.array() == 77).all());
    return status;
  };
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  CHECK_TRUE(Status::kNotFinite == refused([](auto& q) { q[4] = kInfinity; }));
  CHECK_TRUE(Status::kNotUnitQuaternion == refused([](auto& q) { q[1] = 1; }));
  CHECK_TRUE(Status::kWrongSize == refused([](auto& q) { q.conservativeResize(3); }));
  CHECK_TRUE(Status::kOverflow == refused([](auto& q) { q[4] = 1e160; }));
  M.conservativeResize(3, 4);
  CHECK_TRUE(Status::kWrongSize == refused([](auto&) {}));
  M = decltype(M)::Constant(4, 3, 77);
  CHECK_TRUE(Status::kWrongSize == refused([](auto&) {}));
}

TEST(MassMatrix, NeverAllocates) {
  Table<double> table;
  CHECK_TRUE(Status::kOk == table.assign(test::random_tree({.seed = 3})));
  const auto in = Problem<Table<double>, double>(table).make_input();
  MassMatrix<Table<double>> mass(table);
  auto M = mass.make_output();
  LONGS_EQUAL(0,
              test::allocations_in([&] { CHECK_TRUE(Status::kOk == mass.mass_matrix(in.q, M)); }));
}
