#include "lockstep/integrate/joint_stepper.hpp"
#include "lockstep/table_model.hpp"

#include <CppUTest/TestHarness.h>

#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "oracle/dense.hpp"
#include "oracle/energy.hpp"
#include "support/allocation_guard.hpp"
#include "support/exponent.hpp"
#include "support/long_test.hpp"
#include "support/motion.hpp"
#include "support/random_tree.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;

namespace {

constexpr Integrator kAll[] = {Integrator::kSemiImplicitEuler, Integrator::kRungeKutta4,
                               Integrator::kMidpoint, Integrator::kEulerMiddle};

template <class T>
struct Bench {
  using Table = TableModel<T, 8>;
  using Stepper = JointStepper<Table, T>;
  explicit Bench(std::span<const Body> bodies) {
    CHECK_TRUE(Status::kOk == table.assign(bodies));
    stepper = std::make_unique<Stepper>(table);
    state = stepper->make_input();
    external = stepper->make_wrenches();
  }
  void set(const host::DenseInput& from) {
    state.q = from.q.cast<T>(), state.v = from.v.cast<T>(), state.tau = from.tau.cast<T>();
    state.gravity = from.gravity.cast<T>(), external = from.external.cast<T>();
  }
  host::DenseInput dense() const {
    return {.q = state.q.template cast<double>(),
            .v = state.v.template cast<double>(),
            .tau = state.tau.template cast<double>(),
            .external = external.template cast<double>(),
            .gravity = state.gravity.template cast<double>()};
  }
  Table table;
  std::unique_ptr<Stepper> stepper;
  typename Stepper::Input state;
  typename Stepper::Wrenches external;
};

// Every joint type at work.
std::vector<Body> all_joints() {
  auto bodies = test::random_tree({.bodies = 5, .seed = 21});
  for (int i = 0; i < kJointTypes; ++i) {
    bodies[static_cast<std::size_t>(i)].joint = static_cast<JointType>(kJointTypes - 1 - i);
  }
  return bodies;
}

// The classical scheme on the numbers of q themselves, with the dense oracle's accelerations.
host::DenseInput reference(std::span<const Body> bodies, host::DenseInput state, double time,
                           int steps) {
  const double h = time / steps;
  for (int step = 0; step < steps; ++step) {
    Eigen::VectorXd q_sum = Eigen::VectorXd::Zero(state.q.size());
    Eigen::VectorXd v_sum = Eigen::VectorXd::Zero(state.v.size());
    host::DenseInput stage = state;
    for (const auto& [weight, next] : {std::pair(1.0, 0.5), {2.0, 0.5}, {2.0, 1.0}, {1.0, 0.0}}) {
      const Eigen::VectorXd vdot =
          host::solve_dense(bodies, stage, host::DenseEquation::kMultipliers).vdot;
      const Eigen::VectorXd q_rate = test::config_rate(bodies, stage.q, stage.v);
      q_sum += weight / 6 * q_rate, v_sum += weight / 6 * vdot;
      stage.q = test::normalized(bodies, state.q + next * h * q_rate);
      stage.v = state.v + next * h * vdot;
    }
    state.q = test::normalized(bodies, state.q + h * q_sum);
    state.v += h * v_sum;
  }
  return state;
}

double energy(std::span<const Body> bodies, const host::DenseInput& state) {
  const host::Mechanics m = host::mechanics(bodies, state);
  return m.kinetic + m.potential;
}

// One metre, one kilogram, swinging in a plane from the horizontal.
constexpr std::array<Body, 1> kPendulum = {{{.R_PJ = {1, 0, 0, 0, 0, -1, 0, 1, 0},
                                             .mass = 1,
                                             .h = {1, 0, 0},
                                             .inertia = {0, 0, 0, 1, 0, 1}}}};
constexpr std::array<Body, 1> kFree = {{{.joint = JointType::kFloating,
                                         .mass = 2,
                                         .h = {0.1, 0, 0.2},
                                         .inertia = {0.3, 0, 0, 0.5, 0, 0.7}}}};

}  // namespace

TEST_GROUP(JointStepper){};

TEST(JointStepper, ConvergesWithTheOrderOfItsScheme) {
  struct Scheme {
    Integrator integrator;
    bool damped;
    double order, error;
  };
  for (const Scheme& scheme : {Scheme{Integrator::kSemiImplicitEuler, true, 1, 0.1},
                               {Integrator::kEulerMiddle, true, 1, 0.1},
                               {Integrator::kMidpoint, true, 1, 0.1},
                               {Integrator::kMidpoint, false, 2, 1e-3},
                               {Integrator::kRungeKutta4, true, 4, 1e-5}}) {
    auto bodies = all_joints();
    for (Body& body : bodies) body.damping *= scheme.damped ? 1 : 0;
    test::Random random(22);
    const host::DenseInput start = test::random_state(bodies, random);
    const double time = 0.1;
    const host::DenseInput end = reference(bodies, start, time, 128);
    std::vector<double> widths, errors;
    for (int steps : {8, 16, 32}) {
      if (scheme.order < 4) steps *= 32;  // of the midpoint none is taken in parts
      Bench<double> b(bodies);
      b.set(start);
      for (int i = 0; i < steps; ++i) {
        CHECK_TRUE(Status::kOk ==
                   b.stepper->step(b.state, b.external, time / steps, scheme.integrator));
      }
      auto off = b.state.v;
      typename Bench<double>::Stepper::Configs exact = end.q;
      CHECK_TRUE(Status::kOk == difference(b.table, exact, b.state.q, off));
      widths.push_back(time / steps);
      errors.push_back(off.norm() + (b.state.v - end.v).norm());
    }
    CHECK_AT_MOST(0.15, std::abs(test::exponent(widths, errors) - scheme.order), "order");
    CHECK_AT_MOST(scheme.error, errors.back(), "error");
  }
}

// Fast and long enough that explicit Coriolis terms make it fly apart.
TEST(JointStepper, VelocityTermsOfTheMiddleKeepAFastChainsEnergy) {
  auto bodies = test::random_tree({.shape = test::Shape::kChain, .bodies = 6, .seed = 5});
  for (Body& body : bodies) body.joint = JointType::kRevolute, body.damping = 0;
  const auto largest_change = [&](Integrator integrator) {
    Bench<double> b(bodies);
    b.state.v.setConstant(6);
    const double start = energy(bodies, b.dense());
    double worst = 0;
    for (int i = 0; i < 4000; ++i) {
      if (b.stepper->step(b.state, 2e-3, integrator) != Status::kOk) return 1e9;
      worst = std::max(worst, std::abs(energy(bodies, b.dense()) / start - 1));
    }
    return worst;
  };
  CHECK_AT_MOST(0.01, largest_change(Integrator::kMidpoint), "midpoint");
  const double euler = largest_change(Integrator::kSemiImplicitEuler);
  CHECK_TRUE(euler > 0.1);
  CHECK_AT_MOST(0.3 * euler, largest_change(Integrator::kEulerMiddle), "Euler's, of the middle");
}

LONG_TEST(JointStepper, WithoutDampingEnergyDoesNotDrift) {
  const auto largest_error = [](Integrator integrator, double dt, int steps) {
    Bench<double> b(kPendulum);
    double worst = 0;
    for (int i = 0; i < steps; ++i) {
      CHECK_TRUE(Status::kOk == b.stepper->step(b.state, dt, integrator));
      worst = std::max(worst, std::abs(energy(kPendulum, b.dense())));  // zero at the start
    }
    return worst;
  };
  // 9.81 J swing to and fro; the first order makes the same error in one period as in ten
  const double once = largest_error(Integrator::kSemiImplicitEuler, 1e-3, 2500);
  CHECK_AT_MOST(0.03, once, "a period");
  CHECK_AT_MOST(1.01 * once, largest_error(Integrator::kSemiImplicitEuler, 1e-3, 25000), "many");
  CHECK_AT_MOST(1e-8, largest_error(Integrator::kRungeKutta4, 1e-3, 25000), "fourth order");
}

TEST(JointStepper, QuaternionsKeepTheirLength) {
  for (const Integrator integrator : kAll) {
    Bench<float> b(kFree);
    b.state.v << 1, 0, 0, 3, -2, 5;
    b.state.gravity.setZero();
    float worst = 0;
    for (int i = 0; i < 100000; ++i) {
      CHECK_TRUE(Status::kOk == b.stepper->step(b.state, 1e-3f, integrator));
      worst = std::max(worst, std::abs(b.state.q.tail<4>().squaredNorm() - 1));
    }
    CHECK_AT_MOST(5e-7, static_cast<double>(worst), "length");
  }
}

TEST(JointStepper, AFreeBodyKeepsItsMomentum) {
  Bench<double> b(kFree);
  b.state.v << 1, 0, 0, 3, -2, 5;
  b.state.gravity.setZero();
  const host::Mechanics start = host::mechanics(kFree, b.dense());
  for (int i = 0; i < 10000; ++i) {
    CHECK_TRUE(Status::kOk == b.stepper->step(b.state, 1e-3, Integrator::kRungeKutta4));
  }
  const host::Mechanics end = host::mechanics(kFree, b.dense());
  CHECK_AT_MOST(1e-7, (end.momentum - start.momentum).norm(), "linear");
  CHECK_AT_MOST(1e-7, (end.angular_momentum - start.angular_momentum).norm(), "angular");
  CHECK_AT_MOST(1e-7, std::abs(end.kinetic - start.kinetic), "energy");
}

TEST(JointStepper, TheOutputBelongsToTheStartOfTheStep) {
  const auto bodies = all_joints();
  test::Random random(23);
  for (const Integrator integrator : kAll) {
    Bench<double> b(bodies);
    b.set(test::random_state(bodies, random));
    Solver<Bench<double>::Table> solver(b.table);
    auto expected = solver.make_output();
    auto added = b.state.v;
    const double dt = 1e-3;
    Implicit<double> implicit;
    begin_step(dt, integrator, implicit);
    set_added_inertia(b.table, implicit, added.data());
    CHECK_TRUE(Status::kOk ==
               solver.implicit_dynamics<true>(b.state, &b.external, added, expected));
    CHECK_TRUE(Status::kOk == b.stepper->step(b.state, b.external, dt, integrator));
    CHECK_TRUE(b.stepper->output().vdot == expected.vdot);
    CHECK_TRUE(b.stepper->output().reaction == expected.reaction);
    CHECK_TRUE(b.stepper->output().lambda == expected.lambda);
  }
}

TEST(JointStepper, AFailureLeavesTheState) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  const auto bodies = all_joints();
  for (const Integrator integrator : kAll) {
    const auto refused = [&](auto&& spoil, double dt) {
      Bench<double> b(bodies);
      b.state.v.setConstant(0.5);
      spoil(b.state);
      const auto before = b.state;
      const Status status = b.stepper->step(b.state, dt, integrator);
      CHECK_TRUE(b.state.q == before.q && b.state.v == before.v);
      return status;
    };
    const auto nothing = [](auto&) {};
    for (const double dt : {0.0, -1e-3, kNaN, std::numeric_limits<double>::infinity()}) {
      CHECK_TRUE(Status::kBadTimeStep == refused(nothing, dt));
    }
    CHECK_TRUE(Status::kNotFinite == refused([&](auto& in) { in.tau[3] = kNaN; }, 1e-3));
    CHECK_TRUE(Status::kNotUnitQuaternion == refused([&](auto& in) { in.q[6] = 2; }, 1e-3));
    CHECK_TRUE(Status::kWrongSize == refused([&](auto& in) { in.tau.resize(2); }, 1e-3));
    // the first solution is finite, what follows from it is not
    CHECK_TRUE(Status::kOverflow == refused([&](auto& in) { in.tau.setConstant(1e307); }, 1e3));
    // velocities of the middle that no answer is finite at, or a way that no angle goes
    const bool middle = integrator == Integrator::kEulerMiddle;
    CHECK_TRUE((middle ? Status::kOverflow : Status::kAngleTooLarge) ==
               refused([&](auto& in) { in.v.setConstant(1e7); }, 10));
  }
}

TEST(JointStepper, NeverAllocates) {
  Bench<double> b(all_joints());
  LONGS_EQUAL(0, test::allocations_in([&] {
                typename Bench<double>::Stepper fresh(b.table);
                for (const Integrator integrator : kAll) {
                  CHECK_TRUE(Status::kOk == fresh.step(b.state, b.external, 1e-3, integrator));
                }
              }));
}
