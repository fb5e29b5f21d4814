#include "lockstep/auxiliary/constrained_solver.hpp"

#include <CppUTest/TestHarness.h>

#include <memory>

#include "core/auxiliary/dense_rows.hpp"
#include "lockstep/maximal/constraints/joints.hpp"
#include "lockstep/solver.hpp"
#include "support/allocation_guard.hpp"
#include "support/random_tree.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;
using auxiliary::Side;
using auxiliary::Term;
using host::Vector6d;
using maximal::Between;
using test::DenseRow;
using test::DenseRows;

namespace {

constexpr int kBodies = 24, kRows = 24, kWorking = 8;
using Table = TableModel<double, kBodies>;
using Tested = ConstrainedSolver<Table, double, kRows, kWorking, 96>;

Vec3<double> vec(const Eigen::Vector3d& a) { return {a.x(), a.y(), a.z()}; }
Placement<double> placement(const DenseRows::Frame& F) {
  const Eigen::Matrix3d& R = F.R_BF;
  return {{vec(R.col(0)), vec(R.col(1)), vec(R.col(2))}, vec(F.p_BF)};
}

// A robot and its state, for the core and for the oracle.
struct Bench {
  std::vector<Body> bodies;
  test::Random random;
  host::DenseInput state;
  std::unique_ptr<Table> model = std::make_unique<Table>();
  std::unique_ptr<Tested> solver;
  Tested::Output out;
  Tested::Forces forces;

  explicit Bench(const test::TreeOptions& options)
      : bodies(test::random_tree(options)), random(options.seed + 1) {
    state = test::random_state(bodies, random);
    CHECK_TRUE(Status::kOk == model->assign(bodies));
    solver = std::make_unique<Tested>(*model);
    out = solver->make_output();
  }

  Tested::Input input() const {
    Tested::Input in = solver->make_input();
    in.q = state.q, in.v = state.v, in.tau = state.tau, in.gravity = state.gravity;
    return in;
  }
  void begin() {
    const Tested::Wrenches external = state.external;
    CHECK_TRUE(Status::kOk == solver->begin(input(), external));
  }
  void finish() {
    Tested::System system;
    CHECK_TRUE(Status::kOk == solver->anticipate(system));
    auxiliary::solve_equalities(system, 1e-10, forces);
    LONGS_EQUAL(0, forces.redundant);
    CHECK_TRUE(Status::kOk == solver->finish(forces.mu, out));
  }

  int any_body(bool or_world) {
    return random.below(static_cast<int>(bodies.size()) + or_world) - or_world;
  }
  DenseRows::Frame any_frame() {
    return {any_body(true), random.rotation().toRotationMatrix(), random.vector(0.5)};
  }
  // How many degrees of freedom lie between two bodies.
  int freedom(int a, int b) const {
    int count = 0;
    while (a != b) {
      int& deeper = a > b ? a : b;
      const Body& body = bodies[static_cast<std::size_t>(deeper)];
      count += dof_count(body.joint);
      deeper = body.parent;
    }
    return count;
  }
  std::pair<DenseRows::Frame, DenseRows::Frame> frames_apart() {
    for (;;) {
      const DenseRows::Frame A = any_frame(), B = any_frame();
      if (freedom(A.body, B.body) >= 7) return {A, B};
    }
  }
  Vector6d any_wrench() {
    Vector6d value;
    value << random.vector(1), random.vector(1);
    return value;
  }

  // Wrenches on up to three bodies and up to two joints; a working row pushes elsewhere.
  void add_any_row(DenseRows& dense, bool works) {
    std::vector<Term<double>> terms;
    const double bias = random.uniform(-1, 1);
    DenseRow& row = dense.add(bias);
    for (int i = random.below(3); i >= 0; --i) {
      const int body = any_body(false);
      const Vector6d value = any_wrench();
      const Side side = !works ? Side::kBoth : i % 2 == 0 ? Side::kMotion : Side::kBoth;
      terms.push_back(
          auxiliary::wrench_term<double>(body, {vec(value.head<3>()), vec(value.tail<3>())}, side));
      dense.add_wrench(row, body, value, true, side == Side::kBoth);
    }
    for (int i = random.below(3); i > 0; --i) {
      const int body = any_body(false);
      const JointType joint = bodies[static_cast<std::size_t>(body)].joint;
      if (dof_count(joint) != 1) continue;
      const double coefficient = random.uniform(-2, 2);
      terms.push_back(auxiliary::joint_term(joint, body, 0, coefficient));
      dense.add_joint(row, body, coefficient);
    }
    if (works) {
      const int body = terms.front().body;  // near what it measures: the system stays regular
      Vector6d value;
      const Spatial<double>& v = terms.front().value;
      value << v.linear.x, v.linear.y, v.linear.z, v.angular.x, v.angular.y, v.angular.z;
      value += 0.3 * any_wrench();
      terms.push_back(auxiliary::wrench_term<double>(
          body, {vec(value.head<3>()), vec(value.tail<3>())}, Side::kForce));
      dense.add_wrench(row, body, value, false, true);
    }
    CHECK_TRUE(Status::kOk == solver->add(terms, bias));
  }

  void add_ball(DenseRows& dense) {
    const auto [A, B] = frames_apart();
    for (int axis = 0; axis < 3; ++axis) dense.add_along(A, B, axis);
    const Between<maximal::Ball<double>> loop = {placement(A), placement(B), {}};
    CHECK_TRUE(Status::kOk == solver->add(loop, A.body, B.body));
  }
  void add_fixed(DenseRows& dense) {
    const auto [A, B] = frames_apart();
    for (int axis = 0; axis < 3; ++axis) dense.add_along(A, B, axis);
    for (int axis = 0; axis < 3; ++axis) dense.add_perpendicular(A, B, axis, (axis + 1) % 3);
    const Between<maximal::Fixed<double>> loop = {placement(A), placement(B), {}};
    CHECK_TRUE(Status::kOk == solver->add(loop, A.body, B.body));
  }

  void compare(const DenseRows& dense, const char* where) {
    const DenseRows::Answer reference = dense.solve();
    const int count = solver->row_count();
    const Eigen::VectorXd mu = Eigen::Map<const Eigen::VectorXd>(forces.mu.data(), count);
    CHECK_AT_MOST(1e-9, test::relative_error(out.vdot, reference.out.vdot), where);
    CHECK_AT_MOST(1e-9, test::relative_error(out.reaction, reference.out.reaction), where);
    CHECK_AT_MOST(1e-9, test::relative_error(mu, reference.mu), where);
    CHECK_AT_MOST(1e-9, forces.residual / std::max(1.0, mu.cwiseAbs().maxCoeff()), where);
  }
};

}  // namespace

TEST_GROUP(ConstrainedSolver){};

TEST(ConstrainedSolver, WithoutRowsGivesTheBitsOfTheTree) {
  Bench bench({.shape = test::Shape::kForest, .bodies = 12, .seed = 3});
  Solver<Table, double> tree(*bench.model);
  auto expected = tree.make_output();
  const Tested::Wrenches external = bench.state.external;
  Solver<Table, double>::Input in = tree.make_input();
  in.q = bench.state.q, in.v = bench.state.v, in.tau = bench.state.tau;
  in.gravity = bench.state.gravity;
  CHECK_TRUE(Status::kOk == tree.forward_dynamics(in, external, expected));
  bench.begin();
  bench.finish();
  CHECK_TRUE(bench.out.vdot == expected.vdot);
  CHECK_TRUE(bench.out.reaction == expected.reaction);
  CHECK_TRUE(bench.out.lambda == expected.lambda);
}

TEST(ConstrainedSolver, AnyRowsMatchTheDenseSystem) {
  for (const test::Shape shape :
       {test::Shape::kRandom, test::Shape::kChain, test::Shape::kForest}) {
    for (int rows = 1; rows <= kRows; rows += rows < 6 ? 1 : 6) {
      Bench bench({.shape = shape, .bodies = kBodies, .seed = static_cast<std::uint64_t>(rows)});
      DenseRows dense(bench.bodies, bench.state);
      bench.begin();
      for (int i = 0; i < rows; ++i) bench.add_any_row(dense, false);
      bench.finish();
      bench.compare(dense, "rows");
    }
  }
}

TEST(ConstrainedSolver, RowsThatPushElsewhereMatchTheDenseSystem) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Bench bench({.bodies = 16, .seed = seed});
    DenseRows dense(bench.bodies, bench.state);
    bench.begin();
    for (int i = 0; i < 5; ++i) bench.add_any_row(dense, i % 2 == 0);
    bench.finish();
    bench.compare(dense, "working rows");
  }
}

TEST(ConstrainedSolver, LoopsMatchTheDenseSystem) {
  for (const test::Shape shape :
       {test::Shape::kRandom, test::Shape::kChain, test::Shape::kForest}) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      Bench bench({.shape = shape, .bodies = kBodies, .seed = seed});
      DenseRows dense(bench.bodies, bench.state);
      bench.begin();
      bench.add_ball(dense);
      if (seed % 2 == 0) bench.add_fixed(dense);
      if (seed % 3 == 0) bench.add_ball(dense);
      bench.finish();
      bench.compare(dense, "loops");
    }
  }
}
