#include "lockstep/integrate/midpoint.hpp"

#include <CppUTest/TestHarness.h>

#include <Eigen/LU>
#include <vector>

#include "support/tolerance.hpp"

using namespace lockstep;

namespace {

using Vector2 = Eigen::Vector2d;

// Two masses on springs, x'' = K x + D x'.
struct Springs {
  Eigen::Matrix2d K = Eigen::Matrix2d{{-3, 1}, {0.5, -2}},
                  D = Eigen::Matrix2d{{-0.2, 0.1}, {0, 0.3}};
  Vector2 x{0.4, -0.7}, v{1, 0.2}, rate, vdot{0, 0}, before, middle_x;
  int solves = 0, fails_at = -1;

  Status find(double dt) {
    return midpoint(
        v, rate, vdot, before, dt,
        [&](const Vector2& along, double time) {
          middle_x = x + time * along;
          return solves == fails_at ? Status::kOverflow : Status::kOk;
        },
        [&] {
          vdot = K * middle_x + D * rate;
          return ++solves == fails_at ? Status::kSingular : Status::kOk;
        });
  }
};

struct Part {
  double dt;
  Integrator integrator;
  bool operator==(const Part&) const = default;
};

struct Whirl {
  Vector2 v;
};

// The steps that are taken where those shorter than `longest` succeed.
std::vector<Part> parts_of(double dt, double longest, double speed, Status failure, Status& status,
                           double& end) {
  std::vector<Part> taken;
  Whirl state = {{speed, -speed / 2}}, before;
  status = midpoint_in_parts(state, before, dt, [&](double own, Integrator integrator) {
    taken.push_back({own, integrator});
    state.v[1] += own;
    const bool found = own < longest || integrator == Integrator::kSemiImplicitEuler;
    return found ? Status::kOk : failure;
  });
  end = state.v[1] + speed / 2;
  return taken;
}

}  // namespace

TEST_GROUP(Midpoint){};

// (1 - dt/2 A) z' = (1 + dt/2 A) z of a linear system, with v_m the mean of the velocities.
TEST(Midpoint, SolvesTheImplicitRule) {
  Springs springs;
  const double dt = 0.05;
  Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
  A.topRightCorner<2, 2>().setIdentity();
  A.bottomLeftCorner<2, 2>() = springs.K, A.bottomRightCorner<2, 2>() = springs.D;
  Eigen::Vector4d z;
  z << springs.x, springs.v;
  const Eigen::Matrix4d I = Eigen::Matrix4d::Identity();
  const Eigen::Vector4d end = (I - dt / 2 * A).lu().solve((I + dt / 2 * A) * z);
  CHECK_TRUE(Status::kOk == springs.find(dt));
  CHECK_AT_MOST(1e-10, (springs.x + dt * springs.rate - end.head<2>()).norm(), "x");
  CHECK_AT_MOST(1e-10, (springs.v + dt * springs.vdot - end.tail<2>()).norm(), "v");
  CHECK_AT_MOST(1e-15, (springs.v + dt / 2 * springs.vdot - springs.rate).norm(), "v_m");
  CHECK(springs.solves > 3 && springs.solves < kMidpointSolves);
}

TEST(Midpoint, GivesUpAfterItsSolves) {
  Springs springs;
  CHECK_TRUE(Status::kStoppedShort == springs.find(5));
  LONGS_EQUAL(12, springs.solves);
}

TEST(Midpoint, StopsAtTheFirstFailure) {
  Springs moved, solved;
  moved.fails_at = 0;
  CHECK_TRUE(Status::kOverflow == moved.find(0.05));
  LONGS_EQUAL(0, moved.solves);
  solved.fails_at = 2;
  CHECK_TRUE(Status::kSingular == solved.find(0.05));
  LONGS_EQUAL(2, solved.solves);
}

// Each attempt from the start of the step, of half the length.
TEST(Midpoint, AStepThatIsTooLongIsTakenInParts) {
  Status status = Status::kOk;
  double end = 0;
  const auto middle = [](double dt) { return Part{dt, Integrator::kMidpoint}; };
  CHECK(parts_of(1, 2, 0.01, Status::kStoppedShort, status, end) == std::vector{middle(1)});
  CHECK(status == Status::kOk);
  DOUBLES_EQUAL(1, end, 1e-15);
  CHECK(parts_of(1, 0.3, 0.01, Status::kStoppedShort, status, end) ==
        (std::vector{middle(1), middle(0.5), middle(0.25), middle(0.25), middle(0.25),
                     middle(0.25)}));
  CHECK(status == Status::kOk);
  DOUBLES_EQUAL(1, end, 1e-15);
  CHECK(parts_of(1, 0, 0.01, Status::kStoppedShort, status, end) ==
        (std::vector{middle(1), middle(0.5), middle(0.25), middle(0.125), middle(0.0625),
                     Part{1, Integrator::kSemiImplicitEuler}}));
  CHECK(status == Status::kStoppedShort);
  DOUBLES_EQUAL(1, end, 1e-15);
  CHECK(parts_of(1, 0, 0.01, Status::kSingular, status, end) == std::vector{middle(1)});
  CHECK(status == Status::kSingular);
  DOUBLES_EQUAL(0, end, 0);  // as it was
}

// Of what turns by more than 0.02 rad in a step.
TEST(Midpoint, WhatWhirlsIsTakenInHalvesAtOnce) {
  Status status = Status::kSingular;
  double end = 0;
  LONGS_EQUAL(1, parts_of(0.01, 1, 2, Status::kStoppedShort, status, end).size());
  LONGS_EQUAL(2, parts_of(0.01, 1, 2.001, Status::kStoppedShort, status, end).size());
  LONGS_EQUAL(2, parts_of(0.01, 1, -2.001, Status::kStoppedShort, status, end).size());
  CHECK(status == Status::kOk);
  DOUBLES_EQUAL(0.01, end, 1e-15);
}

// Springs at the end of Euler's step and at the middle of the midpoint's; Runge-Kutta has joints as
// they are, and drives hold.
TEST(Midpoint, WhereAStepTakesItsJoints) {
  const double gain = 1;
  const auto begun = [&](Integrator integrator) {
    Implicit<double> step;
    step.drives = {&gain, &gain};
    begin_step(0.5, integrator, step);
    return step;
  };
  const auto euler = begun(Integrator::kSemiImplicitEuler), middle = begun(Integrator::kMidpoint),
             stages = begun(Integrator::kRungeKutta4);
  CHECK(euler.dt == 0.5 && euler.h == 0.5 && euler.drives.kp == &gain);
  CHECK(middle.dt == 0.5 && middle.h == 0.25 && middle.drives.kd == &gain);
  CHECK(stages.dt == 0 && stages.h == 0 && stages.drives.kp == nullptr);
}
