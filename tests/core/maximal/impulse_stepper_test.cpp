#include "lockstep/maximal/impulse_stepper.hpp"

#include <CppUTest/TestHarness.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/maximal/test_mechanism.hpp"
#include "support/allocation_guard.hpp"

using namespace lockstep;
using namespace lockstep::test;
using maximal::ConstraintType;

namespace {

const RigidBody kRod = {1.2, {0.02, 0, 0, 0.11, 0, 0.1}};

// Bodies on a hinge, a ball joint and a cross, level at first; closed: the last is tied to the
// world.
TestMechanism chain(bool closed = false) {
  TestMechanism m;
  for (const double x : {0.5, 1.5, 2.5}) m.add(kRod, {{x, 0, 0}, {0, 0, 0, 1}});
  const Placement<double> hinge = {
      mat3(Eigen::AngleAxisd(1.2, Eigen::Vector3d::UnitX()).toRotationMatrix()), {}};
  m.connect(ConstraintType::kRevolute, kWorld, hinge, 0, {hinge.R, {-0.5, 0, 0}},
            maximal::Revolute<double>{});
  m.connect(ConstraintType::kBall, 0, at_point(0.5, 0, 0), 1, at_point(-0.5, 0, 0),
            maximal::Ball<double>{});
  m.connect(ConstraintType::kUniversal, 1, at_point(0.5, 0, 0), 2, at_point(-0.5, 0, 0),
            maximal::Universal<double>{});
  if (closed) {
    m.connect(ConstraintType::kDistance, 2, at_point(0.5, 0, 0), kWorld, at_point(2, 1.5, 0.5),
              maximal::Distance<double>{std::sqrt(1 + 2.25 + 0.25)});
  }
  return m;
}

// The same records and state under impulses.
template <class T = double>
struct Impulses {
  using Stepper = TestImpulses<Sparse<T>>;

  explicit Impulses(const TestMechanism& mechanism) : run(mechanism), stepper(run.table()) {}

  void steps(double seconds, int count) {
    settings.dt = static_cast<T>(seconds / count);
    for (int i = 0; i < count; ++i) {
      CHECK_TRUE(Status::kOk == stepper.step(run.state, run.loads, settings));
    }
  }

  TestRun<T> run;
  Stepper stepper;
  maximal::ImpulseSettings<T> settings;
};

Eigen::VectorXd reference(const TestMechanism& m, double seconds) {
  TestRun run(m);
  run.settings.stabilization = Stabilization::kProjection;
  run.run(seconds, 4000);
  return run.state.x;
}

}  // namespace

TEST_GROUP(MaximalImpulse){};

TEST(MaximalImpulse, NoRowIsEverOffByMoreThanTheTolerance) {
  for (const bool closed : {false, true}) {
    for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
      Impulses sim(chain(closed));
      sim.settings.tolerance = tolerance;
      sim.settings.dt = 0.005;
      for (int i = 0; i < 2000; ++i) {
        CHECK_TRUE(Status::kOk == sim.stepper.step(sim.run.state, sim.run.loads, sim.settings));
        CHECK_AT_MOST(tolerance, sim.stepper.errors().position, "positions");
        CHECK_AT_MOST(tolerance / 0.005, sim.stepper.errors().velocity, "velocities");
      }
    }
  }
}

TEST(MaximalImpulse, ConvergesToTheMotionWithTheSquareOfTheStep) {
  for (const bool closed : {false, true}) {
    const TestMechanism m = chain(closed);
    const Eigen::VectorXd expected = reference(m, 0.5);
    double errors[3];
    for (int i = 0; i < 3; ++i) {
      Impulses sim(m);
      sim.settings.tolerance = 1e-12;
      sim.steps(0.5, 100 << i);
      errors[i] = (sim.run.state.x - expected).norm();
    }
    CHECK_AT_MOST(0.05, errors[0], "coarse");
    for (int i = 0; i < 2; ++i) {
      CHECK(errors[i] / errors[i + 1] > 3.5);
      CHECK(errors[i] / errors[i + 1] < 4.6);
    }
  }
}

// A rod swings on a hinge and drives a wheel by a gear, a row of velocities alone: its angle obeys
// I theta'' = m g l cos(theta), and the wheel turns back twice as far.
TEST(MaximalImpulse, RowsOfVelocitiesAreOfTheSecondOrderToo) {
  const Placement<double> axle = {
      mat3(Eigen::AngleAxisd(-std::acos(0.0), Eigen::Vector3d::UnitX()).toRotationMatrix()), {}};
  TestMechanism m;
  m.add(kRod, {{0.5, 0, 0}, {0, 0, 0, 1}});
  m.add(kRod, {{0, 0, 0}, {0, 0, 0, 1}});
  m.connect(ConstraintType::kRevolute, kWorld, axle, 0, {axle.R, {-0.5, 0, 0}},
            maximal::Revolute<double>{});
  m.connect(ConstraintType::kRevolute, kWorld, axle, 1, axle, maximal::Revolute<double>{});
  m.connect(ConstraintType::kGear, 0, axle, 1, axle, maximal::Gear<double>{-2});

  const double gain = 1.2 * 9.81 * 0.5 / (0.11 + 1.2 * 0.25 + 4 * 0.11);
  double theta = 0, rate = 0;  // by the leapfrog, in steps so short that its error does not count
  for (int i = 0; i < 100000; ++i) {
    rate += 0.5 * 5e-6 * gain * std::cos(theta);
    theta += 5e-6 * rate;
    rate += 0.5 * 5e-6 * gain * std::cos(theta);
  }
  double errors[3];
  for (int i = 0; i < 3; ++i) {
    Impulses sim(m);
    sim.settings.tolerance = 1e-12;
    sim.steps(0.5, 25 << i);
    const auto angle = [&](int body) {
      const auto q = sim.run.pose<RigidBody>(body).q;
      return 2 * std::atan2(q[1], q[3]);
    };
    errors[i] = std::abs(angle(0) - theta);
    CHECK_AT_MOST(2e-4 / (1 << 2 * i), std::abs(angle(1) + 2 * angle(0)), "slip");
  }
  CHECK_AT_MOST(1e-3, errors[0], "coarse");
  for (int i = 0; i < 2; ++i) CHECK(errors[i] / errors[i + 1] > 3.5);
}

// A body that nothing holds moves as Runge-Kutta says: free flight is exact.
TEST(MaximalImpulse, FreeFlightIsExact) {
  TestMechanism m;
  m.add(kRod, {{0, 0, 1}, {0, 0, 0, 1}}, {1, 2, 3, 0, 0, 4});
  Impulses sim(m);
  sim.steps(1, 3);
  CHECK_AT_MOST(
      1e-14, (eigen(sim.run.pose<RigidBody>(0).p) - Eigen::Vector3d(1, 2, 1 + 3 - 9.81 / 2)).norm(),
      "parabola");
  LONGS_EQUAL(0, sim.stepper.solves());
}

// Impulses of joints cancel out: what the first joint passes on changes the momentum, no other
// does.
TEST(MaximalImpulse, MomentumChangesByTheImpulsesToTheWorld) {
  const TestMechanism m = chain();
  Impulses sim(m);
  sim.run.loads.gravity.setZero();
  sim.run.state.v[5] = 1;  // out of the joints' reach
  sim.settings.tolerance = 1e-10;
  CHECK_TRUE(Status::kOk == sim.run.stepper().assemble(sim.run.state, sim.run.settings));
  const auto before = sim.run.momentum();
  sim.steps(0.01, 1);
  CHECK((sim.run.momentum() - before).head<3>().norm() > 1e-6);
  // rows of the hinge are along the axes of the world's frame of it, on the body (end b)
  const Eigen::Matrix3d R = Eigen::AngleAxisd(1.2, Eigen::Vector3d::UnitX()).toRotationMatrix();
  const Eigen::Vector3d passed = R * sim.stepper.impulse().head<3>();
  CHECK_AT_MOST(1e-4, ((sim.run.momentum() - before).head<3>() - passed).norm() / passed.norm(),
                "impulse of the hinge");
}

// The factor that is kept from step to step changes no bit: neither does a stepper that has none.
TEST(MaximalImpulse, AStepperThatStartsAnewGivesTheSameBits) {
  const TestMechanism m = chain();
  Impulses kept(m);
  kept.steps(0.2, 100);
  Impulses anew(m);
  anew.settings.dt = 0.002;
  for (int i = 0; i < 100; ++i) {
    Impulses<>::Stepper fresh(anew.run.table());
    CHECK_TRUE(Status::kOk == fresh.step(anew.run.state, anew.run.loads, anew.settings));
  }
  CHECK(kept.run.state.x == anew.run.state.x);
  CHECK(kept.run.state.v == anew.run.state.v);
}

TEST(MaximalImpulse, FloatFollowsDouble) {
  const TestMechanism m = chain();
  Impulses<float> rough(m);
  rough.settings.tolerance = 1e-5f;
  Impulses exact(m);
  exact.settings.tolerance = 1e-5;
  rough.steps(0.5, 250);
  exact.steps(0.5, 250);
  CHECK_AT_MOST(2e-3, relative_error(rough.run.state.x, exact.run.state.x), "poses");
}

TEST(MaximalImpulse, BadInputChangesNothing) {
  Impulses sim(chain());
  sim.steps(0.01, 2);
  const auto before = sim.run.state;
  const auto refused = [&](Status expected) {
    CHECK_TRUE(expected == sim.stepper.step(sim.run.state, sim.run.loads, sim.settings));
    CHECK(before.x == sim.run.state.x);
    CHECK(before.v == sim.run.state.v);
  };
  for (const double dt : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    sim.settings.dt = dt;
    refused(Status::kBadTimeStep);
  }
  sim.settings.dt = 0.005;
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity()}) {
    sim.settings.tolerance = bad;
    refused(Status::kBadTolerance);
  }
  sim.settings.tolerance = 1e-13;
  for (const int most : {0, -1, std::numeric_limits<int>::min()}) {
    sim.settings.max_solves = most;
    refused(Status::kNotConverged);
  }
  sim.settings.max_solves = 20;
  sim.run.loads.force[0] = std::numeric_limits<double>::infinity();
  refused(Status::kNotFinite);
  sim.run.loads.force[0] = 0;
  CHECK_TRUE(Status::kOk == sim.stepper.step(sim.run.state, sim.run.loads, sim.settings));
}

// A step that would need more solves is taken as far as they got, if the caller wants that.
TEST(MaximalImpulse, GoesOnWithAPreliminaryResult) {
  Impulses sim(chain());
  sim.settings.dt = 0.02;
  sim.settings.tolerance = 1e-12;
  sim.settings.max_solves = 1;
  const auto before = sim.run.state;
  CHECK_TRUE(Status::kNotConverged == sim.stepper.step(sim.run.state, sim.run.loads, sim.settings));
  CHECK(before.x == sim.run.state.x);
  sim.settings.go_on = true;
  CHECK_TRUE(Status::kStoppedShort == sim.stepper.step(sim.run.state, sim.run.loads, sim.settings));
  CHECK(before.x != sim.run.state.x);
  CHECK(sim.stepper.errors().position > 1e-12);
  CHECK_AT_MOST(1e-3, sim.stepper.errors().position, "one solve");
}

// The steps of a chain that falls give or take nothing that counts, as long as they are short.
TEST(MaximalImpulse, RoughnessTellsStepsThatAreTooLong) {
  double rough[2] = {};
  for (int i = 0; i < 2; ++i) {
    Impulses sim(chain());
    sim.settings.tolerance = 1e-12;
    sim.settings.max_solves = 100;
    for (int step = 0; step < (i == 0 ? 600 : 18); ++step) {
      sim.steps(i == 0 ? 1e-3 : 1.0 / 30, 1);
      rough[i] = std::max(rough[i], sim.stepper.core().roughness());
    }
  }
  CHECK_AT_MOST(1e-5, rough[0], "1 ms");
  CHECK(rough[1] > 1.0 / 4096);  // where the host's runs take a step in parts
}

TEST(MaximalImpulse, NeverAllocates) {
  Impulses sim(chain(true));
  sim.settings.dt = 0.005;
  Status status = Status::kSingular;
  LONGS_EQUAL(0, allocations_in([&] {
                status = sim.stepper.step(sim.run.state, sim.run.loads, sim.settings);
              }));
  CHECK_TRUE(Status::kOk == status);
}
