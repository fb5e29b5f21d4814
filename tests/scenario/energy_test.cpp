// Balance laws: along the accelerations that the core computes, energy changes by the power put in
// and momentum by the forces from outside. Energies come from the bodies' motions in the world.
#include <CppUTest/TestHarness.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "oracle/energy.hpp"
#include "support/answers.hpp"
#include "support/motion.hpp"
#include "support/random_tree.hpp"
#include "support/tolerance.hpp"

namespace lockstep::test {

namespace {

using Eigen::VectorXd;
using host::DenseInput;
using host::Mechanics;
using host::mechanics;

// The state a moment later, moving with v and vdot.
DenseInput moved(std::span<const Body> bodies, const DenseInput& state, const VectorXd& vdot,
                 double time) {
  DenseInput later = state;
  later.q = normalized(bodies, state.q + time * config_rate(bodies, state.q, state.v));
  later.v = state.v + time * vdot;
  return later;
}

// The fastest change of the state, per second: what a step must be short against.
double pace(const VectorXd& vdot) { return std::max(1.0, vdot.cwiseAbs().maxCoeff()); }

// d/dt of a quantity by central differences of two widths, extrapolated to none. Over a step of
// a thousandth of the pace the error is some 1e-13 of the quantity times the pace, most of it
// rounding.
template <class Quantity>
auto rate_of(std::span<const Body> bodies, const DenseInput& state, const VectorXd& vdot,
             Quantity quantity) {
  using Result = decltype(quantity(Mechanics{}));
  const auto difference = [&](double h) -> Result {
    return (quantity(mechanics(bodies, moved(bodies, state, vdot, h))) -
            quantity(mechanics(bodies, moved(bodies, state, vdot, -h)))) /
           (2 * h);
  };
  const double h = 1e-3 / pace(vdot);
  const Result wide = difference(h), narrow = difference(h / 2);
  return Result((4 * narrow - wide) / 3);
}

constexpr double kBound = 1e-11;

double energy(const Mechanics& m) { return m.kinetic + m.potential; }

}  // namespace

TEST_GROUP(Energy){};

TEST(Energy, ChangesByThePowerPutIn) {
  for (const Shape shape : kShapes) {
    for (int seed = 0; seed < 8; ++seed) {
      const auto bodies =
          random_tree({.shape = shape, .bodies = 6, .seed = static_cast<std::uint64_t>(seed)});
      Random random(static_cast<std::uint64_t>(seed) + 100);
      const DenseInput state = random_state(bodies, random);
      const Mechanics now = mechanics(bodies, state);
      const double size = 1 + now.kinetic + std::abs(now.potential);
      for (const auto& [name, method] : kCoreMethods) {
        const VectorXd vdot = answer(bodies, state, method).vdot;
        const std::string where = std::string(to_string(shape)) + ", " + name;
        CHECK_AT_MOST(kBound * size * pace(vdot),
                      std::abs(rate_of(bodies, state, vdot, energy) - now.power), where.c_str());
      }
    }
  }
}

// without gravity and outside wrenches, whatever the joints do
TEST(Energy, JointsCannotChangeTheMomentumOfAFreeMechanism) {
  for (int seed = 0; seed < 10; ++seed) {
    auto bodies = random_tree({.bodies = 6, .seed = static_cast<std::uint64_t>(seed)});
    bodies[0].joint = JointType::kFloating;
    bodies[0].damping = 0;
    Random random(static_cast<std::uint64_t>(seed) + 200);
    DenseInput state = random_state(bodies, random);
    state.gravity.setZero();
    state.external.setZero();
    state.tau.head<6>().setZero();
    const Mechanics now = mechanics(bodies, state);
    const double size = 1 + now.momentum.norm() + now.angular_momentum.norm();
    for (const auto& [name, method] : kCoreMethods) {
      const VectorXd vdot = answer(bodies, state, method).vdot;
      const double bound = kBound * size * pace(vdot);
      const auto linear = [](const Mechanics& m) { return m.momentum; };
      const auto angular = [](const Mechanics& m) { return m.angular_momentum; };
      CHECK_AT_MOST(bound, rate_of(bodies, state, vdot, linear).norm(), name);
      CHECK_AT_MOST(bound, rate_of(bodies, state, vdot, angular).norm(), name);
    }
  }
}

// a hundred steps of the classical Runge-Kutta scheme, all joint types, no damper, no effort
TEST(Energy, StaysConstantAlongAnUndrivenMotion) {
  auto bodies = random_tree({.bodies = 8, .seed = 11});
  for (Body& body : bodies) body.damping = 0;
  Random random(12);
  DenseInput state = random_state(bodies, random);
  state.tau.setZero();
  state.external.setZero();
  const host::Engine engine =
      host::make_engine(tree_of(bodies), host::EvalScalar::kDouble, host::EvalMethod::kNullSpace);
  const double start = energy(mechanics(bodies, state));
  const double h = 1e-3;
  for (int step = 0; step < 100; ++step) {
    VectorXd q_sum = VectorXd::Zero(state.q.size()), v_sum = VectorXd::Zero(state.v.size());
    DenseInput stage = state;
    for (const auto& [weight, next] : {std::pair(1.0, 0.5), {2.0, 0.5}, {2.0, 1.0}, {1.0, 0.0}}) {
      const VectorXd v = stage.v, vdot = engine(stage).vdot;
      const VectorXd q_rate = config_rate(bodies, stage.q, v);
      q_sum += weight / 6 * q_rate;
      v_sum += weight / 6 * vdot;
      stage.q = normalized(bodies, state.q + next * h * q_rate);
      stage.v = state.v + next * h * vdot;
    }
    state.q = normalized(bodies, state.q + h * q_sum);
    state.v += h * v_sum;
  }
  const double moved_energy = mechanics(bodies, state).kinetic;
  CHECK(moved_energy > 1);
  CHECK_AT_MOST(1e-7 * moved_energy, std::abs(energy(mechanics(bodies, state)) - start), "drift");
}

}  // namespace lockstep::test
