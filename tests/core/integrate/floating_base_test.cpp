// Free bodies that spin in a semi-implicit Euler step: what they must keep, and how they precess.
#include "lockstep/integrate/floating_base.hpp"

#include <CppUTest/TestHarness.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <memory>

#include "lockstep/auxiliary/bounded_stepper.hpp"
#include "lockstep/table_model.hpp"
#include "oracle/energy.hpp"
#include "support/tolerance.hpp"

namespace lockstep::test {

namespace {

using Eigen::Vector3d;

struct Spin {
  Vector3d moments;  // kg m^2, of 2 kg
  double off = 0;    // m, of the centre of mass along x
  Vector3d w, v;     // rad/s, m/s
};

// Without gravity, a state a millisecond.
template <class T>
class FreeBody {
 public:
  using Model = TableModel<T, 1>;
  using Stepper = BoundedStepper<Model, T, Room{3, 1}, NoRows>;

  explicit FreeBody(const Spin& spin, RowSolver solver = RowSolver::kNewton) : solver_(solver) {
    const double off = 2 * spin.off * spin.off;
    body_ = {.joint = JointType::kFloating,
             .mass = 2,
             .h = {2 * spin.off, 0, 0},
             .inertia = {spin.moments[0], 0, 0, spin.moments[1] + off, 0, spin.moments[2] + off}};
    CHECK(model_.assign({&body_, 1}) == Status::kOk);
    stepper_ = std::make_unique<Stepper>(model_, NoRows{}, std::span<const JointLimits<T>>{});
    state = stepper_->make_input();
    state.gravity.setZero();
    state.v.template head<3>() = spin.v.cast<T>();
    state.v.template tail<3>() = spin.w.cast<T>();
  }
  void step(double dt = 1e-3) {
    CHECK(stepper_->step(state, {.dt = T(dt), .solver = solver_}) == Status::kOk);
    // no joint passes anything to it
    CHECK_AT_MOST(1e-3, double(stepper_->output().reaction.cwiseAbs().maxCoeff()), "reaction");
  }
  host::Mechanics mechanics() const {
    host::DenseInput now = host::rest({&body_, 1});
    now.q = state.q.template cast<double>(), now.v = state.v.template cast<double>();
    now.gravity = Eigen::Vector3d::Zero();
    return host::mechanics({&body_, 1}, now);
  }
  typename Stepper::Input state;

 private:
  RowSolver solver_;
  Body body_;
  Model model_;
  std::unique_ptr<Stepper> stepper_;
};

// How much energy it has at most and at last, and how long |L| is, in shares of the start, over 60
// s.
struct Kept {
  double most, last, spin, momentum;
};
template <class T>
Kept spin_a_minute(const Spin& spin, RowSolver solver = RowSolver::kNewton) {
  FreeBody<T> body(spin, solver);
  const host::Mechanics start = body.mechanics();
  Kept kept = {1, 1, 1, 0};
  for (int i = 0; i < 60'000; ++i) {
    body.step();
    if (i % 10 != 9) continue;
    const host::Mechanics now = body.mechanics();
    kept.last = now.kinetic / start.kinetic;
    kept.most = std::max(kept.most, kept.last);
    kept.momentum = (now.momentum - start.momentum).norm() / (1 + start.momentum.norm());
  }
  const Vector3d w = body.state.v.template tail<3>().template cast<double>();
  kept.spin = spin.moments.cwiseProduct(w).norm() / spin.moments.cwiseProduct(spin.w).norm();
  return kept;
}

// Near the middle axis, where it tumbles.
const Spin kTumbling = {.moments = {0.01, 0.02, 0.025}, .w = {0.5, 30, -0.3}, .v = {3, -4, 5}};

}  // namespace

TEST_GROUP(FloatingBase){};

TEST(FloatingBase, SpinKeepsEnergyAndMomentum) {
  for (const RowSolver solver : {RowSolver::kNewton, RowSolver::kPivoting}) {
    const Kept kept = spin_a_minute<double>(kTumbling, solver);
    CHECK_AT_MOST(1 + 1e-10, kept.most, "energy");
    DOUBLES_EQUAL(1, kept.last, 1e-10);
    DOUBLES_EQUAL(1, kept.spin, 1e-10);
    CHECK_AT_MOST(1e-10, kept.momentum, "momentum");
  }
}
// Of a link whose origin is elsewhere too.
TEST(FloatingBase, SpinAboutACentreOfMassElsewhereKeepsEnergy) {
  Spin spin = kTumbling;
  spin.off = 0.1;
  const Kept kept = spin_a_minute<double>(spin);
  CHECK_AT_MOST(1 + 1e-10, kept.most, "energy");
  DOUBLES_EQUAL(1, kept.last, 1e-10);
  CHECK_AT_MOST(1e-10, kept.momentum, "momentum");
}
// Rounding alone, which is 60,000 times 6e-8 where every step errs the same way.
TEST(FloatingBase, SpinKeepsEnergyInFloat) {
  const Kept kept = spin_a_minute<float>(kTumbling);
  CHECK_AT_MOST(1 + 4e-3, kept.most, "energy");
  DOUBLES_EQUAL(1, kept.last, 4e-3);
  DOUBLES_EQUAL(1, kept.spin, 4e-3);
}
// A symmetric top turns its angular velocity about its axis with (C - A) / A of the axis' own.
TEST(FloatingBase, SymmetricTopPrecesses) {
  FreeBody<double> top({.moments = {0.02, 0.02, 0.03}, .w = {3, 0, 20}, .v = {0, 0, 0}});
  const double rate = (0.03 - 0.02) / 0.02 * 20;
  for (int i = 0; i < 1000; ++i) top.step();
  // the midpoint rule turns by 2 atan(rate dt / 2)
  const double angle = 1000 * 2 * std::atan(0.5e-3 * rate);
  DOUBLES_EQUAL(3 * std::cos(angle), top.state.v[3], 1e-9);
  DOUBLES_EQUAL(3 * std::sin(angle), top.state.v[4], 1e-9);
  DOUBLES_EQUAL(20, top.state.v[5], 1e-9);
}
// Thrown, it flies as a point does: the centre of mass of what tumbles falls by g t^2 / 2, and
// Euler's g t dt / 2 more.
TEST(FloatingBase, WhatTumblesFallsAsAPoint) {
  Spin spin = kTumbling;
  spin.off = 0.1;
  FreeBody<double> body(spin);
  body.state.gravity << 0, 0, -9.81;
  const auto centre = [&] {
    const Eigen::Quaterniond R(body.state.q[6], body.state.q[3], body.state.q[4], body.state.q[5]);
    return Vector3d(body.state.q.head<3>() + R * Vector3d(spin.off, 0, 0));
  };
  const Vector3d start = centre(), v = spin.v + spin.w.cross(Vector3d(spin.off, 0, 0));
  for (int i = 0; i < 1000; ++i) body.step();
  const Vector3d expected = start + v - Vector3d(0, 0, 9.81 / 2 * (1 + 1e-3));
  CHECK_AT_MOST(1e-9, (centre() - expected).norm(), "m");
}

}  // namespace lockstep::test
