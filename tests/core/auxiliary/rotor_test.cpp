// Rotors merged into their joints, and joints of other bodies tied to them, against the robot with
// every rotor a body and every gear a row of one dense system.
#include "lockstep/rotor.hpp"

#include <CppUTest/TestHarness.h>

#include <memory>

#include "core/auxiliary/dense_rows.hpp"
#include "lockstep/auxiliary/constrained_solver.hpp"
#include "lockstep/direct.hpp"
#include "lockstep/integrate/joint_stepper.hpp"
#include "lockstep/inverse_dynamics.hpp"
#include "lockstep/kinematics.hpp"
#include "lockstep/mass_matrix.hpp"
#include "lockstep/solver.hpp"
#include "lockstep/table_model.hpp"
#include "model/merge.hpp"
#include "model/rotor_map.hpp"
#include "oracle/energy.hpp"
#include "support/allocation_guard.hpp"
#include "support/geared_tree.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;
using test::DenseRow;
using test::DenseRows;
using test::Shape;

namespace {

constexpr int kBodies = 20, kRows = 6;
template <class T>
using Table = TableModel<T, kBodies>;

// A robot with rotors, whole and merged.
struct Geared {
  host::Tree whole, merged;
  host::RotorMap map;

  explicit Geared(const test::TreeOptions& options, bool round = true)
      : whole(test::geared_tree(options, round)),
        merged(host::merge_rotors(whole)),
        map(whole, merged) {
    LONGS_EQUAL(0, merged.couplings.size());
    LONGS_EQUAL(whole.bodies.size(), merged.bodies.size() + merged.rotors.size());
  }
  // v of all joints that are left from those that lead.
  Eigen::MatrixXd spread() const {
    std::vector<Counts> first;
    Counts counts;
    for (const Body& body : merged.bodies) first.push_back(counts), counts.add(body.joint);
    Eigen::MatrixXd E = Eigen::MatrixXd::Identity(counts.v, counts.v);
    for (std::size_t i = 0; i < merged.bodies.size(); ++i) {
      const Tie& tie = merged.bodies[i].tie;
      if (tie.leader == kNone) continue;
      E(first[i].v, first[i].v) = 0;
      E(first[i].v, first[at(tie.leader)].v) = tie.ratio;
    }
    return E;
  }
  // The numbers of the bodies that are left: the first ones, for rotors were added behind them.
  DenseRows dense(const host::DenseInput& in) const {
    DenseRows rows(whole.bodies, in);
    for (const Coupling& coupling : whole.couplings) {
      DenseRow& row = rows.add(0);
      for (int k = 0; k < coupling.count; ++k) {
        const CouplingTerm& term = whole.terms[at(coupling.first + k)];
        rows.add_joint(row, term.body, term.coefficient);
      }
    }
    return rows;
  }
};

template <class F>
void for_geared_robots(bool massless, F&& f) {
  for (const Shape shape : test::kShapes) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      for (const bool round : {true, false}) {
        f(Geared({.shape = shape, .bodies = round ? 8 : 6, .seed = seed, .massless = massless},
                 round),
          seed);
      }
    }
  }
}

template <class T, class Solver>
auto input_for(const Solver& solver, const host::DenseInput& in) {
  auto input = solver.make_input();
  input.q = in.q.template cast<T>(), input.v = in.v.template cast<T>();
  input.tau = in.tau.template cast<T>(), input.gravity = in.gravity.template cast<T>();
  return input;
}

template <class T>
void check_against_dense(bool massless, double bound) {
  for_geared_robots(massless, [&](const Geared& robot, std::uint64_t seed) {
    test::Random random(seed + 50);
    const host::DenseInput whole = test::geared_state(robot.whole, random);
    const host::DenseInput in = robot.map.to_merged(whole);
    const DenseRows::Answer dense = robot.dense(whole).solve();
    Table<T> table;
    CHECK_TRUE(Status::kOk == table.assign(robot.merged.bodies));
    const auto solver = std::make_unique<Solver<Table<T>, T>>(table);
    auto out = solver->make_output();
    const typename Solver<Table<T>, T>::Wrenches external = in.external.cast<T>();
    CHECK_TRUE(Status::kOk == solver->forward_dynamics(input_for<T>(*solver, in), external, out));
    const Eigen::VectorXd vdot = robot.map.whole_v(out.vdot.template cast<double>());
    CHECK_AT_MOST(bound, test::relative_error(vdot, dense.out.vdot), "vdot");
    const auto left = static_cast<Eigen::Index>(robot.merged.bodies.size());
    CHECK_AT_MOST(bound, test::relative_error(out.reaction, dense.out.reaction.leftCols(left)),
                  "reaction");
  });
}

}  // namespace

TEST_GROUP(Rotor){};

TEST(Rotor, MergedMatchesDenseOracle) { check_against_dense<double>(false, 1e-10); }

TEST(Rotor, MasslessLinksMatchDenseOracle) { check_against_dense<double>(true, 1e-9); }

TEST(Rotor, FloatIsCloseToDenseOracle) { check_against_dense<float>(false, 2e-3); }

TEST(Rotor, RowsOnMergedTreeMatchDenseOracle) {
  using Tested = ConstrainedSolver<Table<double>, double, kRows>;
  for_geared_robots(false, [](const Geared& robot, std::uint64_t seed) {
    test::Random random(seed + 60);
    const host::DenseInput whole = test::geared_state(robot.whole, random);
    const host::DenseInput in = robot.map.to_merged(whole);
    DenseRows dense = robot.dense(whole);
    Table<double> table;
    CHECK_TRUE(Status::kOk == table.assign(robot.merged.bodies));
    const auto solver = std::make_unique<Tested>(table);
    const int left = table.body_count();
    auto out = solver->make_output();
    Tested::Forces forces;
    const auto add_rows = [&](Tested& to) {
      for (int i = 0; i < 3; ++i) {
        const int body = random.below(left);
        const Eigen::Vector3d f = random.vector(1), m = random.vector(1);
        const Spatial<double> value = {{f.x(), f.y(), f.z()}, {m.x(), m.y(), m.z()}};
        const std::array<auxiliary::Term<double>, 1> term = {auxiliary::wrench_term(body, value)};
        const double bias = random.uniform(-1, 1);
        if (const Status status = to.add(term, bias); status != Status::kOk) return status;
        DenseRow& row = dense.add(bias);
        host::Vector6d wrench;
        wrench << f, m;
        dense.add_wrench(row, body, wrench, true, true);
      }
      for (int body = 0; body < left; ++body) {
        const JointType joint = robot.merged.bodies[at(body)].joint;
        if (dof_count(joint) != 1 || left == 1) continue;
        const std::array<auxiliary::Term<double>, 1> term = {
            auxiliary::joint_term(joint, body, 0, 1.7)};
        if (const Status status = to.add(term, 0.3); status != Status::kOk) return status;
        dense.add_joint(dense.add(0.3), body, 1.7);
        break;
      }
      return Status::kOk;
    };
    const Tested::Wrenches external = in.external;
    CHECK_TRUE(Status::kOk == solver->forward_dynamics(input_for<double>(*solver, in), external,
                                                       add_rows, out, forces));
    if (forces.redundant != 0) return;  // more rows than freedoms
    const DenseRows::Answer answer = dense.solve();
    CHECK_AT_MOST(1e-8, test::relative_error(robot.map.whole_v(out.vdot), answer.out.vdot), "vdot");
    CHECK_AT_MOST(1e-8, test::relative_error(out.reaction, answer.out.reaction.leftCols(left)),
                  "reaction");
  });
}

TEST(Rotor, ImpulsesOfRowsChangeVelocitiesByMassMatrix) {
  using Tested = ConstrainedSolver<Table<double>, double, kRows>;
  for_geared_robots(false, [](const Geared& robot, std::uint64_t seed) {
    test::Random random(seed + 70);
    const host::DenseInput in = robot.map.to_merged(test::geared_state(robot.whole, random));
    Table<double> table;
    CHECK_TRUE(Status::kOk == table.assign(robot.merged.bodies));
    const auto solver = std::make_unique<Tested>(table);
    CHECK_TRUE(Status::kOk == solver->begin(input_for<double>(*solver, in)));
    Eigen::VectorXd impulse = Eigen::VectorXd::Zero(in.v.size());
    Tested::Multipliers mu{};
    Counts place;
    int rows = 0;
    for (int body = 0; body < table.body_count() && rows < kRows; ++body) {
      const JointType joint = robot.merged.bodies[at(body)].joint;
      const std::array<auxiliary::Term<double>, 1> term = {
          auxiliary::joint_term(joint, body, 0, 1.0)};
      CHECK_TRUE(Status::kOk == solver->add(term, 0.0));
      impulse[place.v] = mu[at(rows++)] = random.uniform(-1, 1);
      place.add(joint);
    }
    Tested::System system;
    CHECK_TRUE(Status::kOk == solver->anticipate(system));
    auto dv = solver->make_output().vdot;
    CHECK_TRUE(Status::kOk == solver->change(mu, dv));
    MassMatrix<Table<double>, double> mass(table);
    auto M = mass.make_output();
    CHECK_TRUE(Status::kOk == mass.mass_matrix(in.q, M));
    const Eigen::MatrixXd E = robot.spread();
    CHECK_AT_MOST(1e-9, test::relative_error(E.transpose() * (M * dv), E.transpose() * impulse),
                  "M dv");
  });
}

TEST(Rotor, MassMatrixHoldsTheEnergyOfTheWholeRobot) {
  for_geared_robots(true, [](const Geared& robot, std::uint64_t seed) {
    test::Random random(seed + 80);
    Table<double> table;
    CHECK_TRUE(Status::kOk == table.assign(robot.merged.bodies));
    MassMatrix<Table<double>, double> mass(table);
    auto M = mass.make_output();
    for (int state = 0; state < 3; ++state) {
      const host::DenseInput whole = test::geared_state(robot.whole, random);
      const host::DenseInput in = robot.map.to_merged(whole);
      CHECK_TRUE(Status::kOk == mass.mass_matrix(in.q, M));
      CHECK_TRUE(M == M.transpose());
      const double energy = host::mechanics(robot.whole.bodies, whole).kinetic;
      const Eigen::VectorXd momentum = M * in.v;
      DOUBLES_EQUAL(energy, 0.5 * in.v.dot(momentum), 1e-11 * energy);
    }
  });
}

// but for rotors on the world, which are no part of the merged robot
TEST(Rotor, MomentumAndEnergyAreThoseOfTheWholeRobot) {
  for_geared_robots(false, [](const Geared& robot, std::uint64_t seed) {
    test::Random random(seed + 85);
    Table<double> table;
    CHECK_TRUE(Status::kOk == table.assign(robot.merged.bodies));
    Kinematics<Table<double>, double> kinematics(table);
    const host::DenseInput whole = test::geared_state(robot.whole, random);
    const host::DenseInput in = robot.map.to_merged(whole);
    host::Mechanics known = host::mechanics(robot.whole.bodies, whole);
    const auto placed = host::place_in_world(robot.whole.bodies, whole.q, whole.v);
    for (std::size_t i = 0; i < placed.size(); ++i) {
      const bool there = robot.whole.bodies[i].parent == kWorld;
      if (!there || !robot.map.is_rotor(static_cast<Eigen::Index>(i))) continue;
      known.angular_momentum -= placed[i].inertia * placed[i].omega;
    }
    Kinematics<Table<double>, double>::Momentum momentum;
    Kinematics<Table<double>, double>::Energy energy;
    CHECK_TRUE(Status::kOk == kinematics.momentum(in.q, in.v, momentum));
    CHECK_TRUE(Status::kOk == kinematics.energy(in.q, in.v, in.gravity, energy));
    CHECK_AT_MOST(1e-11, test::relative_error(momentum.linear, known.momentum), "linear");
    CHECK_AT_MOST(1e-11, test::relative_error(momentum.angular, known.angular_momentum), "angular");
    DOUBLES_EQUAL(known.kinetic, energy.kinetic, 1e-11 * known.kinetic);
  });
}

// tau -> vdot -> the same effort, all of it at the leaders; vdot -> tau -> vdot, whatever the
// followers are said to do
TEST(Rotor, InverseDynamicsUndoesForwardDynamics) {
  for_geared_robots(true, [](const Geared& robot, std::uint64_t seed) {
    test::Random random(seed + 90);
    const host::DenseInput in = robot.map.to_merged(test::geared_state(robot.whole, random));
    Table<double> table;
    CHECK_TRUE(Status::kOk == table.assign(robot.merged.bodies));
    Solver<Table<double>, double> solver(table);
    auto out = solver.make_output(), again = solver.make_output();
    const Solver<Table<double>, double>::Wrenches external = in.external;
    auto input = input_for<double>(solver, in);
    CHECK_TRUE(Status::kOk == solver.forward_dynamics(input, external, out));
    InverseDynamics<Table<double>, double> inverse(table);
    auto motion = inverse.make_input();
    motion.q = in.q, motion.v = in.v, motion.vdot = out.vdot, motion.gravity = in.gravity;
    const Eigen::MatrixXd E = robot.spread();
    for (Eigen::Index i = 0; i < E.rows(); ++i) {
      if (E(i, i) == 0) motion.vdot[i] = random.uniform(-1, 1);
    }
    auto tau = inverse.make_output();
    CHECK_TRUE(Status::kOk == inverse.inverse_dynamics(motion, external, tau));
    CHECK_AT_MOST(1e-9, test::relative_error(tau, E.transpose() * in.tau), "tau");
    input.tau = tau;
    CHECK_TRUE(Status::kOk == solver.forward_dynamics(input, external, again));
    CHECK_AT_MOST(1e-9, test::relative_error(again.vdot, out.vdot), "vdot");
  });
}

TEST(Rotor, GravityTorqueHoldsTiedJointsStill) {
  for_geared_robots(false, [](const Geared& robot, std::uint64_t seed) {
    test::Random random(seed + 95);
    const host::DenseInput in = robot.map.to_merged(test::geared_state(robot.whole, random));
    Table<double> table;
    CHECK_TRUE(Status::kOk == table.assign(robot.merged.bodies));
    InverseDynamics<Table<double>, double> inverse(table);
    auto tau = inverse.make_output();
    CHECK_TRUE(Status::kOk == inverse.gravity_torque(in.q, in.gravity, tau));
    CHECK_TRUE(tau == Eigen::VectorXd(robot.spread().diagonal().asDiagonal() * tau));
    Solver<Table<double>, double> solver(table);
    auto input = solver.make_input();
    auto out = solver.make_output();
    input.q = in.q, input.tau = tau, input.gravity = in.gravity;
    CHECK_TRUE(Status::kOk == solver.forward_dynamics(input, out));
    CHECK_AT_MOST(1e-9, out.vdot.cwiseAbs().maxCoeff(), "vdot");
  });
}

void check_energy(bool round) {
  Geared robot({.shape = Shape::kRandom, .bodies = 6, .seed = 3}, round);
  for (Body& body : robot.merged.bodies) body.damping = 0;
  test::Random random(4);
  host::DenseInput whole = test::geared_state(robot.whole, random);
  Table<double> table;
  CHECK_TRUE(Status::kOk == table.assign(robot.merged.bodies));
  JointStepper<Table<double>, double> stepper(table);
  auto state = stepper.make_input();
  state.q = robot.map.merged_q(whole.q), state.v = robot.map.merged_v(whole.v);
  const auto energy = [&] {
    whole.q = robot.map.whole_q(state.q), whole.v = robot.map.whole_v(state.v);
    whole.gravity = {0, 0, -9.81};
    const host::Mechanics now = host::mechanics(robot.whole.bodies, whole);
    return now.kinetic + now.potential;
  };
  const double before = energy(), moved = state.q[0];
  bool ok = true;
  const auto fall = [&] {
    for (int i = 0; i < 500 && ok; ++i) {
      ok = stepper.step(state, 1e-3, Integrator::kRungeKutta4) == Status::kOk;
    }
  };
  LONGS_EQUAL(0, test::allocations_in(fall));
  CHECK_TRUE(ok);
  DOUBLES_EQUAL(before, energy(), 1e-7 * std::abs(before));
  CHECK_TRUE(moved != state.q[0]);
  const Eigen::VectorXd led = robot.spread() * state.v;
  CHECK_AT_MOST(1e-13, test::relative_error(state.v, led), "followers");
}

TEST(Rotor, RungeKuttaKeepsTheEnergyOfTheWholeRobot) { check_energy(true); }

TEST(Rotor, RungeKuttaKeepsTheEnergyWithTiedJoints) { check_energy(false); }

TEST(Rotor, DirectEliminationRefusesThem) {
  const Geared robot({.shape = Shape::kChain, .bodies = 4, .seed = 1});
  Table<double> table;
  CHECK_TRUE(Status::kOk == table.assign(robot.merged.bodies));
  const auto solver = std::make_unique<DirectSolver<Table<double>, double>>(table);
  auto out = solver->make_output();
  CHECK_TRUE(Status::kGeared == solver->forward_dynamics(solver->make_input(), out));
}

TEST(Rotor, ATableWithoutThemRefusesThem) {
  const Geared robot({.shape = Shape::kChain, .bodies = 4, .seed = 1});
  TableModel<double, kBodies, false> table;
  CHECK_TRUE(Status::kGeared == table.assign(robot.merged.bodies));
  LONGS_EQUAL(0, table.body_count());
}

TEST(Rotor, TableRefusesTiesWithoutMeaning) {
  std::array<Body, 3> bodies;
  for (Body& body : bodies) test::make_box(body, 1, {0.1, 0.1, 0.1}, {0, 0, 0});
  bodies[0].leads = true;
  bodies[0].followed = 1;
  bodies[1].tie = {.leader = 0, .ratio = 2};
  Table<double> table;
  CHECK_TRUE(Status::kOk == table.assign(bodies));
  const auto refused = [&](Status expected, auto change) {
    std::array<Body, 3> wrong = bodies;
    change(wrong);
    CHECK_TRUE(expected == table.assign(wrong));
    LONGS_EQUAL(3, table.body_count());
  };
  refused(Status::kBadParent, [](auto& b) { b[2].parent = 1; });  // hangs on a follower
  refused(Status::kBadParent, [](auto& b) { b[1].parent = 0; });  // another parent
  refused(Status::kBadParent, [](auto& b) { b[1].tie.leader = 2; });
  refused(Status::kBadParent, [](auto& b) { b[2].tie.leader = 1; });  // which follows itself
  refused(Status::kBadParent, [](auto& b) { b[1].tie.leader = -2; });
  refused(Status::kBadJoint, [](auto& b) { b[1].joint = JointType::kBall; });
  refused(Status::kBadInertia, [](auto& b) { b[0].leads = false; });
  refused(Status::kBadInertia, [](auto& b) { b[0].followed = -1; });
  refused(Status::kBadInertia,
          [](auto& b) { b[1].tie.ratio = std::numeric_limits<double>::infinity(); });
  TableModel<double, kBodies, false> simple;
  CHECK_TRUE(Status::kGeared == simple.assign(bodies));
}

TEST(Rotor, TableRefusesArmaturesWithoutMeaning) {
  Table<double> table;
  Body body;
  test::make_box(body, 1, {0.1, 0.1, 0.1}, {0, 0, 0});
  body.armature = -1;
  CHECK_TRUE(Status::kBadInertia == table.assign(std::span(&body, 1)));
  body.armature = 1;
  body.spin[1] = std::numeric_limits<double>::quiet_NaN();
  CHECK_TRUE(Status::kBadInertia == table.assign(std::span(&body, 1)));
  body.spin[1] = 0;
  body.joint = JointType::kBall;
  CHECK_TRUE(Status::kBadJoint == table.assign(std::span(&body, 1)));
}
