#include "lockstep/devices/sensors.hpp"

#include <CppUTest/TestHarness.h>

#include <bit>
#include <cmath>
#include <memory>

#include "lockstep/devices/inertial.hpp"
#include "lockstep/integrate/joint_stepper.hpp"
#include "lockstep/inverse_dynamics.hpp"
#include "lockstep/kinematics.hpp"
#include "lockstep/table_model.hpp"
#include "support/random_tree.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;

namespace {

constexpr double kDt = 0.001;

}  // namespace

TEST_GROUP(Sensors){};

TEST(Sensors, WithoutFiguresWhatIsThereIsReadBitForBit) {
  EncoderState<double> state;
  for (const double x : {0.1, -0.0, 3e8, -5e-324}) {
    read(Encoder<double>(), state, x, -x, kDt, {});
    CHECK_TRUE(std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(state.position));
    CHECK_TRUE(std::bit_cast<std::uint64_t>(-x) == std::bit_cast<std::uint64_t>(state.velocity));
  }
  const Inertial<double> exact = {{0.1, -0.0, 3}, {4, 5, -0.6}};
  const Inertial<double> felt = read(Imu<double>(), exact, {});
  CHECK_TRUE(std::signbit(felt.force.y));
  CHECK_EQUAL(0.1, felt.force.x);
  CHECK_EQUAL(-0.6, felt.rate.z);
  const Spatial<double> wrench = {{1, 2, -0.0}, {4, 5, 6}};
  const Spatial<double> told = read(ForceTorque<double>(), wrench, {});
  CHECK_TRUE(std::signbit(told.linear.z));
  CHECK_EQUAL(6.0, told.angular.z);
}

TEST(Sensors, AnEncoderCountsToTheNearestCount) {
  const double count = 2 * 3.14159265358979 / 4096;
  for (double q = -7; q < 7; q += 0.000'77) {
    EncoderState<double> state;
    read(Encoder<double>{.resolution = count, .offset = 0.25}, state, q, 0.0, kDt, {});
    const double counts = state.position / count;
    DOUBLES_EQUAL(std::round(counts), counts, 1e-9);
    CHECK_AT_MOST(count * 0.5000001, std::abs(state.position - q - 0.25), "");
  }
  CHECK_EQUAL(-2.0, devices::nearest_integer(-2.5));
  CHECK_EQUAL(4.0, devices::nearest_integer(3.5));
  CHECK_EQUAL(1e300, devices::nearest_integer(1e300));
  CHECK_EQUAL(-1e300, devices::nearest_integer(-1e300));
  CHECK_EQUAL(8388609.0f, devices::nearest_integer(8388609.0f));
  CHECK_EQUAL(8388608.0f, devices::nearest_integer(8388607.5f));
}

TEST(Sensors, VelocityFromPositionsIsOffByACountAStep) {
  const Encoder<double> encoder = {.resolution = 1e-3, .differentiates = true};
  EncoderState<double> state;
  double sum = 0;
  for (int i = 0; i < 1001; ++i) {
    read(encoder, state, 0.3 * kDt * i, 99.0, kDt, {});
    if (i == 0) CHECK_EQUAL(0.0, state.velocity);
    DOUBLES_EQUAL(i == 0 ? 0 : 0.3, state.velocity, 1.0001);
    sum += state.velocity * kDt;
  }
  DOUBLES_EQUAL(0.3, sum, 1e-3);
}

TEST(Sensors, TheVelocityOfAJointThatIsWoundBackDoesNotJump) {
  const Encoder<double> encoder = {.differentiates = true};
  EncoderState<double> state;
  const double turns = 200 * 3.14159265358979323846;
  read(encoder, state, turns - 0.001, 0.0, kDt, {});
  read(encoder, state, 0.001, 0.0, kDt, {});
  DOUBLES_EQUAL(2, state.velocity, 1e-9);
}

TEST(Sensors, AFilteredVelocitySettlesAsALag) {
  const Encoder<double> encoder = {.differentiates = true, .time_constant = 0.01};
  EncoderState<double> state;
  for (int i = 0; i <= 100; ++i) {
    read(encoder, state, 2 * kDt * i, 0.0, kDt, {});
    DOUBLES_EQUAL(2 * (1 - std::pow(1 + kDt / 0.01, -i)), state.velocity, 1e-9);
  }
}

TEST(Sensors, NoiseIsOfTheStepAndTheChannel) {
  const auto position = [](std::uint64_t step, std::uint32_t channel) {
    EncoderState<double> state;
    read(Encoder<double>{.noise = 0.1, .channel = channel}, state, 1.0, 0.0, kDt,
         {.seed = 3, .step = step});
    return state.position;
  };
  CHECK_EQUAL(position(5, 0), position(5, 0));
  CHECK_TRUE(position(5, 0) != position(6, 0));
  CHECK_TRUE(position(5, 0) != position(5, 1));
}

// a unit at rest feels the ground push it up; one that falls feels nothing
TEST(Sensors, AnInertialUnitFeelsWhatHoldsIt) {
  const Body ball = {.joint = JointType::kFloating, .mass = 1, .inertia = {1, 0, 0, 1, 0, 1}};
  TableModel<double, 1> table;
  CHECK_TRUE(Status::kOk == table.assign({&ball, 1}));
  InertialMotion<TableModel<double, 1>> motion(table);
  const auto in = Problem<TableModel<double, 1>, double>(table).make_input();
  auto vdot = in.v;
  const LinkFrame<double> frame(NamedFrame{.body = 0, .p_BF = {0.1, 0.2, 0.3}});
  CHECK_TRUE(Status::kOk == motion.move(in.q, in.v, vdot, in.gravity));
  DOUBLES_EQUAL(9.81, motion.at_frame(frame).force.z, 1e-14);
  DOUBLES_EQUAL(9.81, motion.at_frame(LinkFrame<double>()).force.z, 1e-14);
  vdot[2] = -9.81;
  CHECK_TRUE(Status::kOk == motion.move(in.q, in.v, vdot, in.gravity));
  DOUBLES_EQUAL(0, motion.at_frame(frame).force.z, 1e-14);
}

// the second difference of where the frame is, and its twist, along a motion of every joint type
TEST(Sensors, AnInertialUnitFeelsTheAccelerationOfItsFrame) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto bodies = test::random_tree({.bodies = 6, .seed = seed});
    using Table = TableModel<double, 6>;
    const auto table = std::make_unique<Table>();
    CHECK_TRUE(Status::kOk == table->assign(bodies));
    test::Random random(seed + 5);
    const host::DenseInput state = test::random_state(bodies, random);
    Solver<Table> solver(*table);
    auto in = solver.make_input();
    auto out = solver.make_output();
    in.q = state.q, in.v = state.v, in.tau = state.tau, in.gravity = state.gravity;
    CHECK_TRUE(Status::kOk == solver.forward_dynamics(in, out));
    InertialMotion<Table> motion(*table);
    CHECK_TRUE(Status::kOk == motion.move(in.q, in.v, out.vdot, in.gravity));
    Kinematics<Table> kinematics(*table);
    const LinkFrame<double> frame(NamedFrame{
        .body = 5, .R_BF = {0.6, -0.8, 0, 0.8, 0.6, 0, 0, 0, 1}, .p_BF = {0.1, -0.2, 0.3}});
    Kinematics<Table>::Pose poses[3];
    const double h = 1e-4;
    for (int i = -1; i <= 1; ++i) {
      auto later = in;
      if (i < 0) later.v = -later.v;  // backwards in time
      std::vector<Body> undamped = bodies;
      const auto moving = std::make_unique<Table>();
      for (Body& body : undamped) body.damping = body.stiffness = 0;
      CHECK_TRUE(Status::kOk == moving->assign(undamped));
      // what damping and springs did to vdot goes into tau, which stands
      const auto inverse = std::make_unique<InverseDynamics<Table>>(*moving);
      auto ask = inverse->make_input();
      ask.q = in.q, ask.v = in.v, ask.vdot = out.vdot, ask.gravity = in.gravity;
      CHECK_TRUE(Status::kOk == inverse->inverse_dynamics(ask, later.tau));
      JointStepper<Table> run(*moving);
      if (i != 0) CHECK_TRUE(Status::kOk == run.step(later, h, Integrator::kRungeKutta4));
      CHECK_TRUE(Status::kOk == kinematics.pose(later.q, frame, poses[i + 1]));
    }
    const Eigen::Vector3d a =
        (poses[2].p_WL - 2 * poses[1].p_WL + poses[0].p_WL) / (h * h) - Eigen::Vector3d(in.gravity);
    const Eigen::Vector3d expected = poses[1].R_WL.transpose() * a;
    const Inertial<double> felt = motion.at_frame(frame);
    CHECK_AT_MOST(
        2e-5,
        test::relative_error(Eigen::Vector3d(felt.force.x, felt.force.y, felt.force.z), expected),
        "force");
    auto twist = Kinematics<Table>::make_twist();
    CHECK_TRUE(Status::kOk == kinematics.twist(in.q, in.v, frame, Axes::kOfLink, twist));
    DOUBLES_EQUAL(twist[3], felt.rate.x, 1e-12);
    DOUBLES_EQUAL(twist[4], felt.rate.y, 1e-12);
    DOUBLES_EQUAL(twist[5], felt.rate.z, 1e-12);
  }
}

TEST(Sensors, FiguresWithoutMeaningAreRefused) {
  using E = Encoder<double>;
  using F = ForceTorque<double>;
  CHECK_TRUE((Status::kOk == E{.differentiates = true, .time_constant = 1}.check()));
  CHECK_TRUE(Status::kBadConstraint == E{.time_constant = 1}.check());  // a lag of nothing
  CHECK_TRUE(Status::kOk == Imu<double>().check() && Status::kOk == F().check());
  CHECK_TRUE(Status::kBadConstraint == F{.body = -1}.check());
  for (const double bad : {-1.0, std::nan(""), HUGE_VAL}) {
    CHECK_TRUE(Status::kBadConstraint == E{.resolution = bad}.check());
    CHECK_TRUE(Status::kBadConstraint == E{.noise = bad}.check());
    CHECK_TRUE((Status::kBadConstraint == E{.differentiates = true, .time_constant = bad}.check()));
    CHECK_TRUE(Status::kBadConstraint == F{.torque_noise = bad}.check());
    CHECK_TRUE(Status::kBadConstraint == F{.force_resolution = bad}.check());
    for (double Imu<double>::*const figure :
         {&Imu<double>::force_noise, &Imu<double>::rate_noise, &Imu<double>::force_resolution,
          &Imu<double>::rate_resolution}) {
      Imu<double> imu;
      imu.*figure = bad;
      CHECK_TRUE(Status::kBadConstraint == imu.check());
    }
    if (bad < 0) continue;
    Imu<double> imu;
    imu.force_offset.y = bad;
    CHECK_TRUE(Status::kBadConstraint == imu.check());
    imu.force_offset.y = 0, imu.rate_offset.z = bad;
    CHECK_TRUE(Status::kBadConstraint == imu.check());
    CHECK_TRUE(Status::kBadConstraint == E{.offset = bad}.check());
  }
}

TEST(Sensors, AnInertialUnitIsOffByItsOffsetInCounts) {
  Imu<double> imu;
  imu.force_offset = {0.1, -0.2, 0}, imu.rate_offset = {0, 0, 0.04};
  imu.rate_resolution = 0.1;
  const Inertial<double> felt = read(imu, Inertial<double>{{1, 2, 3}, {0.34, -0.34, 0.0}}, {});
  DOUBLES_EQUAL(1.1, felt.force.x, 1e-15);
  DOUBLES_EQUAL(1.8, felt.force.y, 1e-15);
  DOUBLES_EQUAL(3, felt.force.z, 0);
  DOUBLES_EQUAL(0.3, felt.rate.x, 1e-15);
  DOUBLES_EQUAL(-0.3, felt.rate.y, 1e-15);
  DOUBLES_EQUAL(0, felt.rate.z, 0);
}

TEST(Sensors, BadMotionsAreRefusedAndChangeNothing) {
  const Body slider = {.joint = JointType::kPrismatic, .mass = 1, .inertia = {1, 0, 0, 1, 0, 1}};
  TableModel<double, 1> table;
  CHECK_TRUE(Status::kOk == table.assign({&slider, 1}));
  InertialMotion<TableModel<double, 1>> motion(table);
  const auto in = Problem<TableModel<double, 1>, double>(table).make_input();
  CHECK_TRUE(Status::kOk == motion.move(in.q, in.v, in.v, in.gravity));
  const auto refused = [&](auto&& spoil) {
    auto bad = in;
    bad.tau = in.v;  // the accelerations
    spoil(bad);
    const Status status = motion.move(bad.q, bad.v, bad.tau, bad.gravity);
    DOUBLES_EQUAL(9.81, motion.at_frame(LinkFrame<double>(NamedFrame{.body = 0})).force.z, 1e-15);
    return status;
  };
  CHECK_TRUE(Status::kWrongSize == refused([](auto& bad) { bad.q.resize(0); }));
  CHECK_TRUE(Status::kWrongSize == refused([](auto& bad) { bad.v.resize(0); }));
  CHECK_TRUE(Status::kWrongSize == refused([](auto& bad) { bad.tau.resize(0); }));
  CHECK_TRUE(Status::kNotFinite == refused([](auto& bad) { bad.q[0] = std::nan(""); }));
  CHECK_TRUE(Status::kNotFinite == refused([](auto& bad) { bad.v[0] = std::nan(""); }));
  CHECK_TRUE(Status::kNotFinite == refused([](auto& bad) { bad.tau[0] = HUGE_VAL; }));
  CHECK_TRUE(Status::kNotFinite == refused([](auto& bad) { bad.gravity[2] = std::nan(""); }));
}
