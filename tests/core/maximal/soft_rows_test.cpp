// Rows that yield, against closed forms of implicit Euler and dense solves.
#include "lockstep/maximal/soft_rows.hpp"

#include <CppUTest/TestHarness.h>

#include <cmath>

#include "core/maximal/test_mechanism.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;
using namespace lockstep::test;
using maximal::ConstraintType;

namespace {

constexpr Placement<double> kIdentity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {}};
constexpr Placement<double> beside(double x) { return {kIdentity.R, {x, 0, 0}}; }
constexpr RigidBody kWheel = {0.5, {0.2, 0, 0, 0.2, 0, 0.3}},
                    kBar = {1.5, {0.01, 0, 0, 0.13, 0.001, 0.12}};

template <class C>
constexpr maximal::ConstraintRecord record(ConstraintType type, int a, const Placement<double>& X_A,
                                           int b, const Placement<double>& X_B,
                                           const C& constraint) {
  const maximal::Between<C> between = {X_A, X_B, constraint};
  return {static_cast<int>(type), a, b,
          maximal::to_numbers<maximal::kMaxConstraintNumbers>(between)};
}
constexpr maximal::ConstraintRecord hinge(int a, double x_a, int b, double x_b) {
  return record(ConstraintType::kRevolute, a, beside(x_a), b, beside(x_b),
                maximal::Revolute<double>{});
}
constexpr maximal::ConstraintRecord passive(int a, double x_a, int b, double x_b, double rest,
                                            const maximal::Softness& own) {
  auto row = record(ConstraintType::kAngleTerm, a, beside(x_a), b, beside(x_b),
                    maximal::AngleTerm<double>{1, rest});
  row.turn_parts = 1;
  row.stiffness = own.stiffness, row.damping = own.damping, row.armature = own.armature;
  return row;
}

// A wheel about the world's z, with a spring, a damper and a rotor.
TestMechanism wheel(double rest, const maximal::Softness& own, double speed = 0) {
  TestMechanism m;
  m.add(kWheel, {{0, 0, 0}, {0, 0, 0, 1}}, {0, 0, 0, 0, 0, speed});
  m.constraints = {hinge(kWorld, 0, 0, 0), passive(kWorld, 0, 0, 0, rest, own)};
  return m;
}

// Bars of a metre in a row, the first from the world or free, each joint with the same.
struct Chain {
  static constexpr int kCount = 3;
  template <class T>
  using Types = maximal::StandardTypes<T>;
  static constexpr std::array<maximal::BodyRecord, kCount> kBodies = [] {
    std::array<maximal::BodyRecord, kCount> all{};
    all.fill({static_cast<int>(maximal::BodyType::kRigid),
              maximal::to_numbers<maximal::kMaxBodyNumbers>(kBar)});
    return all;
  }();
  static constexpr maximal::Softness kOwn = {3, 0.2, 0.05};
  static constexpr std::array<maximal::ConstraintRecord, std::size_t{2}* kCount> kConstraints = {
      hinge(kWorld, 0, 0, -0.5), passive(kWorld, 0, 0, -0.5, 0.3, kOwn),
      hinge(0, 0.5, 1, -0.5),    passive(0, 0.5, 1, -0.5, -0.2, kOwn),
      hinge(1, 0.5, 2, -0.5),    passive(1, 0.5, 2, -0.5, 0.4, kOwn)};
};

TestMechanism chain(const maximal::Softness& own, double speed = 0.7) {
  TestMechanism m;
  for (int i = 0; i < Chain::kCount; ++i) {
    m.add(kBar, {{i + 0.5, 0, 0}, {0, 0, 0, 1}}, {0, speed * (i + 0.5), 0, 0, 0, speed});
  }
  m.constraints.assign(Chain::kConstraints.begin(), Chain::kConstraints.end());
  for (auto& record : m.constraints) {
    if (record.type == static_cast<int>(ConstraintType::kRevolute)) continue;
    record.stiffness = own.stiffness, record.damping = own.damping, record.armature = own.armature;
  }
  return m;
}

double angle_of(const TestRun<>& run, int body) {
  const auto pose = run.pose<RigidBody>(body);
  return 2 * std::atan2(pose.q[2], pose.q[3]);
}

// Kinetic and gravity's, and what springs and rotors have.
double energy_of(const TestRun<>& run, const TestMechanism& m) {
  double sum = run.energy(), angle = 0, speed = 0;
  std::size_t joint = 1;
  for (int i = 0; i < static_cast<int>(m.bodies.size()); ++i, joint += 2) {
    const maximal::ConstraintRecord& own = m.constraints[joint];
    const double rest =
        maximal::from_numbers<maximal::Between<maximal::AngleTerm<double>>>(own.numbers)
            .constraint.offset;
    const double next = angle_of(run, i), turning = run.state.v[run.place(i).v + 5];
    const double q = std::remainder(next - angle - rest, 2 * std::acos(-1.0));
    sum += 0.5 * own.stiffness * q * q;
    sum += 0.5 * own.armature * (turning - speed) * (turning - speed);
    angle = next, speed = turning;
  }
  return sum;
}

}  // namespace

TEST_GROUP(MaximalSoftRows){};

TEST(MaximalSoftRows, JointsShareTheirNodes) {
  const TestRun run(chain({3, 0.2, 0.05}));
  LONGS_EQUAL(0, run.table().counts().auxiliary);
  LONGS_EQUAL(2 * Chain::kCount, run.table().forward().size());
  LONGS_EQUAL(6 * Chain::kCount, run.table().counts().lambda);
}

TEST(MaximalSoftRows, WheelIsImplicitEulersClosedForm) {
  const maximal::Softness own = {40, 0.3, 0.11};
  const double dt = 0.01, I = 0.3 + own.armature;
  for (const double rest : {0.5, 2.5}) {
    TestRun run(wheel(rest, own, 1));
    run.settings.integrator = Integrator::kSemiImplicitEuler;
    run.settings.dt = dt;
    double q = 0, v = 1;
    for (int i = 0; i < 200; ++i) {
      run.step();
      v = (I * v - dt * own.stiffness * (q - rest)) /
          (I + dt * own.damping + dt * dt * own.stiffness);
      q += dt * v;
      DOUBLES_EQUAL(v, run.state.v[5], 1e-11);
      DOUBLES_EQUAL(std::remainder(q - angle_of(run, 0), 2 * std::acos(-1.0)), 0, 1e-11);
    }
  }
}

TEST(MaximalSoftRows, ImpulsesGiveTheSameWheel) {
  const maximal::Softness own = {40, 0.3, 0.11};
  const double dt = 0.01, I = 0.3 + own.armature;
  TestRun run(wheel(0.5, own, 1));
  TestImpulses<Sparse<double>> stepper(run.table());
  double q = 0, v = 1;
  for (int i = 0; i < 200; ++i) {
    CHECK_TRUE(Status::kOk == stepper.step(run.state, run.loads,
                                           {.dt = dt, .tolerance = 1e-13, .max_solves = 50}));
    v = (I * v - dt * own.stiffness * (q - 0.5)) / (I + dt * own.damping + dt * dt * own.stiffness);
    q += dt * v;
    DOUBLES_EQUAL(v, run.state.v[5], 1e-9);
    DOUBLES_EQUAL(q, angle_of(run, 0), 1e-9);
  }
}

TEST(MaximalSoftRows, RungeKuttaTakesThemAsTheyAre) {
  // an oscillation of 0.41 kg m^2: what a rotor is to the frequency, and no error of first order
  const maximal::Softness own = {41, 0, 0.11};
  TestRun run(wheel(0, own, 1));
  run.run(1, 1000);
  DOUBLES_EQUAL(0.1 * std::sin(10.0), angle_of(run, 0), 1e-9);
}

TEST(MaximalSoftRows, AnglesCountTurnsThatTheyAreTold) {
  const maximal::Softness own = {40, 0.3, 0.11};
  const double dt = 0.01, I = 0.3 + own.armature;
  const double pi = std::acos(-1.0);
  for (const bool impulses : {false, true}) {
    TestRun run(wheel(0, own));
    run.settings.integrator = Integrator::kSemiImplicitEuler;
    run.settings.dt = dt;
    TestImpulses<Sparse<double>> stepper(run.table());
    std::array<double, 6> near = {};
    near[5] = 6 * pi;  // the pose is the same as with zero
    run.loads.near = near;
    double q = 6 * pi, v = 0;
    for (int i = 0; i < 100; ++i) {
      if (impulses) {
        CHECK_TRUE(Status::kOk == stepper.step(run.state, run.loads,
                                               {.dt = dt, .tolerance = 1e-12, .max_solves = 50}));
      } else {
        run.step();
      }
      v = (I * v - dt * own.stiffness * q) / (I + dt * own.damping + dt * dt * own.stiffness);
      q += dt * v;
      near[5] = q;
      DOUBLES_EQUAL(v, run.state.v[5], 1e-8);
    }
  }
}

// M vdot - J^T lambda = force and J vdot + lambda / P + c + pull / P = 0 in one dense matrix.
TEST(MaximalSoftRows, AccelerationsSolveTheDenseSystem) {
  const maximal::Softness own = {300, 2, 0.5};
  const double dt = 0.02;
  TestMechanism m = chain(own);
  // a spring across two joints, which closes a loop, and one between two free wheels
  auto across = record(ConstraintType::kAngleTerm, 0, kIdentity, 2, kIdentity,
                       maximal::AngleTerm<double>{2, 0.1});
  across.stiffness = 50, across.damping = 0.4;
  m.constraints.push_back(across);
  const int left = m.add(kWheel, {{0, 3, 0}, {0, 0, 0, 1}}, {0.1, 0.2, 0.3, 0.4, 0.5, 0.6});
  const int right = m.add(kWheel, {{1, 3, 0.2}, {0, 0, 0, 1}});
  auto rod = record(ConstraintType::kDistance, left, beside(0.2), right, beside(-0.1),
                    maximal::Distance<double>{0.5});
  rod.stiffness = 70, rod.damping = 1, rod.armature = 2;
  m.constraints.push_back(rod);
  TestRun run(m);
  LONGS_EQUAL(1, run.table().counts().auxiliary);
  run.loads.gravity = {0.3, -9, 1};
  run.settings.integrator = Integrator::kSemiImplicitEuler;
  run.settings.stabilization = Stabilization::kOff;
  run.settings.dt = dt;
  const DenseRows dense = run.dense_rows(m);
  const Eigen::VectorXd v = run.state.v;
  const Eigen::Index n = dense.M.rows(), rows = dense.J.rows();
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(n + rows, n + rows);
  H << dense.M, -dense.J.transpose(), dense.J, Eigen::MatrixXd::Zero(rows, rows);
  Eigen::VectorXd b(n + rows);
  b << dense.inertial, -dense.c;
  for (std::size_t i = 0; i < m.bodies.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(6 * i);
    b.segment<3>(at) += m.bodies[i].numbers[0] * Eigen::Vector3d(0.3, -9, 1);
  }
  Eigen::Index row = 0;
  for (const maximal::ConstraintRecord& own_record : m.constraints) {
    const double k = own_record.stiffness, d = own_record.damping;
    if (own_record.type == static_cast<int>(ConstraintType::kRevolute)) {
      row += 5;
      continue;
    }
    const double P = own_record.armature + dt * d + dt * dt * k, rate = dense.J.row(row) * v;
    H(n + row, n + row) = 1 / P;
    b[n + row] -= (k * (dense.value[row] + dt * rate) + d * rate) / P;
    ++row;
  }
  const Eigen::VectorXd expected = H.fullPivLu().solve(b);
  run.step();
  const auto& solution = run.stepper().solution();
  CHECK_AT_MOST(1e-10, (solution.v - expected.head(n)).norm() / expected.head(n).norm(), "vdot");
  CHECK_AT_MOST(1e-10, (solution.lambda - expected.tail(rows)).norm() / expected.tail(rows).norm(),
                "lambda");
}

TEST(MaximalSoftRows, NoStiffnessMakesEnergy) {
  // a million times what explicit steps of 1 ms bear of an inertia of 0.01 kg m^2
  const double I = 0.01, dt = 1e-3;
  for (const maximal::Softness& own :
       {maximal::Softness{0, 2e6 * I / dt}, maximal::Softness{4e6 * I / (dt * dt), 0},
        maximal::Softness{4e6 * I / (dt * dt), 2e6 * I / dt}}) {
    for (const bool impulses : {false, true}) {
      const TestMechanism m = chain(own);
      TestRun run(m);
      TestImpulses<Sparse<double>> stepper(run.table());
      run.settings.integrator = Integrator::kSemiImplicitEuler;
      run.settings.dt = dt;
      const double start = energy_of(run, m);
      double lowest = start;
      for (int i = 0; i < 2000; ++i) {
        if (impulses) {
          CHECK_TRUE(has_moved(stepper.step(run.state, run.loads, {.dt = dt, .tolerance = 1e-8})));
        } else {
          run.step();
        }
        const double now = energy_of(run, m);
        CHECK_AT_MOST(1e-6 * (1 + start), now - lowest, "energy");
        lowest = std::min(lowest, now);
      }
    }
  }
}

TEST(MaximalSoftRows, TheStiffestAreRigid) {
  // a bar that a spring of 1e12 N m/rad holds level: the joint's force is its weight's moment
  TestMechanism m;
  m.add(kBar, {{0.5, 0, 0}, {0, 0, 0, 1}});
  m.constraints = {hinge(kWorld, 0, 0, -0.5), passive(kWorld, 0, 0, -0.5, 0, {1e12, 0, 0})};
  for (const bool impulses : {false, true}) {
    TestRun run(m);
    TestImpulses<Sparse<double>> stepper(run.table());
    run.loads.gravity = {0, -10, 0};
    run.settings.integrator = Integrator::kSemiImplicitEuler;
    run.settings.dt = 1e-3;
    for (int i = 0; i < 100; ++i) {
      if (impulses) {
        CHECK_TRUE(Status::kOk == stepper.step(run.state, run.loads, {.dt = 1e-3}));
      } else {
        run.step();
        // from rest the first step lacks I / P of it, and the second has as much too much
        const double share = (0.12 + 1.5 * 0.25) / (1e12 * 1e-6);
        DOUBLES_EQUAL(7.5, run.stepper().solution().lambda[5], 7.5 * 1.01 * share);
      }
    }
    DOUBLES_EQUAL(0, angle_of(run, 0), 1e-9);
  }
}

TEST(MaximalSoftRows, ErrorsShrinkWithTheStep) {
  // against Runge-Kutta of short steps
  const maximal::Softness own = {30, 0.5, 0.1};
  TestRun exact(chain(own));
  exact.run(0.5, 2000);
  for (const bool impulses : {false, true}) {
    double before = 0;
    for (const int steps : {250, 500, 1000}) {
      TestRun run(chain(own));
      TestImpulses<Sparse<double>> stepper(run.table());
      run.settings.integrator = Integrator::kSemiImplicitEuler;
      if (impulses) {
        for (int i = 0; i < steps; ++i) {
          CHECK_TRUE(Status::kOk ==
                     stepper.step(run.state, run.loads, {.dt = 0.5 / steps, .tolerance = 1e-10}));
        }
      } else {
        run.run(0.5, steps);
      }
      const double error = (run.state.v - exact.state.v).norm();
      if (before > 0) {
        CHECK(before / error > 1.8);
        CHECK(before / error < 2.3);
      }
      before = error;
    }
  }
}

TEST(MaximalSoftRows, StaticAndTableHaveTheSameBits) {
  using Static = maximal::StaticMechanism<Chain, float>;
  TestRun<float> table(chain(Chain::kOwn));
  table.loads.gravity = {0, -9, 1};
  table.settings.dt = 0.004F;
  for (const Integrator integrator : {Integrator::kSemiImplicitEuler, Integrator::kRungeKutta4}) {
    maximal::LagrangeStepper<Static> fixed;
    TestRun<float> own(chain(Chain::kOwn));
    auto state = fixed.solver().make_state();
    state.x = own.state.x, state.v = own.state.v;
    auto loads = fixed.solver().make_loads();
    loads.gravity = own.loads.gravity = {0, -9, 1};
    own.settings.dt = 0.004F, own.settings.integrator = integrator;
    for (int i = 0; i < 20; ++i) {
      own.step();
      CHECK_TRUE(Status::kOk == fixed.step(state, loads, own.settings));
    }
    CHECK(state.x == own.state.x);
    CHECK(state.v == own.state.v);
  }
  maximal::ImpulseStepper<Static> fixed;
  TestImpulses<Sparse<float>> any(table.table());
  auto state = fixed.solver().make_state();
  state.x = table.state.x, state.v = table.state.v;
  const auto loads = fixed.solver().make_loads();
  auto of_table = table.solver().make_loads();
  const maximal::ImpulseSettings<float> settings = {.dt = 0.002F, .tolerance = 1e-5F};
  for (int i = 0; i < 20; ++i) {
    CHECK_TRUE(Status::kOk == fixed.step(state, loads, settings));
    CHECK_TRUE(Status::kOk == any.step(table.state, of_table, settings));
  }
  CHECK(state.x == table.state.x);
  CHECK(state.v == table.state.v);
}

// A particle on a spring and damper to the world: implicit Euler's recursion, to rounding; it rests
// where m g / k says; and both ways to step do the same.
TEST(MaximalSoftRows, AStrutIsASpringAndADamper) {
  const double m = 1.7, k = 40, d = 0.9, rest = 0.8, g = 9.81, dt = 0.01;
  for (const bool impulses : {false, true}) {
    TestMechanism own;
    own.add(Particle{m}, {{0, 0, -0.5}}, {0, 0, 0.4});
    auto strut = record(ConstraintType::kStrut, kWorld, kIdentity, 0, kIdentity,
                        maximal::Strut<double>{rest});
    strut.stiffness = k, strut.damping = d;
    own.constraints = {strut};
    TestRun run(own);
    TestImpulses<Sparse<double>> stepper(run.table());
    run.loads.gravity = {0, 0, -g};
    run.settings.integrator = Integrator::kSemiImplicitEuler;
    run.settings.dt = dt;
    double length = 0.5, v = -0.4;
    for (int i = 0; i < 4000; ++i) {
      if (impulses) {
        CHECK_TRUE(Status::kOk == stepper.step(run.state, run.loads,
                                               {.dt = dt, .tolerance = 1e-13, .max_solves = 50}));
      } else {
        run.step();
      }
      if (impulses) {
        // at turning points all of its velocity is the spring's doing, and no error of the step
        CHECK_AT_MOST(1e-6, stepper.core().roughness(), "roughness");
        continue;
      }
      v = (m * (v + dt * g) - dt * k * (length - rest)) / (m + dt * d + dt * dt * k);
      length += dt * v;
      DOUBLES_EQUAL(-length, run.state.x[2], 1e-11);
      DOUBLES_EQUAL(-v, run.state.v[2], 1e-11);
    }
    // impulses come before each step's free fall, whose end is faster than its mean by g h / 2
    DOUBLES_EQUAL(impulses ? -0.5 * g * dt : 0, run.state.v[2], 1e-4);
    DOUBLES_EQUAL(-(rest + m * g / k), run.state.x[2], 1e-4);
  }
}

// A plate on forty springs: in the same time each.
TEST(MaximalSoftRows, APlateLiesOnManySprings) {
  TestMechanism m;
  m.add(kBar, {{0, 0, 0}, {0, 0, 0, 1}});
  for (int i = 0; i < 40; ++i) {
    const double x = i % 8 - 3.5, y = i / 8 - 2;
    auto leg = record(ConstraintType::kPointOnPlane, kWorld, at_point(x, y, 0), 0,
                      at_point(x, y, 0), maximal::PointOnPlane<double>{});
    leg.stiffness = 25, leg.damping = 4;
    m.constraints.push_back(leg);
  }
  TestRun run(m);
  LONGS_EQUAL(0, run.table().counts().auxiliary);
  LONGS_EQUAL(1 + 40, run.table().forward().size());
  run.loads.gravity = {0, 0, -9.81};
  run.settings.integrator = Integrator::kSemiImplicitEuler;
  run.run(5, 500);
  DOUBLES_EQUAL(-1.5 * 9.81 / (40 * 25), run.state.x[2], 1e-9);
  DOUBLES_EQUAL(1, run.state.x[6], 1e-9);
  DOUBLES_EQUAL(1.5 * 9.81 / 40, run.stepper().solution().lambda[17], 1e-7);
}

// Of a rate only a damper: it drags both along, with a moment d times what they differ by.
TEST(MaximalSoftRows, AGearWithDampingSlips) {
  const double I = 0.3, d = 0.2, dt = 0.01;
  TestMechanism m;
  for (const double speed : {2.0, -0.5}) {
    m.add(kWheel, {{speed, 0, 0}, {0, 0, 0, 1}}, {0, 0, 0, 0, 0, speed});
    m.constraints.push_back(hinge(kWorld, speed, static_cast<int>(m.bodies.size()) - 1, 0));
  }
  auto clutch = record(ConstraintType::kGear, 0, kIdentity, 1, kIdentity, maximal::Gear<double>{1});
  clutch.damping = d;
  m.constraints.push_back(clutch);
  for (const bool impulses : {false, true}) {
    TestRun run(m);
    TestImpulses<Sparse<double>> stepper(run.table());
    run.loads.gravity = {0, 0, 0};
    run.settings.integrator = Integrator::kSemiImplicitEuler;
    run.settings.dt = dt;
    double slip = -2.5;
    for (int i = 0; i < 100; ++i) {
      if (impulses) {
        CHECK_TRUE(Status::kOk == stepper.step(run.state, run.loads,
                                               {.dt = dt, .tolerance = 1e-13, .max_solves = 50}));
      } else {
        run.step();
      }
      slip /= 1 + 2 * dt * d / I;
      DOUBLES_EQUAL(slip, run.state.v[11] - run.state.v[5], 1e-9);
      DOUBLES_EQUAL(1.5, run.state.v[11] + run.state.v[5], 1e-9);
    }
  }
  m.constraints.back().stiffness = 1;
  const auto table = std::make_unique<TestTable<double>>();
  CHECK_TRUE(Status::kBadConstraint == table->assign(m.bodies, m.constraints));
}

TEST(MaximalSoftRows, NumbersWithoutAMeaningAreRefused) {
  for (double maximal::ConstraintRecord::*own :
       {&maximal::ConstraintRecord::stiffness, &maximal::ConstraintRecord::damping,
        &maximal::ConstraintRecord::armature}) {
    for (const double bad : {-1.0, std::nan(""), HUGE_VAL}) {
      TestMechanism m = wheel(0, {});
      m.constraints[1].*own = bad;
      const auto table = std::make_unique<TestTable<double>>();
      CHECK_TRUE(Status::kBadConstraint == table->assign(m.bodies, m.constraints));
    }
  }
}
