#include "lockstep/integrate/runge_kutta.hpp"

#include <CppUTest/TestHarness.h>

#include <Eigen/Core>
#include <vector>

#include "lockstep/status.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;

namespace {

using Vector2 = Eigen::Vector2d;

// Two masses on springs, x'' = K x + D x', and what it was asked for.
struct Springs {
  Eigen::Matrix2d K = Eigen::Matrix2d{{-3, 1}, {0.5, -2}},
                  D = Eigen::Matrix2d{{-0.2, 0.1}, {0, 0.3}};
  Vector2 x{0.4, -0.7}, v{1, 0.2}, next_x, next_v;
  std::vector<double> times;
  int fails_at = -1, calls = 0;

  Status called() { return calls++ == fails_at ? Status::kOverflow : Status::kOk; }

  Status step(double dt) {
    Vector2 rate = v, rate_sum, vdot = K * x + D * v, vdot_sum;
    return runge_kutta(
        rate, rate_sum, vdot, vdot_sum, dt,
        [&](const Vector2& along, const Vector2& gain, double time) {
          times.push_back(time);
          next_x = x + time * along, next_v = v + time * gain;
          return called();
        },
        [&] {
          vdot = K * next_x + D * next_v;
          return called();
        },
        [&](double time, Vector2& along) {
          times.push_back(-time);
          along = next_v;
        });
  }
};

}  // namespace

TEST_GROUP(RungeKutta){};

// Of a linear system the classical scheme gives the series of the exponential to the fourth power.
TEST(RungeKutta, IsTheExponentialToTheFourthPowerOfTheStep) {
  Springs springs;
  const double dt = 0.3;
  Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
  A.topRightCorner<2, 2>().setIdentity();
  A.bottomLeftCorner<2, 2>() = springs.K, A.bottomRightCorner<2, 2>() = springs.D;
  Eigen::Vector4d sum, term;
  term << springs.x, springs.v;
  sum = term;
  for (int power = 1; power <= 4; ++power) sum += term = dt / power * A * term;
  CHECK_TRUE(Status::kOk == springs.step(dt));
  CHECK_AT_MOST(1e-15, (springs.next_x - sum.head<2>()).norm(), "x");
  CHECK_AT_MOST(1e-15, (springs.next_v - sum.tail<2>()).norm(), "v");
}

TEST(RungeKutta, StagesAreAtTheMiddleTwiceAndAtTheEnd) {
  Springs springs;
  CHECK_TRUE(Status::kOk == springs.step(0.5));
  CHECK(springs.times == (std::vector<double>{0.25, -0.25, 0.25, -0.25, 0.5, -0.5, 0.5 / 6}));
}

TEST(RungeKutta, StopsAtTheFirstFailure) {
  for (int call = 0; call < 7; ++call) {
    Springs springs;
    springs.fails_at = call;
    CHECK_TRUE(Status::kOverflow == springs.step(0.1));
    LONGS_EQUAL(call + 1, springs.calls);
  }
}
