// Loops, couplings, tendons and contacts that yield.
#include "lockstep/auxiliary/soft_rows.hpp"

#include <CppUTest/TestHarness.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/auxiliary/test_solvers.hpp"
#include "model/loop_rows.hpp"
#include "oracle/dense.hpp"
#include "oracle/energy.hpp"
#include "support/model_states.hpp"
#include "support/random_tree.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;

namespace {

using constraint::ConstraintType;
using Integrator::kMidpoint;
using Integrator::kRungeKutta4;
using Integrator::kSemiImplicitEuler;
using Table = test::TestModel<double>;
using Closed = test::TestClosed<double>;
using Bounded = test::TestBounded<double>;

constexpr constraint::ConstraintRecord loop(ConstraintType type, int a, int b, double stiffness,
                                            double damping, double offset = 0) {
  constraint::ConstraintRecord record{static_cast<int>(type), a, b};
  for (const std::size_t i : {0u, 4u, 8u, 12u, 16u, 20u}) record.numbers[i] = 1;  // unturned
  record.numbers[9] = offset, record.numbers[22] = 0.4 * offset;                  // p_A, p_B
  record.stiffness = stiffness, record.damping = damping;
  return record;
}

struct Robot {
  explicit Robot(const host::Tree& from) : tree(from) {
    CHECK_TRUE(Status::kOk == table.assign(tree.bodies));
    closed = std::make_unique<Closed>(table, tree);
    state = closed->make_input();
  }
  double energy() const {
    host::DenseInput now = host::rest(tree.bodies);
    now.q = state.q, now.v = state.v, now.gravity = state.gravity;
    const host::Mechanics m = host::mechanics(tree.bodies, now);
    return m.kinetic + m.potential + host::soft_row_energy(tree, state.q);
  }
  void step(double dt, Integrator integrator) {
    CHECK_TRUE(has_moved(closed->step(state, {.dt = dt, .integrator = integrator})));
  }

  host::Tree tree;
  Table table;
  std::unique_ptr<Closed> closed;
  Closed::Input state;
};

// Two sliders along z, held together by one row: a loop, or a coupling.
constexpr double kMassA = 2, kMassB = 0.5, kReduced = kMassA * kMassB / (kMassA + kMassB);
host::Tree sliders(bool by_loop, double stiffness, double damping) {
  host::Tree tree;
  for (const double mass : {kMassA, kMassB}) {
    tree.bodies.push_back({.joint = JointType::kPrismatic, .mass = mass});
  }
  if (by_loop) {
    tree.loops.push_back(loop(ConstraintType::kPointOnPlane, 0, 1, stiffness, damping));
  } else {
    tree.couplings.push_back({.first = 0, .count = 2, .stiffness = stiffness, .damping = damping});
    tree.terms = {{0, -1}, {1, 1}};
  }
  return tree;
}

// How far the sliders' distance after a second is from x0 exp(-g t) (cos w t + g/w sin w t).
double error_of_swing(bool by_loop, double damping, double dt, Integrator integrator) {
  constexpr double kStiffness = 40, kStart = 0.1;
  Robot robot(sliders(by_loop, kStiffness, damping));
  robot.state.gravity.setZero();
  robot.state.q << 0, kStart;
  const double g = damping / (2 * kReduced), w = std::sqrt(kStiffness / kReduced - g * g);
  const int steps = static_cast<int>(std::lround(1 / dt));
  for (int i = 0; i < steps; ++i) robot.step(dt, integrator);
  const double exact = kStart * std::exp(-g) * (std::cos(w) + g / w * std::sin(w));
  return std::abs(robot.state.q[1] - robot.state.q[0] - exact);
}

}  // namespace

TEST_GROUP(SoftRows){};

TEST(SoftRows, TwoMassesSwingAndDecayAsTheClosedFormDoes) {
  for (const bool by_loop : {true, false}) {
    for (const double damping : {0.0, 0.5}) {
      const auto ratio = [&](Integrator integrator) {
        const double coarse = error_of_swing(by_loop, damping, 1e-3, integrator);
        const double fine = error_of_swing(by_loop, damping, 5e-4, integrator);
        CHECK_AT_MOST(5e-3 * 0.1 * (integrator == kSemiImplicitEuler ? 20 : 1), coarse, "distance");
        return coarse / fine;
      };
      DOUBLES_EQUAL(2, ratio(kSemiImplicitEuler), 0.1);
      DOUBLES_EQUAL(damping > 0 ? 2 : 4, ratio(kMidpoint), 0.2);
      CHECK_AT_MOST(1e-10, error_of_swing(by_loop, damping, 1e-3, kRungeKutta4), "Runge-Kutta");
    }
  }
}

// k = 10^6 times 4 m / dt^2, d = 10^6 times 2 m / dt.
TEST(SoftRows, NoEnergyIsGainedFarBeyondTheExplicitLimits) {
  constexpr double kStep = 1e-3;
  const double k = 1e6 * 4 * kReduced / (kStep * kStep), d = 1e6 * 2 * kReduced / kStep;
  for (const auto& [stiffness, damping] : {std::pair(k, 0.0), {0.0, d}, {k, d}}) {
    for (const Integrator integrator : {kSemiImplicitEuler, kMidpoint, Integrator::kEulerMiddle}) {
      for (const bool by_loop : {true, false}) {
        Robot robot(sliders(by_loop, stiffness, damping));
        robot.state.gravity.setZero();
        robot.state.q << 0, 1e-4;
        robot.state.v << 1, -2;
        double before = robot.energy();
        for (int i = 0; i < 2000; ++i) {
          robot.step(kStep, integrator);
          const double now = robot.energy();
          CHECK_TRUE(now <= before * (1 + 1e-12));
          before = now;
        }
      }
    }
  }
}

// A chain whose end a spring holds at the world, from soft to rigid: curves and gravity.
TEST(SoftRows, ALoopThatSwingsGainsNothing) {
  for (const double stiffness : {1e2, 1e4, 1e6, 1e8, 1e12}) {
    host::Tree tree;
    for (int i = 0; i < 3; ++i) {
      Body body = {.parent = i - 1, .R_PJ = {1, 0, 0, 0, 0, -1, 0, 1, 0}, .p_PJ = {0.3, 0, 0}};
      if (i > 0) body.R_PJ = {1, 0, 0, 0, 1, 0, 0, 0, 1};
      test::make_box(body, 1, {0.3, 0.05, 0.05}, {0.15, 0, 0});
      tree.bodies.push_back(body);
    }
    const Eigen::Vector3d q(0.6, -1.4, 1.2);
    const host::WorldBody last =
        host::place_in_world(tree.bodies, q, Eigen::VectorXd::Zero(3)).back();
    const Eigen::Vector3d tip = last.origin + 0.3 * last.R_WB.col(0);
    constraint::ConstraintRecord end = loop(ConstraintType::kBall, 2, kWorld, stiffness, 0);
    end.numbers[9] = 0.3;  // p_A; p_B follows R_B
    for (const int i : {0, 1, 2}) end.numbers[at(21 + i)] = tip[i];
    tree.loops = {end};
    DOUBLES_EQUAL(0, host::evaluate_rows(tree, q).value.norm(), 1e-12);
    Robot robot(tree);
    robot.state.q = q;
    const double first = robot.energy();
    double most = first, fastest = 0;
    for (int i = 0; i < 5000; ++i) {
      robot.step(1e-3, kMidpoint);
      most = std::max(most, robot.energy());
      fastest = std::max(fastest, robot.state.v.norm());
    }
    CHECK_TRUE(fastest > 1);
    CHECK_AT_MOST(first + 0.05, most, "energy");  // of some 10 J that are exchanged
  }
}

// Trees with rigid and soft loops: the forces are those of springs and dampers where the step ends,
// the accelerations those of dense dynamics under them.
TEST(SoftRows, AStepIsTheDenseOne) {
  constexpr double kStep = 0.01;
  test::Random random(5);
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    host::Tree tree;
    tree.bodies = test::random_tree({.shape = test::Shape::kRandom, .bodies = 7, .seed = seed});
    for (Body& body : tree.bodies) body.damping = 0;
    const auto draw = [&] { return std::pow(10.0, random.uniform(-1, 7)); };
    tree.loops = {loop(ConstraintType::kPointOnPlane, 2, 6, 0, 0, 0.2),
                  loop(ConstraintType::kBall, 5, kWorld, draw(), draw(), 0.3),
                  loop(ConstraintType::kPointOnLine, 3, 4, draw(), 0, 0.1),
                  loop(ConstraintType::kPointOnPlane, 6, kWorld, 0, draw(), 0.1)};
    Robot robot(tree);
    host::DenseInput start = test::random_state(tree.bodies, random);
    start.external.setZero();
    robot.state.q = start.q, robot.state.v = start.v;
    robot.state.tau = start.tau, robot.state.gravity = start.gravity;
    const host::LoopRows here = host::evaluate_rows(tree, start.q);

    robot.step(kStep, kSemiImplicitEuler);
    const Eigen::VectorXd vdot = robot.closed->output().vdot;
    const int count = static_cast<int>(here.value.size());
    const Eigen::VectorXd mu =
        Eigen::Map<const Eigen::VectorXd>(robot.closed->forces().mu.data(), count);
    start.tau += here.J.transpose() * mu;
    CHECK_AT_MOST(1e-8, test::relative_error(vdot, host::solve_dense(tree.bodies, start).vdot),
                  "accelerations");

    // J vdot + Jdot v, the second by differences along v
    constexpr double kEpsilon = 1e-6;
    const auto rate_at = [&](double time) {
      Eigen::VectorXd q = start.q;
      CHECK_TRUE(Status::kOk ==
                 add_motion(robot.table, start.q.data(), start.v.data(), time, q.data()));
      return Eigen::VectorXd(host::evaluate_rows(tree, q).J * start.v);
    };
    const Eigen::VectorXd a =
        here.J * vdot + (rate_at(kEpsilon) - rate_at(-kEpsilon)) / (2 * kEpsilon);
    const Eigen::VectorXd end = here.J * start.v + kStep * a;
    int row = 0;
    for (const auto& own : tree.loops) {
      for (int i = 0; i < host::loop_row_count(own); ++i, ++row) {
        if (!yields(own)) continue;
        const double force =
            -(own.stiffness * (here.value[row] + kStep * end[row]) + own.damping * end[row]);
        const double scale = (own.stiffness * kStep + own.damping) * (1 + kStep * std::abs(a[row]));
        CHECK_AT_MOST(1e-6, std::abs(force - mu[row]) / (scale + std::abs(mu[row])), "force");
      }
    }
  }
}

// By impulses, with room for bounds, as by accelerations; pivoting and Gauss-Seidel.
TEST(SoftRows, BoundedStepsAreTheSame) {
  for (const RowSolver solver :
       {RowSolver::kPivoting, RowSolver::kGaussSeidel, RowSolver::kNewton}) {
    host::Tree tree;
    tree.bodies = test::random_tree({.shape = test::Shape::kRandom, .bodies = 6, .seed = 3});
    tree.loops = {loop(ConstraintType::kBall, 4, kWorld, 300, 2, 0.3),
                  loop(ConstraintType::kPointOnPlane, 2, 5, 1e4, 0, 0.1)};
    Robot robot(tree);
    Bounded bounded(robot.table, tree, {});
    auto state = bounded.make_input();
    BoundedSettings<double> settings = {.dt = 1e-3, .solver = solver};
    settings.gauss_seidel.sweeps = 10000;
    for (int i = 0; i < 50; ++i) {
      robot.step(1e-3, kSemiImplicitEuler);
      CHECK_TRUE(Status::kOk == bounded.step(state, settings));
    }
    const double bound = solver == RowSolver::kGaussSeidel ? 1e-6 : 1e-10;
    CHECK_AT_MOST(bound, test::relative_error(state.v, robot.state.v), "velocities");
    DOUBLES_EQUAL(0, bounded.result().errors.position, 0);  // what yields is not off
  }
}

// Projection leaves what yields alone.
TEST(SoftRows, ProjectionKeepsTheRigidOnes) {
  host::Tree tree = sliders(false, 40, 0);
  tree.bodies.push_back({.joint = JointType::kPrismatic, .mass = 1});
  tree.couplings.push_back({.first = 2, .count = 2});
  tree.terms.push_back({1, -1}), tree.terms.push_back({2, 1});
  Robot robot(tree);
  robot.state.gravity.setZero();
  robot.state.q << 0, 0.1, 0.11;  // the second coupling is off by 0.01
  CHECK_TRUE(Status::kOk ==
             robot.closed->step(robot.state, {.dt = 1e-3,
                                              .integrator = kRungeKutta4,
                                              .stabilization = Stabilization::kProjection}));
  DOUBLES_EQUAL(robot.state.q[1], robot.state.q[2], 1e-12);
  // along M^-1 J^T
  DOUBLES_EQUAL(0.1 + 0.01 * 2 / 3, robot.state.q[1] - robot.state.q[0], 1e-4);
}

namespace {

// Of both kinds, one of each rigid.
struct Model {
  static constexpr std::uint64_t kHash = 0;
  static constexpr std::array<Node, 0> kForward = {};
  static constexpr Body kLink = {
      .p_PJ = {0.3, 0.1, 0}, .mass = 1, .h = {0.1, 0, 0.05}, .inertia = {0.1, 0, 0, 0.2, 0, 0.2}};
  static constexpr std::array<Body, 5> kBodies = [] {
    std::array<Body, 5> bodies;
    bodies.fill(kLink);
    bodies[0].joint = JointType::kFloating;
    bodies[1].parent = 0, bodies[1].joint = JointType::kBall;
    bodies[2].parent = 1, bodies[2].joint = JointType::kPrismatic;
    bodies[4].parent = 3;
    return bodies;
  }();
  static constexpr std::array<constraint::ConstraintRecord, 2> kLoops = {
      loop(ConstraintType::kBall, 2, 4, 500, 3, 0.3),
      loop(ConstraintType::kPointOnLine, 1, kWorld, 0, 0, 0.2)};
  static constexpr std::array<Coupling, 2> kCouplings = {
      {{.first = 0, .count = 2}, {.first = 1, .count = 1, .offset = 0.1, .stiffness = 20}}};
  static constexpr std::array<CouplingTerm, 2> kCouplingTerms = {
      {{.body = 2, .coefficient = 1}, {.body = 4, .coefficient = -0.1}}};
};

host::Tree tree_of_model() {
  host::Tree tree;
  tree.bodies.assign(Model::kBodies.begin(), Model::kBodies.end());
  tree.loops.assign(Model::kLoops.begin(), Model::kLoops.end());
  tree.couplings.assign(Model::kCouplings.begin(), Model::kCouplings.end());
  tree.terms.assign(Model::kCouplingTerms.begin(), Model::kCouplingTerms.end());
  tree.loop_names = {"spring", "line"};
  tree.coupling_names = {"gear", "belt"};
  return tree;
}

template <class T>
void check_both_forms() {
  constexpr int kRows = ModelRows<Model, T>::kCount;
  static_assert(kRows == 7 && ModelRows<Model, T>::kSoft == 2);
  const host::Tree tree = tree_of_model();
  test::TestModel<T> table;
  CHECK_TRUE(Status::kOk == table.assign(Model::kBodies));
  ClosedSolver<Model, T> fixed_solver;
  test::TestClosedSolver<T> solver(table, tree);
  ClosedStepper<Model, T, kRows> fixed;
  test::TestClosed<T> other(table, tree);
  BoundedStepper<Model, T, Room{kRows, 0}> fixed_bounded;
  test::TestBounded<T> bounded(table, tree, {});
  auto in = fixed.make_input();
  auto table_in = other.make_input();
  auto out = fixed_solver.make_output();
  auto table_out = solver.make_output();
  typename ClosedSolver<Model, T>::Forces forces;
  typename test::TestClosedSolver<T>::Forces table_forces;
  test::Random random(9);
  for (int i = 0; i < 10; ++i) {
    test::randomize<Model>(in, T(1), random);
    table_in.q = in.q, table_in.v = in.v, table_in.tau = in.tau;
    CHECK_TRUE(Status::kOk == fixed_solver.forward_dynamics(in, out, forces));
    CHECK_TRUE(Status::kOk == solver.forward_dynamics(table_in, table_out, table_forces));
    CHECK_TRUE(out.vdot == table_out.vdot);
    CHECK_TRUE(std::ranges::equal(forces.mu, std::span(table_forces.mu).template first<kRows>()));
    for (const Integrator integrator :
         {kSemiImplicitEuler, kMidpoint, kRungeKutta4, Integrator::kEulerMiddle}) {
      const StepSettings<T> settings = {.dt = T(1e-3), .integrator = integrator};
      CHECK_TRUE(fixed.step(in, settings) == other.step(table_in, settings));
      CHECK_TRUE(in.q == table_in.q && in.v == table_in.v);
    }
    const BoundedSettings<T> settings = {.dt = T(1e-3)};
    CHECK_TRUE(fixed_bounded.step(in, settings) == bounded.step(table_in, settings));
    CHECK_TRUE(in.q == table_in.q && in.v == table_in.v);
  }
}

}  // namespace

TEST(SoftRows, AStaticModelAndATableGiveTheSameBits) {
  check_both_forms<double>();
  check_both_forms<float>();
}

// Forward dynamics of the moment: springs and dampers push as they are, and rigid rows hold.
TEST(SoftRows, AtAMomentTheyAreForces) {
  const host::Tree tree = tree_of_model();
  Table table;
  CHECK_TRUE(Status::kOk == table.assign(Model::kBodies));
  test::TestClosedSolver<double> solver(table, tree);
  auto in = solver.make_input();
  auto out = solver.make_output();
  decltype(solver)::Forces forces;
  test::Random random(4);
  for (int i = 0; i < 10; ++i) {
    test::randomize<Model>(in, 1.0, random);
    CHECK_TRUE(Status::kOk == solver.forward_dynamics(in, out, forces));
    const host::LoopRows rows = host::evaluate_rows(tree, in.q);
    const Eigen::VectorXd rate = rows.J * in.v;
    for (const int row : {0, 1, 2}) {
      DOUBLES_EQUAL(-(500 * rows.value[row] + 3 * rate[row]), forces.mu[at(row)], 1e-9);
    }
    DOUBLES_EQUAL(-20 * rows.value[6], forces.mu[6], 1e-9);
    host::DenseInput dense = host::rest(tree.bodies);
    dense.q = in.q, dense.v = in.v, dense.gravity = in.gravity;
    dense.tau =
        in.tau + rows.J.transpose() * Eigen::Map<const Eigen::VectorXd>(forces.mu.data(), 7);
    CHECK_AT_MOST(1e-9, test::relative_error(out.vdot, host::solve_dense(tree.bodies, dense).vdot),
                  "accelerations");
  }
}

// A weight on a line that yields hangs m g / k below its length; a slack one feels nothing.
TEST(SoftRows, ATendonStretches) {
  constexpr double kMass = 2, kStiffness = 1000, kGravity = 9.81;
  const Body weight = {.joint = JointType::kPrismatic, .mass = kMass};
  Table table;
  CHECK_TRUE(Status::kOk == table.assign(std::span(&weight, 1)));
  Bounded stepper(table, {}, {});
  const std::array<TendonPoint<double>, 2> points = {{{kWorld, {0, 0, 1}}, {0, {}}}};
  Tendon<double> line = {.points = points, .length = 1, .stiffness = kStiffness, .damping = 40};
  for (const bool exact : {false, true}) {
    line.exact = exact;
    auto state = stepper.make_input();
    for (int i = 0; i < 3000; ++i) {
      CHECK_TRUE(Status::kOk == stepper.step(state, {.dt = 1e-3}, {.tendons = {&line, 1}}));
    }
    DOUBLES_EQUAL(-kMass * kGravity / kStiffness, state.q[0], 1e-9);
    DOUBLES_EQUAL(kMass * kGravity, stepper.result().force(RowOf::kTendon, 0), 1e-6);
  }
  line.exact = false;
  auto state = stepper.make_input();
  state.q[0] = 0.5;
  CHECK_TRUE(Status::kOk == stepper.step(state, {.dt = 1e-3}, {.tendons = {&line, 1}}));
  DOUBLES_EQUAL(-kGravity * 1e-3, state.v[0], 1e-15);
  for (const double bad : {-1.0, std::nan("")}) {
    line.stiffness = bad;
    CHECK_TRUE(Status::kBadConstraint ==
               stepper.step(state, {.dt = 1e-3}, {.tendons = {&line, 1}}));
  }
}

// A ball on ground that yields rests m g / k deep by every solver.
TEST(SoftRows, GroundYields) {
  constexpr double kMass = 2, kStiffness = 1e4, kGravity = 9.81, kRadius = 0.1;
  Body ball = {.joint = JointType::kFloating};
  test::make_box(ball, kMass, {0.1, 0.1, 0.1}, {0, 0, 0});
  Table table;
  CHECK_TRUE(Status::kOk == table.assign(std::span(&ball, 1)));
  const contact::Collider<double> collider = {
      .body = 0, .X_BS = identity<double>(), .shape = contact::sphere(kRadius)};
  for (const RowSolver solver :
       {RowSolver::kPivoting, RowSolver::kGaussSeidel, RowSolver::kNewton}) {
    Bounded stepper(
        table, {}, {}, {.colliders = std::span(&collider, 1), .pairs = {}, .ground = {}});
    BoundedSettings<double> settings = {.dt = 1e-3, .solver = solver};
    settings.newton.softness = 1 / kStiffness;
    settings.newton.settling = 0.02;
    auto state = stepper.make_input();
    state.q[2] = kRadius;
    for (int i = 0; i < 2000; ++i) CHECK_TRUE(Status::kOk == stepper.step(state, settings));
    DOUBLES_EQUAL(kMass * kGravity / kStiffness, kRadius - state.q[2], 1e-7);

    // without a damper it sinks v sqrt(m / k) when it arrives, to first order in dt
    if (solver == RowSolver::kNewton) continue;
    settings.newton.settling = 0;
    settings.dt = 1e-4;
    state = stepper.make_input();
    state.gravity.setZero();
    state.q[2] = kRadius + 0.00123;
    state.v[2] = -1;
    double deepest = 0;
    for (int i = 0; i < 400; ++i) {
      CHECK_TRUE(Status::kOk == stepper.step(state, settings));
      deepest = std::max(deepest, kRadius - state.q[2]);
    }
    DOUBLES_EQUAL(std::sqrt(kMass / kStiffness), deepest, 0.02 * deepest);
  }
}
