#include "lockstep/maximal/lagrange.hpp"

#include <CppUTest/TestHarness.h>

#include <limits>

#include "core/maximal/test_mechanism.hpp"
#include "examples/own_mechanism.hpp"
#include "support/allocation_guard.hpp"
#include "support/dense_algebra.hpp"

using namespace lockstep;
using namespace lockstep::test;
using maximal::ConstraintType;

namespace {

// A constraint of any type that a body of `dimension` velocities can bear.
void connect_at_random(TestMechanism& m, int a, int b, bool in_space, Random& random) {
  const auto X_A = placement(random_placement(random)), X_B = placement(random_placement(random));
  const auto put = [&](ConstraintType type, const auto& constraint) {
    m.connect(type, a, X_A, b, X_B, constraint);
  };
  const maximal::Swing<double> swing = {{0.3, 0.2, -0.4}, {0, 0.5, 3, 0.1}};
  switch (random.below(in_space ? 14 : 4)) {
    case 0: return put(ConstraintType::kDistance, maximal::Distance<double>{0.7});
    case 1: return put(ConstraintType::kPointOnPlane, maximal::PointOnPlane<double>{});
    case 2:
      return put(ConstraintType::kPointOnSurface,
                 maximal::PointOnSurface<double>::ellipsoid({0.4, 0.6, 0.5}));
    case 3:
      return put(ConstraintType::kDrivenDistance,
                 maximal::FollowDistance<double, maximal::Swing<double>>{0.7, swing});
    case 4: return put(ConstraintType::kBall, maximal::Ball<double>{});
    case 5: return put(ConstraintType::kRevolute, maximal::Revolute<double>{});
    case 6: return put(ConstraintType::kPrismatic, maximal::Prismatic<double>{});
    case 7: return put(ConstraintType::kUniversal, maximal::Universal<double>{});
    case 8: return put(ConstraintType::kFixed, maximal::Fixed<double>{});
    case 9: return put(ConstraintType::kGear, maximal::Gear<double>{2.5, 0.3});
    case 10: return put(ConstraintType::kRollingBall, maximal::RollingBall<double>{{0.3}});
    case 11: return put(ConstraintType::kRollingDisc, maximal::RollingDisc<double>{{0.3}});
    case 12:
      return put(ConstraintType::kEllipsoidTangency,
                 maximal::EllipsoidTangency<double>{{0.2, 0.3, 0.1}, {0.3, 0.1, 0.2}});
    default:
      return put(ConstraintType::kDrivenRevolute,
                 maximal::Both<maximal::Revolute<double>,
                               maximal::FollowAngle<double, maximal::Swing<double>>>{{}, {swing}});
  }
}

template <class B>
void add_at_random(TestMechanism& m, const B& body, Random& random) {
  m.add(body, random_pose<B>(random), random_velocity<B>(random));
}

bool has_six_rows(const maximal::ConstraintRecord& record) {
  const auto type = static_cast<ConstraintType>(record.type);
  return type == ConstraintType::kFixed || type == ConstraintType::kDrivenRevolute;
}

// Bodies of all types in a random forest; each hangs on an earlier one in space, on the world, or
// on nothing, and some are tied to the world besides.
TestMechanism random_mechanism(int bodies, std::uint64_t seed) {
  Random random(seed);
  TestMechanism m;
  std::vector<int> in_space;
  const Sym3<double> inertia = {0.9, 0.1, -0.05, 0.8, 0.07, 0.7};
  for (int i = 0; i < bodies; ++i) {
    const double mass = random.uniform(0.5, 2);
    const int type = random.below(6);
    if (type == 0) add_at_random(m, Particle{mass}, random);
    if (type == 1) add_at_random(m, PlanarBody{mass, 0.4}, random);
    if (type == 2) add_at_random(m, ScalingBody{mass, inertia}, random);
    if (type == 3) add_at_random(m, StretchingBody{mass, inertia}, random);
    if (type >= 4) add_at_random(m, RigidBody{mass, inertia}, random);
    const bool spatial = type >= 2;
    int parent = kWorld;
    if (!in_space.empty() && random.below(5) != 0) {
      parent = in_space[maximal::at(random.below(static_cast<int>(in_space.size())))];
    }
    if (random.below(6) != 0) connect_at_random(m, parent, i, spatial, random);
    const bool welded = m.constraints.empty() || has_six_rows(m.constraints.back());
    if (spatial && parent != kWorld && !welded && random.below(6) == 0) {
      m.connect(ConstraintType::kDistance, i, placement(random_placement(random)), kWorld,
                placement(random_placement(random)), maximal::Distance<double>{1.3});
    }
    if (spatial) in_space.push_back(i);
  }
  return m;
}

// Equation (8) as a whole, from the bodies and constraints themselves.
struct WholeSystem : DenseRows {
  WholeSystem(const TestRun<>& run, const TestMechanism& m)
      : DenseRows(run.dense_rows(m)), H(M.rows() + J.rows(), M.rows() + J.rows()) {
    H << M, -J.transpose(), -J, Eigen::MatrixXd::Zero(J.rows(), J.rows());
  }

  // x for the right side (force; rows)
  Eigen::VectorXd solve(const Eigen::VectorXd& force, const Eigen::VectorXd& rows) const {
    Eigen::VectorXd r(H.rows());
    r << force, rows;
    return solve_full_rank(H, r);
  }

  Eigen::MatrixXd H;
};

template <class Solution>
Eigen::VectorXd joined(const Solution& solution) {
  Eigen::VectorXd x(solution.v.size() + solution.lambda.size());
  x << solution.v.template cast<double>(), solution.lambda.template cast<double>();
  return x;
}

// Measured in roundings that H's condition allows.
double roundings(const WholeSystem& dense, const Eigen::VectorXd& x,
                 const Eigen::VectorXd& expected) {
  if (expected.norm() == 0) return x.norm() == 0 ? 0 : std::numeric_limits<double>::infinity();
  const double error = (x - expected).norm() / expected.norm();
  return error * reciprocal_condition(dense.H) / std::numeric_limits<double>::epsilon();
}

Eigen::VectorXd random_values(Eigen::Index size, Random& random) {
  return Eigen::VectorXd::NullaryExpr(size, [&] { return random.uniform(-3, 3); });
}

}  // namespace

TEST_GROUP(MaximalLagrange){};

TEST(MaximalLagrange, AllTypesMatchADenseSolveOfH) {
  for (const int bodies : {1, 2, 3, 7, 24}) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
      const TestMechanism m = random_mechanism(bodies, 100 * seed + maximal::at(bodies));
      TestRun run(m);
      Random random(seed);
      run.state.time = 0.37;
      run.loads.gravity.setZero();
      run.loads.force = random_values(run.state.v.size(), random);
      const WholeSystem dense(run, m);
      auto out = run.solver().make_solution();
      CHECK_TRUE(Status::kOk == run.solver().factor(run.state));

      run.solver().pull_back({7, 3});
      CHECK_TRUE(Status::kOk == run.solver().accelerations(run.state, run.loads, out));
      const Eigen::VectorXd pulled = dense.c + 3 * dense.velocity_error + 7 * dense.value;
      const Eigen::VectorXd force = run.loads.force + dense.inertial;
      CHECK_AT_MOST(4, roundings(dense, joined(out), dense.solve(force, pulled)), "accelerations");

      CHECK_TRUE(Status::kOk == run.solver().velocities(run.state, run.loads, out));
      CHECK_AT_MOST(4,
                    roundings(dense, joined(out),
                              dense.solve(run.loads.force, dense.phi_t + 3 * dense.velocity_error +
                                                               7 * dense.value)),
                    "velocities");

      CHECK_TRUE(Status::kOk == run.solver().velocity_changes(run.loads.force, out));
      CHECK_AT_MOST(
          4, roundings(dense, joined(out), dense.solve(run.loads.force, dense.velocity_error)),
          "velocity changes");

      CHECK_TRUE(Status::kOk == run.solver().displacements(out));
      CHECK_AT_MOST(4,
                    roundings(dense, joined(out),
                              dense.solve(Eigen::VectorXd::Zero(dense.M.rows()), dense.value)),
                    "displacements");
    }
  }
}

// H alone, formed anew, takes no part in the errors that were evaluated: neither changes a bit.
TEST(MaximalLagrange, HAloneKeepsTheErrors) {
  TestMechanism m;
  m.add(RigidBody{4, {1, 0, 0, 2, 0, 3}}, {{1, 0, 0}, {0, 0, 0, 1}}, {0.1, 0.2, 0.3, 1, 2, 3});
  m.connect(ConstraintType::kUniversal, kWorld, kAtOrigin, 0, at_point(-1, 0, 0.1),
            maximal::Universal<double>{});
  TestRun run(m);
  auto moved = run.state;
  moved.x[1] = 0.3, moved.v[2] = -1;
  auto whole = run.solver().make_solution(), alone = whole;
  CHECK_TRUE(Status::kOk == run.solver().factor(run.state));
  CHECK_TRUE(Status::kOk == run.solver().evaluate(moved));
  CHECK_TRUE(Status::kOk == run.solver().displacements(whole));
  CHECK(whole.v.norm() > 0.1);
  CHECK_TRUE(Status::kOk == run.solver().factor(run.state, maximal::Form::kAlone));
  CHECK_TRUE(Status::kOk == run.solver().displacements(alone));
  CHECK(whole.v == alone.v);
  CHECK(whole.lambda == alone.lambda);
}

TEST(MaximalLagrange, ForceOfGravityIsTheWeight) {
  TestMechanism m;
  m.add(Particle{2}, {{1, 2, 3}});
  m.add(PlanarBody{3, 1}, {1, 2, 0.5});
  m.add(RigidBody{4, {1, 0, 0, 1, 0, 1}}, {{1, 2, 3}, {0, 0.6, 0, 0.8}});
  m.add(ScalingBody{5, {1, 0, 0, 1, 0, 1}}, {{1, 2, 3}, {0, 0.6, 0, 0.8}, 1.5});
  m.add(StretchingBody{6, {1, 0, 0, 1, 0, 1}}, {{1, 2, 3}, {0, 0.6, 0, 0.8}, {1, 2, 3}});
  TestRun run(m);
  run.loads.gravity << 1, -2, -9;
  auto out = run.solver().make_solution();
  CHECK_TRUE(Status::kOk == run.solver().factor(run.state));
  CHECK_TRUE(Status::kOk == run.solver().accelerations(run.state, run.loads, out));
  Eigen::VectorXd expected = Eigen::VectorXd::Zero(28);
  for (const int first : {0, 6, 12, 19}) expected.segment(first, 3) << 1, -2, -9;
  expected.segment(3, 2) << 1, -2;
  CHECK_AT_MOST(1e-15, relative_error(out.v, expected), "free fall");
}

TEST(MaximalLagrange, BadInputIsRefused) {
  TestMechanism m;
  m.add(RigidBody{4, {1, 0, 0, 1, 0, 1}}, {});
  m.connect(ConstraintType::kBall, kWorld, kAtOrigin, 0, at_point(0, 0, 1),
            maximal::Ball<double>{});
  TestRun run(m);
  const auto good = run.state;
  auto& solver = run.solver();
  run.state.x[0] = std::numeric_limits<double>::quiet_NaN();
  CHECK_TRUE(Status::kNotFinite == solver.factor(run.state));
  run.state = good;
  run.state.x[6] = 2;
  CHECK_TRUE(Status::kNotUnitQuaternion == solver.factor(run.state));
  run.state = good;
  run.state.v[3] = std::numeric_limits<double>::infinity();
  CHECK_TRUE(Status::kNotFinite == solver.factor(run.state));
  run.state = good;
  run.state.time = std::numeric_limits<double>::quiet_NaN();
  CHECK_TRUE(Status::kNotFinite == solver.factor(run.state));
  run.state = good;
  run.state.v.setZero(5);
  CHECK_TRUE(Status::kWrongSize == solver.factor(run.state));
  run.state = good;
  CHECK_TRUE(Status::kOk == solver.factor(run.state));
  auto out = solver.make_solution();
  run.loads.gravity[1] = std::numeric_limits<double>::infinity();
  CHECK_TRUE(Status::kNotFinite == solver.accelerations(run.state, run.loads, out));
  CHECK_TRUE(Status::kNotFinite == solver.velocities(run.state, run.loads, out));
  run.loads.force.setZero(3);
  CHECK_TRUE(Status::kWrongSize == solver.accelerations(run.state, run.loads, out));
  CHECK_TRUE(Status::kWrongSize == solver.velocity_changes(run.loads.force, out));
  LONGS_EQUAL(0, out.v.cwiseAbs().maxCoeff());
}

// A body that its rows hold twice: the second time they settle nothing.
TEST(MaximalLagrange, RedundantRowsGetNoMultiplier) {
  TestMechanism m;
  m.add(RigidBody{4, {1, 0, 0, 1, 0, 1}}, {});
  for (int i = 0; i < 2; ++i) {
    m.connect(ConstraintType::kBall, kWorld, kAtOrigin, 0, kAtOrigin, maximal::Ball<double>{});
  }
  TestRun run(m);
  auto out = run.solver().make_solution();
  CHECK_TRUE(Status::kOk == run.solver().factor(run.state));
  LONGS_EQUAL(3, run.solver().redundant_rows());
  CHECK_TRUE(Status::kOk == run.solver().accelerations(run.state, run.loads, out));
  CHECK_AT_MOST(1e-15, out.v.norm(), "at rest");
  DOUBLES_EQUAL(4 * 9.81, out.lambda[2], 1e-13);
  DOUBLES_EQUAL(0, out.lambda[5], 0);
}

// A straight chain of ball joints that is held at both ends (footnote 5): along it, nothing tells
// how the two ends share a pull.
TEST(MaximalLagrange, AStraightChainHeldAtBothEnds) {
  TestMechanism m;
  for (int i = 0; i < 4; ++i) {
    m.add(RigidBody{1, {0.1, 0, 0, 0.1, 0, 0.1}}, {{i + 0.5, 0, 0}, {0, 0, 0, 1}});
    m.connect(ConstraintType::kBall, i - 1, at_point(i == 0 ? 0 : 0.5, 0, 0), i,
              at_point(-0.5, 0, 0), maximal::Ball<double>{});
  }
  m.connect(ConstraintType::kBall, 3, at_point(0.5, 0, 0), kWorld, at_point(4, 0, 0),
            maximal::Ball<double>{});
  TestRun run(m);
  auto out = run.solver().make_solution();
  CHECK_TRUE(Status::kOk == run.solver().factor(run.state));
  LONGS_EQUAL(1, run.solver().redundant_rows());
  CHECK_TRUE(Status::kOk == run.solver().accelerations(run.state, run.loads, out));
  const WholeSystem dense(run, m);
  Eigen::VectorXd right(dense.H.rows());
  right << run.loads.force + dense.inertial, dense.c;
  for (int i = 0; i < 4; ++i) right[6 * i + 2] = -9.81;
  const Eigen::VectorXd expected = solve_least_squares(dense.H, right);
  CHECK_AT_MOST(1e-10, relative_error(out.v, expected.head(24)), "accelerations");
}

// A chain of bodies, and rods across it, against the whole of H at once.
TEST(MaximalLagrange, ClosedLoopsMatchADenseSolve) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Random random(seed);
    TestMechanism m;
    const int bodies = 4 + random.below(5), chords = 1 + random.below(6);
    for (int i = 0; i < bodies; ++i) {
      add_at_random(m, RigidBody{random.uniform(0.5, 2), {0.9, 0.1, 0, 0.8, 0, 0.7}}, random);
      const auto X = [&] { return placement(random_placement(random)); };
      if (i > 0) m.connect(ConstraintType::kBall, i - 1, X(), i, X(), maximal::Ball<double>{});
    }
    for (int i = 0; i < chords; ++i) {
      const int a = random.below(bodies), b = (a + 2) % bodies;
      m.connect(ConstraintType::kDistance, a, placement(random_placement(random)), b,
                placement(random_placement(random)), maximal::Distance<double>{1});
    }
    TestRun run(m);
    LONGS_EQUAL(chords, run.table().counts().auxiliary);
    run.loads.gravity.setZero();
    run.loads.force = random_values(run.state.v.size(), random);
    const WholeSystem dense(run, m);
    auto out = run.solver().make_solution();
    CHECK_TRUE(Status::kOk == run.solver().factor(run.state));
    LONGS_EQUAL(0, run.solver().redundant_rows());
    CHECK_TRUE(Status::kOk == run.solver().accelerations(run.state, run.loads, out));
    const Eigen::VectorXd expected = dense.solve(run.loads.force + dense.inertial, dense.c);
    CHECK_AT_MOST(1e-9, (joined(out) - expected).norm() / expected.norm(), "loops");
  }
}

TEST(MaximalLagrange, NeverAllocates) {
  const TestMechanism m = random_mechanism(24, 5);
  TestRun run(m);
  auto out = run.solver().make_solution();
  Status status = Status::kSingular;
  LONGS_EQUAL(0, allocations_in([&] {
                status = run.solver().factor(run.state);
                if (status == Status::kOk)
                  status = run.solver().accelerations(run.state, run.loads, out);
              }));
  CHECK_TRUE(Status::kOk == status);
}

TEST_GROUP(MaximalTable){};

TEST(MaximalTable, RecordsAreChecked) {
  using Table = maximal::TableMechanism<double, 2, 2>;
  TestMechanism m;
  m.add(Particle{1}, {});
  m.connect(ConstraintType::kDistance, kWorld, kAtOrigin, 0, kAtOrigin,
            maximal::Distance<double>{1});
  Table table;
  CHECK_TRUE(Status::kOk == table.assign(m.bodies, m.constraints));
  const auto refused = [&](Status expected, const auto& change) {
    TestMechanism changed = m;
    change(changed);
    CHECK_TRUE(expected == table.assign(changed.bodies, changed.constraints));
    LONGS_EQUAL(1, table.counts().bodies);  // as it was
    LONGS_EQUAL(1, table.counts().lambda);
  };
  refused(Status::kBadBody, [](auto& c) { c.bodies[0].type = 5; });
  refused(Status::kBadBody, [](auto& c) { c.bodies[0].type = -1; });
  refused(Status::kBadInertia, [](auto& c) { c.bodies[0].numbers[0] = 0; });
  refused(Status::kBadConstraint, [](auto& c) { c.constraints[0].type = 99; });
  refused(Status::kBadConstraint, [](auto& c) { c.constraints[0].b = 1; });
  refused(Status::kBadConstraint, [](auto& c) { c.constraints[0].numbers[24] = -1; });
  refused(Status::kBadConstraint, [](auto& c) { c.constraints[0].numbers[0] = 2; });
  refused(Status::kTooManyBodies, [](auto& c) { c.bodies.resize(3, c.bodies[0]); });
  refused(Status::kTooManyRows, [](auto& c) { c.constraints.resize(3, c.constraints[0]); });
  refused(Status::kBadConstraint, [](auto& c) { c.constraints[0].a = 0; });
}

// The kinetic energy of the bead on its wire and the body on its blade grows by what gravity does,
// whatever the solver knows of them; static and table agree to the bit.
TEST(MaximalTable, TypesOfAUsersOwn) {
  using Static = maximal::StaticMechanism<BeadAndSkate, double>;
  using Table = maximal::TableMechanism<double, 2, 2, OwnTypes>;
  const auto table = std::make_unique<Table>();
  CHECK_TRUE(Status::kOk == table->assign(BeadAndSkate::kBodies, BeadAndSkate::kConstraints));
  CHECK_TRUE(Status::kOk == Static::check());
  BeadStepper of_static;
  BeadStepper::State a;
  CHECK_TRUE(Status::kOk == let_it_fall(of_static, a));

  maximal::LagrangeStepper<Table> of_table(*table);
  auto b = of_table.solver().make_state();
  b.x[0] = 0.5;
  b.x[1] = 0.5 + 0.6;
  b.x[2] = 0.1 + 0.8;
  const auto energy = [&] {
    const double slope = 0.8 * b.x[0];
    const double bead = 1.5 * (1 + slope * slope) * b.v[0] * b.v[0] / 2;
    const double body = b.v.segment<3>(1).squaredNorm();  // half of two kilograms
    const auto w = b.v.segment<3>(4).eval();
    const Eigen::Quaterniond q(b.x[7], b.x[4], b.x[5], b.x[6]);
    const Eigen::Vector3d own = q.conjugate() * w;
    return bead + body + 0.5 * own.dot(Eigen::Vector3d(0.5, 0.6, 0.7).cwiseProduct(own)) +
           9.81 * 2 * b.x[3];
  };
  const double start = energy();
  const auto loads = of_table.solver().make_loads();
  const StepSettings<double> settings = {.dt = 1e-3,
                                         .integrator = Integrator::kRungeKutta4,
                                         .stabilization = Stabilization::kProjection};
  for (int i = 0; i < 500; ++i) CHECK_TRUE(Status::kOk == of_table.step(b, loads, settings));
  CHECK(a.x == b.x);
  CHECK(a.v == b.v);
  CHECK(std::abs(b.x[3]) > 0.5);  // it fell
  CHECK_AT_MOST(1e-9, std::abs(energy() - start), "energy");
}
