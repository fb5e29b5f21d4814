// Against polynomials whose derivatives are known, and against difference quotients.
#include "loop/trajectory.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep::firmware;

namespace {

using Point = TrajectoryPoint<double>;

Point at(const double (&c)[6], double t) {
  Point p{};
  for (int i = 5; i >= 0; --i) {
    p.a = p.a * t + 2 * p.v, p.v = p.v * t + p.q, p.q = p.q * t + c[i];
  }
  return p;
}
void check_equal(const Point& expected, const Point& actual, double tolerance) {
  DOUBLES_EQUAL(expected.q, actual.q, tolerance);
  DOUBLES_EQUAL(expected.v, actual.v, tolerance);
  DOUBLES_EQUAL(expected.a, actual.a, tolerance);
}

}  // namespace

TEST_GROUP(Trajectory){};

TEST(Trajectory, APolynomialOfDegreeFiveIsItself) {
  const double c[6] = {0.3, -1.2, 0.7, 2.5, -1.1, 0.4};
  for (const double duration : {0.02, 1.0, 3.0}) {
    const Quintic<double> way(at(c, 0), at(c, duration), duration);
    for (int i = 0; i < 20; ++i) {
      const double t = duration * i / 20;
      check_equal(at(c, t), way.at(t), 1e-9);
    }
  }
}

TEST(Trajectory, BeginsAndEndsAsAsked) {
  const Point begin = {1, -2, 3}, end = {-4, 5, -6};
  const Quintic<double> way(begin, end, 0.5);
  check_equal(begin, way.at(0), 1e-12);
  check_equal(end, way.at(0.5), 1e-9);
}

TEST(Trajectory, BeyondItsEndItGoesOnWithItsVelocity) {
  const Quintic<double> way({0, 0, 0}, {1, 2, 7}, 0.5);
  check_equal({1 + 2 * 0.25, 2, 0}, way.at(0.75), 1e-12);
}

TEST(Trajectory, VelocityAndAccelerationAreDerivatives) {
  const Quintic<double> way({0.2, 1, -3}, {0.7, -1, 4}, 2);
  const double h = 1e-5;
  for (int i = 1; i < 40; ++i) {
    const double t = 0.05 * i - 0.02;
    const Point before = way.at(t - h), here = way.at(t), after = way.at(t + h);
    DOUBLES_EQUAL((after.q - before.q) / (2 * h), here.v, 1e-7);
    DOUBLES_EQUAL((after.v - before.v) / (2 * h), here.a, 1e-7);
  }
}
