#include "lockstep/auxiliary/constrained_solver.hpp"

#include <CppUTest/TestHarness.h>

#include <array>
#include <limits>
#include <memory>
#include <vector>

#include "core/auxiliary/dense_rows.hpp"
#include "lockstep/constraint/joints.hpp"
#include "lockstep/solver.hpp"
#include "lockstep/table_model.hpp"
#include "support/allocation_guard.hpp"
#include "support/random_tree.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;
using auxiliary::Side;
using auxiliary::Term;
using constraint::Between;
using host::Vector6d;
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
    rows::EqualitySolver<double, kRows, rows::GeneralFactor> equalities;
    CHECK_TRUE(Status::kOk == equalities.solve(system, forces));
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

  // Wrenches on up to four bodies and up to two joints; a working row pushes elsewhere.
  void add_any_row(DenseRows& dense, bool works) {
    std::vector<Term<double>> terms;
    const double bias = random.uniform(-1, 1);
    DenseRow& row = dense.add(bias);
    for (int i = random.below(4); i >= 0; --i) {
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
    const Between<constraint::Ball<double>> loop = {placement(A), placement(B), {}};
    CHECK_TRUE(Status::kOk == solver->add(loop, A.body, B.body));
  }
  void add_fixed(DenseRows& dense) {
    const auto [A, B] = frames_apart();
    for (int axis = 0; axis < 3; ++axis) dense.add_along(A, B, axis);
    for (int axis = 0; axis < 3; ++axis) dense.add_perpendicular(A, B, axis, (axis + 1) % 3);
    const Between<constraint::Fixed<double>> loop = {placement(A), placement(B), {}};
    CHECK_TRUE(Status::kOk == solver->add(loop, A.body, B.body));
  }

  void compare(const DenseRows& dense, const char* where) {
    const DenseRows::Answer reference = dense.solve();
    const int count = solver->row_count();
    const Eigen::VectorXd mu = Eigen::Map<const Eigen::VectorXd>(forces.mu.data(), count);
    CHECK_AT_MOST(1e-9, test::relative_error(out.vdot, reference.out.vdot), where);
    CHECK_AT_MOST(1e-9, test::relative_error(out.reaction, reference.out.reaction), where);
    CHECK_AT_MOST(1e-9, test::relative_error(mu, reference.mu), where);
    CHECK_AT_MOST(1e-9, forces.violation / std::max(1.0, mu.cwiseAbs().maxCoeff()), where);
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

TEST(ConstrainedSolver, CouplingsMatchTheDenseSystem) {
  Bench bench({.bodies = 12, .seed = 5, .only_turning = true});
  DenseRows dense(bench.bodies, bench.state);
  bench.begin();
  const std::array<JointWeight<double>, 3> three = {{{2, 1}, {5, -6}, {7, 0.5}}};
  const std::array<JointWeight<double>, 2> two = {{{3, 1}, {4, 2}}};
  for (const std::span<const JointWeight<double>> coupling :
       {std::span<const JointWeight<double>>(three), std::span<const JointWeight<double>>(two)}) {
    CHECK_TRUE(Status::kOk == bench.solver->add(coupling));
    DenseRow& row = dense.add(0);
    for (const JointWeight<double>& weight : coupling) {
      dense.add_joint(row, weight.body, weight.coefficient);
    }
  }
  bench.finish();
  bench.compare(dense, "couplings");
  DOUBLES_EQUAL(0, bench.out.vdot[2] - 6 * bench.out.vdot[5] + 0.5 * bench.out.vdot[7], 1e-9);
}

// Links of a metre along x that turn about z: the tip can move along y and turn, nothing else.
TEST(ConstrainedSolver, AStraightChainHeldAtBothEndsHasRedundantRows) {
  std::vector<Body> bodies(4);
  for (int i = 0; i < 4; ++i) {
    Body& body = bodies[static_cast<std::size_t>(i)];
    body.parent = i - 1;
    body.p_PJ = {i > 0 ? 1.0 : 0.0, 0, 0};
    test::make_box(body, 1, {1, 0.1, 0.1}, {0.5, 0, 0});
  }
  Table model;
  CHECK_TRUE(Status::kOk == model.assign(bodies));
  const auto solver = std::make_unique<Tested>(model);
  auto in = solver->make_input();
  in.gravity << 0, -9.81, 0;
  in.tau << 1, -2, 3, 4;
  auto out = solver->make_output();
  Tested::Forces forces;
  const Mat3<double> unturned = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const Between<constraint::Fixed<double>> weld = {
      {unturned, {1, 0, 0}}, {unturned, {4, 0, 0}}, {}};
  const auto add = [&](Tested& rows) { return rows.add(weld, 3, kWorld); };
  CHECK_TRUE(Status::kOk == solver->forward_dynamics(in, add, out, forces));
  LONGS_EQUAL(4, forces.redundant);
  CHECK_AT_MOST(1e-10, forces.violation, "violation");

  host::DenseInput state = host::rest(bodies);
  state.gravity = in.gravity, state.tau = in.tau;
  DenseRows dense(bodies, state);
  const DenseRows::Frame tip = {.body = 3, .p_BF = {1, 0, 0}}, wall = {.p_BF = {4, 0, 0}};
  dense.add_along(tip, wall, 1);
  dense.add_perpendicular(tip, wall, 0, 1);
  const DenseRows::Answer reference = dense.solve();
  CHECK_AT_MOST(1e-9, test::relative_error(out.vdot, reference.out.vdot), "vdot");
  CHECK_AT_MOST(1e-9, test::relative_error(out.reaction, reference.out.reaction), "reaction");
}

// the equations are linear in the forces
TEST(ConstrainedSolver, ImpulsesChangeVelocitiesAsForcesDoAccelerations) {
  Bench bench({.shape = test::Shape::kForest, .bodies = 12, .seed = 5});
  Tested& solver = *bench.solver;
  const Between<constraint::Fixed<double>> weld = {placement({}), placement({}), {}};
  Tested::System system;
  const auto prepare = [&] {
    bench.begin();
    CHECK_TRUE(Status::kOk == solver.add(weld, 11, 4));
    CHECK_TRUE(Status::kOk == solver.add(weld, 7, kWorld));
    CHECK_TRUE(Status::kOk == solver.anticipate(system));
  };
  Tested::Multipliers mu{};
  prepare();
  CHECK_TRUE(Status::kOk == solver.finish(mu, bench.out));
  const Tested::Dofs free = bench.out.vdot;
  for (int i = 0; i < 12; ++i) mu[at(i)] = 1.0 - 0.3 * i;
  prepare();
  CHECK_TRUE(Status::kOk == solver.finish(mu, bench.out));
  Tested::Dofs dv = free;
  for (int again = 0; again < 2; ++again) {
    CHECK_TRUE(Status::kOk == solver.change(mu, dv));
    CHECK_AT_MOST(1e-11, test::relative_error(dv, bench.out.vdot - free), "dv");
  }
  CHECK_TRUE(Status::kOutOfOrder == solver.finish(mu, bench.out));
  bench.begin();
  CHECK_TRUE(Status::kOutOfOrder == solver.change(mu, dv));
}

TEST(ConstrainedSolver, BadRowsAreRefusedAndLeaveNothingBehind) {
  Bench bench({.bodies = 6, .seed = 2});
  Tested& solver = *bench.solver;
  Tested::System system;
  CHECK_TRUE(Status::kOutOfOrder == solver.anticipate(system));
  CHECK_TRUE(Status::kOutOfOrder == solver.finish({}, bench.out));
  bench.begin();
  const Spatial<double> up = {{0, 0, 1}, {}};
  const auto row = [&](int body, double bias) {
    const std::array<Term<double>, 1> terms = {auxiliary::wrench_term(body, up)};
    return solver.add(terms, bias);
  };
  CHECK_TRUE(Status::kBadFrame == row(6, 0));
  CHECK_TRUE(Status::kBadFrame == row(-2, 0));
  CHECK_TRUE(Status::kNotFinite == row(0, std::numeric_limits<double>::infinity()));
  CHECK_TRUE(Status::kBadConstraint == solver.add(Between<constraint::Ball<double>>{}, 0, 1));
  LONGS_EQUAL(0, solver.row_count());
  for (int i = 0; i < kRows - 2; ++i) CHECK_TRUE(Status::kOk == row(0, 0));
  const auto frame = placement({});
  const Between<constraint::Ball<double>> ball = {frame, frame, {}};
  CHECK_TRUE(Status::kTooManyRows == solver.add(ball, 0, 1));
  LONGS_EQUAL(kRows - 2, solver.row_count());

  auto in = bench.input();
  in.tau[0] = std::numeric_limits<double>::quiet_NaN();
  const auto before = bench.out.vdot.eval();
  const auto add = [&](Tested& rows) { return rows.add(ball, 0, 1); };
  CHECK_TRUE(Status::kNotFinite == solver.forward_dynamics(in, add, bench.out, bench.forces));
  CHECK_TRUE(before == bench.out.vdot);
}

// Of a hinge that carries a ball joint: whatever does not fit is told, and nothing is half done.
TEST(ConstrainedSolver, WhatDoesNotFitIsRefusedAtEveryStep) {
  Bench bench({.bodies = 2, .seed = 1});
  bench.bodies = {{.mass = 1, .inertia = {1, 0, 0, 1, 0, 1}},
                  {.parent = 0,
                   .joint = JointType::kBall,
                   .p_PJ = {1, 0, 0},
                   .mass = 1,
                   .inertia = {1, 0, 0, 1, 0, 1}}};
  CHECK_TRUE(Status::kOk == bench.model->assign(bench.bodies));
  bench.solver = std::make_unique<Tested>(*bench.model);
  Tested& solver = *bench.solver;
  const Tested::Input good = solver.make_input();
  bench.out = solver.make_output();

  const auto begins = [&](auto&& spoil) {
    Tested::Input in = good;
    Tested::Wrenches external = solver.make_wrenches();
    spoil(in, external);
    return solver.begin(in, external);
  };
  using Joints = std::array<JointWeight<double>, 1>;
  const auto couple = [&](int body) { return solver.add(Joints{{{body, 2.0}}}); };
  CHECK_TRUE(Status::kWrongSize == begins([](auto& in, auto&) { in.q.resize(2); }));
  CHECK_TRUE(Status::kWrongSize == begins([](auto& in, auto&) { in.v.resize(2); }));
  CHECK_TRUE(Status::kWrongSize == begins([](auto& in, auto&) { in.tau.resize(2); }));
  CHECK_TRUE(Status::kWrongSize == begins([](auto&, auto& wrenches) { wrenches.resize(6, 1); }));
  CHECK_TRUE(Status::kOutOfOrder == couple(0));

  const auto again = [&] { CHECK_TRUE(Status::kOk == begins([](auto&, auto&) {})); };
  again();
  const auto frame = placement({});
  const Between<constraint::Ball<double>> ball = {frame, frame, {}};
  CHECK_TRUE(Status::kBadFrame == solver.add(ball, 2, 1));
  CHECK_TRUE(Status::kBadFrame == solver.add(ball, 0, -2));
  CHECK_TRUE(Status::kBadFrame == couple(2));
  CHECK_TRUE(Status::kBadFrame == couple(kWorld));
  CHECK_TRUE(Status::kBadJoint == couple(1));
  const std::array<JointWeight<double>, 2> two = {{{1, 1.0}, {0, 1.0}}};
  CHECK_TRUE(Status::kBadJoint == solver.add(two));
  const auto row = [&](const Term<double>& term) { return solver.add({&term, 1}, 0); };
  Term<double> term = auxiliary::joint_term(JointType::kRevolute, 0, 0, 1.0);
  term.body = kWorld;
  CHECK_TRUE(Status::kBadFrame == row(term));
  for (const bool linear : {true, false}) {
    term = auxiliary::wrench_term<double>(0, {});
    (linear ? term.value.linear : term.value.angular).y = std::numeric_limits<double>::infinity();
    CHECK_TRUE(Status::kNotFinite == row(term));
  }
  LONGS_EQUAL(0, solver.row_count());

  // rows that push elsewhere, and terms, as many as there is room for
  const Term<double> moves = auxiliary::wrench_term<double>(0, {{0, 0, 1}, {}}, Side::kMotion);
  for (int i = 0; i < kWorking; ++i) CHECK_TRUE(Status::kOk == row(moves));
  CHECK_TRUE(Status::kTooManyRows == row(moves));
  LONGS_EQUAL(kWorking, solver.row_count());
  again();
  const std::vector<Term<double>> many(97, auxiliary::wrench_term<double>(0, {{0, 0, 1}, {}}));
  CHECK_TRUE(Status::kTooManyRows == solver.add(many, 0));
  LONGS_EQUAL(0, solver.row_count());

  // answers
  const auto solves = [&](double force, auto&& spoil) {
    again();
    CHECK_TRUE(Status::kOk == couple(0));
    Tested::System system;
    CHECK_TRUE(Status::kOk == solver.anticipate(system));
    Tested::Multipliers mu{};
    mu[0] = force;
    Tested::Output out = solver.make_output();
    spoil(out);
    out.vdot.setConstant(7);
    const Status status = solver.finish(mu, out);
    CHECK_TRUE((out.vdot.array() == 7).all());
    return status;
  };
  const auto keep = [](auto&) {};
  CHECK_TRUE(Status::kWrongSize == solves(1, [](auto& out) { out.vdot.resize(3); }));
  CHECK_TRUE(Status::kWrongSize == solves(1, [](auto& out) { out.reaction.resize(6, 1); }));
  CHECK_TRUE(Status::kWrongSize == solves(1, [](auto& out) { out.lambda.resize(1); }));
  CHECK_TRUE(Status::kNotFinite == solves(std::numeric_limits<double>::quiet_NaN(), keep));
  CHECK_TRUE(Status::kOverflow == solves(1.7e308, keep));
  const auto changes = [&](double impulse, int size) {
    static_cast<void>(solves(std::numeric_limits<double>::quiet_NaN(), keep));
    Tested::Dofs dv = Eigen::VectorXd::Constant(size, 7);
    Tested::Multipliers mu{};
    mu[0] = impulse;
    return solver.change(mu, dv);
  };
  CHECK_TRUE(Status::kWrongSize == changes(1, 3));
  CHECK_TRUE(Status::kNotFinite == changes(std::numeric_limits<double>::infinity(), 4));
  CHECK_TRUE(Status::kOverflow == changes(1.7e308, 4));

  // a row so strong that what it does to itself overflows, and one whose force does
  const auto dynamics = [&](double size, double bias) {
    const Term<double> strong = auxiliary::wrench_term<double>(0, {{}, {0, 0, size}});
    return solver.forward_dynamics(
        good,
        [&](Tested& rows) {
          return rows.add({&strong, 1}, bias);
        },
        bench.out, bench.forces);
  };
  CHECK_TRUE(Status::kOverflow == dynamics(1e200, 1));
  CHECK_TRUE(Status::kOverflow == dynamics(1e-150, 1e300));
  CHECK_TRUE(Status::kOk == dynamics(1, 1));
}

TEST(ConstrainedSolver, DoesNotAllocate) {
  Bench bench({.bodies = 12, .seed = 4});
  const auto in = bench.input();
  const auto frame = placement({});
  const Between<constraint::Ball<double>> ball = {frame, frame, {}};
  const auto add = [&](Tested& rows) { return rows.add(ball, 11, kWorld); };
  Status status = Status::kSingular;
  LONGS_EQUAL(0, test::allocations_in([&] {
                status = bench.solver->forward_dynamics(in, add, bench.out, bench.forces);
              }));
  CHECK_TRUE(Status::kOk == status);
}
