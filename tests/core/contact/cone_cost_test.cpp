#include "lockstep/contact/cone_cost.hpp"

#include <CppUTest/TestHarness.h>

#include <array>
#include <cmath>
#include <random>

#include "support/tolerance.hpp"

using namespace lockstep;
using contact::BoundCost;
using contact::ConeCost;
using contact::Place;

namespace {

using V = Vec3<double>;

std::array<double, 3> entries(const V& a) { return {a.x, a.y, a.z}; }
V vector(const std::array<double, 3>& a) { return {a[0], a[1], a[2]}; }

// Normals and tangents that yield differently, on a cone that is steep or flat.
ConeCost<double> cone(double friction) {
  return {.normal = 50, .tangent = 80, .friction = friction, .target = {0.3, -0.2, 0.1}};
}
double cost(const ConeCost<double>& c, const V& held, const V& a) {
  const V f = c.at(c.trial(held, a)).force;
  return 0.5 * (f.x * f.x / c.normal + (f.y * f.y + f.z * f.z) / c.tangent);
}

template <class F>
void at_random_points(F&& f) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  const auto vector = [&] { return V{normal(random), normal(random), normal(random)}; };
  for (std::size_t i = 0; i < 2000; ++i)
    f(cone(std::array{0.0, 0.4, 1.2}[i % 3]), 20 * vector(), vector());
}

}  // namespace

TEST_GROUP(ConeCost){};

TEST(ConeCost, ForceAndSlopeAreItsDerivatives) {
  std::array<int, 3> places = {};
  at_random_points([&](const ConeCost<double>& c, const V& held, const V& a) {
    const auto at = c.at(c.trial(held, a));
    ++places[static_cast<std::size_t>(at.place)];
    const Mat3<double> slope = at.slope.full();
    const std::array<V, 3> columns = {slope.x, slope.y, slope.z};
    for (std::size_t k = 0; k < 3; ++k) {
      const double step = 1e-6;
      std::array<double, 3> up = entries(a), down = up;
      up[k] += step, down[k] -= step;
      const auto above = c.at(c.trial(held, vector(up))), below = c.at(c.trial(held, vector(down)));
      const double by_cost = cost(c, held, vector(up)) - cost(c, held, vector(down));
      DOUBLES_EQUAL(-by_cost / (2 * step), entries(at.force)[k], 1e-5);
      if (above.place != at.place || below.place != at.place) continue;
      const V change = (-1 / (2 * step)) * (above.force - below.force);
      for (std::size_t r = 0; r < 3; ++r) {
        DOUBLES_EQUAL(entries(change)[r], entries(columns[k])[r], 1e-4);
      }
    }
  });
  for (const int count : places) CHECK(count > 20);
}

TEST(ConeCost, ForceIsTheNearestOfTheCone) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> share(0, 1), angle(0, 6.28);
  at_random_points([&](const ConeCost<double>& c, const V& held, const V& a) {
    const V y = c.trial(held, a), f = c.at(y).force;
    CHECK_AT_MOST(c.friction * f.x * (1 + 1e-12) + 1e-12, std::hypot(f.y, f.z), "cone");
    for (int i = 0; i < 10; ++i) {
      const double n = 30 * share(random), t = c.friction * n * share(random), turn = angle(random);
      const V d = V{n, t * std::cos(turn), t * std::sin(turn)} - f;
      CHECK(d.x * (y.x - f.x) / c.normal + (d.y * (y.y - f.y) + d.z * (y.z - f.z)) / c.tangent <=
            1e-9);
    }
  });
}

// With the force itself held, a row that sticks is where it is asked to be.
TEST(ConeCost, AHeldForceTakesTheComplianceOut) {
  const ConeCost<double> c = cone(0.5);
  const V force = {10, 1, -2};
  CHECK(c.bears(force));
  const auto at = c.at(c.trial(force, c.target));
  CHECK(at.place == Place::kSticks);
  DOUBLES_EQUAL(0, dot(at.force - force, at.force - force), 1e-20);
}

TEST(ConeCost, ABoundedRowIsClamped) {
  const BoundCost<double> c = {.stiffness = 100, .lower = -3, .upper = 2, .target = 0.5};
  DOUBLES_EQUAL(-3, c.at(c.trial(0, 1)).force, 0);
  DOUBLES_EQUAL(2, c.at(c.trial(0, 0)).force, 0);
  const auto between = c.at(c.trial(0, 0.51));
  DOUBLES_EQUAL(-1, between.force, 1e-12);
  DOUBLES_EQUAL(100, between.slope, 0);
  DOUBLES_EQUAL(0.51, c.where(0, between.force), 1e-12);
}

TEST(ConeCost, WhereIsTheAccelerationOfATrialForce) {
  at_random_points([](const ConeCost<double>& c, const V& held, const V& a) {
    const V back = c.where(held, c.trial(held, a)) - a;
    DOUBLES_EQUAL(0, dot(back, back), 1e-24);
    const V gives = c.yielding(held);
    DOUBLES_EQUAL(held.x / 50, gives.x, 1e-14);
    DOUBLES_EQUAL(held.y / 80, gives.y, 1e-14);
    DOUBLES_EQUAL(held.z / 80, gives.z, 1e-14);
  });
}

// What stuck is guessed to stick with its force, what slid to slide against the slip that there is
// with the normal force that it had, and what was apart to be where its acceleration leads.
TEST(ConeCost, GuessKeepsTheForceThatWasBorne) {
  const ConeCost<double> c = cone(0.5);
  const V bears = {10, 1, -2}, slides = {10, 3, 4}, slip = {0.2, -0.7, 0.9};
  const V same = c.guess(bears, slip) - bears;
  DOUBLES_EQUAL(0, dot(same, same), 0);
  const auto at = c.at(c.guess(slides, slip));
  CHECK(at.place == Place::kSlides);
  DOUBLES_EQUAL(10, at.force.x, 1e-12);
  const V against = c.trial(slides, slip);
  DOUBLES_EQUAL(0, at.force.y * against.z - at.force.z * against.y, 1e-10);
  CHECK(at.force.y * against.y + at.force.z * against.z > 0);
  const V apart = c.guess({}, slip) - c.trial({}, slip);
  DOUBLES_EQUAL(0, dot(apart, apart), 0);
}

// Its axis alone: no direction to slide in, however flat the cone is.
TEST(ConeCost, ForceOnTheAxisOfAFlatConeHasNoFriction) {
  const auto at = cone(0.0).at({7, 0, 0});
  CHECK(at.place == Place::kSlides);
  DOUBLES_EQUAL(7, at.force.x, 1e-14);
  DOUBLES_EQUAL(0, std::hypot(at.force.y, at.force.z), 0);
  DOUBLES_EQUAL(50, at.slope.xx, 1e-12);
  DOUBLES_EQUAL(0, at.slope.yy, 0);
}

TEST(ConeCost, ABoundedRowIsGuessedWhereItWas) {
  const BoundCost<double> c = {.stiffness = 100, .lower = -3, .upper = 2, .target = 0.5};
  CHECK(c.at(-3).place == Place::kApart);
  CHECK(c.at(2).place == Place::kSlides);
  CHECK(c.at(1).place == Place::kSticks);
  DOUBLES_EQUAL(1, c.guess(1, 17), 0);
  for (const double bound : {-3.0, 2.0}) {
    CHECK_FALSE(c.bears(bound));
    DOUBLES_EQUAL(bound + 100 * (0.5 - 0.7), c.guess(bound, 0.7), 1e-12);
  }
  DOUBLES_EQUAL(0.03, c.yielding(3), 1e-15);
}
