#include "loop/computed_torque.hpp"

#include <CppUTest/TestHarness.h>

#include <cmath>
#include <limits>
#include <memory>

#include "lockstep/integrate/joint_stepper.hpp"
#include "lockstep/table_model.hpp"
#include "support/allocation_guard.hpp"
#include "support/random_tree.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

template <class T>
struct Bench {
  using Table = TableModel<T, 8>;
  using Robot = firmware::Robot<Table, T>;
  using Law = firmware::ComputedTorque<Table, T>;
  explicit Bench(std::span<const Body> bodies) {
    CHECK_TRUE(Status::kOk == robot.table().assign(bodies));
    settings.resize(robot.view().counts().v);
    law = std::make_unique<Law>(robot);
    stepper = std::make_unique<JointStepper<Table, T>>(robot.view());
    reference = law->make_reference();
    state = stepper->make_input();
  }
  Status control() { return law->control(settings, state.q, state.v, reference, state.tau); }
  void step() {
    CHECK_TRUE(Status::kOk == control());
    CHECK_TRUE(Status::kOk == stepper->step(state, settings.dt, settings.integrator));
  }
  Robot robot;
  firmware::Settings<Table, T> settings;
  std::unique_ptr<Law> law;
  std::unique_ptr<JointStepper<Table, T>> stepper;
  typename Law::Reference reference;
  typename JointStepper<Table, T>::Input state;
};

std::vector<Body> turning_tree() {
  return test::random_tree({.bodies = 4, .seed = 8, .only_turning = true});
}

}  // namespace

TEST_GROUP(ComputedTorque){};

// e'' + kd e' + kp e = 0 with kp = 4, kd = 1, from e = -0.4, e' = 0.7 about a moving reference
TEST(ComputedTorque, TheErrorDiesOutAsTheGainsSay) {
  const double time = 1, decay = 0.5, omega = std::sqrt(4 - decay * decay), e0 = -0.4, r0 = 0.7;
  const auto swing = [&](double e, double rate) {
    return std::exp(-decay * time) *
           (e * std::cos(omega * time) + (rate + decay * e) / omega * std::sin(omega * time));
  };
  const double e1 = swing(e0, r0), r1 = swing(r0, -4 * e0 - r0);
  const auto error_with = [&](int steps) {
    Bench<double> b(turning_tree());
    b.settings.dt = time / steps;
    b.settings.kp = 4, b.settings.kd = 1;
    const auto refer = [&](double t) {
      b.reference.q.setConstant(std::sin(3 * t));
      b.reference.v.setConstant(3 * std::cos(3 * t));
      b.reference.a.setConstant(-9 * std::sin(3 * t));
    };
    refer(0);
    b.state.q.array() = b.reference.q.array() - e0;
    b.state.v.array() = b.reference.v.array() - r0;
    for (int i = 0; i < steps; ++i) {
      refer(i * b.settings.dt);
      b.step();
    }
    refer(time);
    return ((b.reference.q - b.state.q).array() - e1).abs().maxCoeff() +
           ((b.reference.v - b.state.v).array() - r1).abs().maxCoeff();
  };
  const double coarse = error_with(2000), fine = error_with(4000);
  CHECK_AT_MOST(0.01, fine, "error");
  DOUBLES_EQUAL(2, coarse / fine, 0.05);  // of the first order: nothing but the steps is wrong
}

TEST(ComputedTorque, EveryJointTypeComesToItsReference) {
  auto bodies = test::random_tree({.bodies = 5, .seed = 21});
  for (int i = 0; i < kJointTypes; ++i) {
    bodies[static_cast<std::size_t>(i)].joint = static_cast<JointType>(kJointTypes - 1 - i);
  }
  Bench<float> b(bodies);
  test::Random random(9);
  const host::DenseInput from = test::random_state(bodies, random);
  const host::DenseInput to = test::random_state(bodies, random);
  b.state.q = from.q.cast<float>();
  b.reference.q = to.q.cast<float>();
  for (int i = 0; i < 3000; ++i) b.step();
  auto error = b.state.v;
  CHECK_TRUE(Status::kOk == difference(b.robot.view(), b.state.q, b.reference.q, error));
  CHECK_AT_MOST(1e-3, static_cast<double>(error.norm() + b.state.v.norm()), "");
}

TEST(ComputedTorque, TheReferenceStopsAtTheLimitsOfTheJoints) {
  Bench<double> b(turning_tree());
  b.settings.limits.lower[0] = -0.5, b.settings.limits.upper[0] = 0.5;
  b.settings.limits.velocity[1] = 2;
  b.reference.q << 0.7, 0.7, 0.2, 0;
  b.reference.v << 1, -3, 1, 0;
  b.reference.a << 1, 1, 1, 0;
  Bench<double> within(turning_tree());
  within.reference.q << 0.5, 0.7, 0.2, 0;
  within.reference.v << 0, -2, 1, 0;
  within.reference.a << 0, 1, 1, 0;
  CHECK_TRUE(Status::kOk == b.control());
  CHECK_TRUE(Status::kOk == within.control());
  CHECK_TRUE(b.state.tau == within.state.tau);
  CHECK_TRUE(b.reference.q == within.reference.q && b.reference.v == within.reference.v &&
             b.reference.a == within.reference.a);
}

TEST(ComputedTorque, TorquesStayWithinTheActuators) {
  Bench<double> b(turning_tree());
  b.reference.q.setConstant(3);
  b.settings.kp = 1e4;
  b.settings.limits.effort.setConstant(5);
  b.settings.limits.effort_rate.setConstant(100);
  auto before = b.state.tau;
  std::uint32_t cut = 0;
  for (int i = 0; i < 300; ++i) {
    b.step();
    CHECK_AT_MOST(5, b.state.tau.cwiseAbs().maxCoeff(), "effort");
    CHECK_AT_MOST(0.1 + 1e-12, (b.state.tau - before).cwiseAbs().maxCoeff(), "rate");
    CHECK_TRUE(b.law->limited() >= cut && b.law->limited() <= cut + 4);
    before = b.state.tau;
    cut = b.law->limited();
  }
  CHECK_TRUE(cut > 300);
}

TEST(ComputedTorque, BadMeasurementsLeaveTheTorques) {
  const auto refused = [](auto&& spoil) {
    Bench<double> b(turning_tree());
    b.step();
    const auto before = b.state.tau;
    CHECK_TRUE(before.norm() > 0);
    spoil(b);
    const Status status = b.control();
    CHECK_TRUE(b.state.tau == before);
    LONGS_EQUAL(0, b.law->limited());
    return status;
  };
  CHECK_TRUE(Status::kNotFinite == refused([](auto& b) { b.state.q[1] = kNaN; }));
  CHECK_TRUE(Status::kNotFinite == refused([](auto& b) { b.state.v[2] = kNaN; }));
  CHECK_TRUE(Status::kNotFinite == refused([](auto& b) { b.reference.q[0] = kNaN; }));
  CHECK_TRUE(Status::kNotFinite == refused([](auto& b) { b.reference.v[0] = kNaN; }));
  CHECK_TRUE(Status::kNotFinite == refused([](auto& b) { b.reference.a[3] = kNaN; }));
  CHECK_TRUE(Status::kAngleTooLarge == refused([](auto& b) { b.state.q[1] = 1e9; }));
  CHECK_TRUE(Status::kOverflow == refused([](auto& b) { b.state.v.setConstant(1e200); }));
}

TEST(ComputedTorque, NeverAllocates) {
  Bench<double> b(turning_tree());
  LONGS_EQUAL(0, test::allocations_in([&] { b.step(); }));
}

TEST(ComputedTorque, AStateThatIsNoneIsNotHeld) {
  Bench<double> b(turning_tree());
  b.state.tau.setConstant(3);
  for (const bool measured : {true, false}) {
    auto q = b.state.q;
    auto reference = b.reference;
    (measured ? q[1] : reference.q[1]) = kNaN;
    CHECK_FALSE(Status::kOk == b.law->hold(b.settings, q, b.state.v, reference, b.state.tau));
    for (const double tau : b.state.tau) CHECK_EQUAL(3, tau);
  }
}
