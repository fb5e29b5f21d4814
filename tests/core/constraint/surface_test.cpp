#include "lockstep/constraint/surface.hpp"

#include <CppUTest/TestHarness.h>

#include <cmath>

#include "core/maximal/any_body.hpp"
#include "lockstep/constraint/distance.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

using Surface = maximal::PointOnSurface<double>;

// A frame whose origin is at r in A, turned at random.
Eigen::Isometry3d at_point(const Eigen::Isometry3d& X_A, const Eigen::Vector3d& r, Random& random) {
  return Eigen::Translation3d(X_A * r) * random.rotation();
}

// The value on a surface given by a parametrization, and a little off it along the normal.
template <class C, class Point>
void check_surface(const C& constraint, Point&& point, const char* where) {
  check_holonomic(constraint, where);
  Random random(21);
  for (int trial = 0; trial < 10; ++trial) {
    const Eigen::Isometry3d X_A = random_placement(random);
    const auto [r, normal] = point(random.uniform(-3, 3), random.uniform(-1.5, 1.5));
    CHECK_AT_MOST(1e-14, value_between(constraint, X_A, at_point(X_A, r, random)).norm(), where);
    const double outside =
        value_between(constraint, X_A, at_point(X_A, r + 1e-3 * normal.normalized(), random))(0);
    CHECK(outside > 1e-4 && outside < 2e-3);
  }
}

struct OnSurface {
  Eigen::Vector3d r, normal;
};

}  // namespace

TEST_GROUP(MaximalSurface){};

TEST(MaximalSurface, Sphere) {
  check_surface(
      Surface::sphere(0.7),
      [](double u, double v) {
        const Eigen::Vector3d n(std::cos(u) * std::cos(v), std::sin(u) * std::cos(v), std::sin(v));
        return OnSurface{0.7 * n, n};
      },
      "sphere");
}

TEST(MaximalSurface, Cylinder) {
  check_surface(
      Surface::cylinder(0.4),
      [](double u, double v) {
        const Eigen::Vector3d n(std::cos(u), std::sin(u), 0);
        return OnSurface{0.4 * n + v * Eigen::Vector3d::UnitZ(), n};
      },
      "cylinder");
}

TEST(MaximalSurface, Ellipsoid) {
  const Eigen::Vector3d semi_axes(0.5, 0.8, 1.1);
  check_surface(
      Surface::ellipsoid(vec3(semi_axes)),
      [&](double u, double v) {
        const Eigen::Vector3d n(std::cos(u) * std::cos(v), std::sin(u) * std::cos(v), std::sin(v));
        return OnSurface{semi_axes.cwiseProduct(n), n.cwiseQuotient(semi_axes)};
      },
      "ellipsoid");
}

// Near its length the rod's value is the error of the length.
TEST(MaximalSurface, RodKeepsItsLength) {
  check_surface(
      maximal::Distance<double>{0.7},
      [](double u, double v) {
        const Eigen::Vector3d n(std::cos(u) * std::cos(v), std::sin(u) * std::cos(v), std::sin(v));
        return OnSurface{0.7 * n, n};
      },
      "distance");
  Random random(22);
  const Eigen::Isometry3d X_A = random_placement(random);
  const double error = value_between(maximal::Distance<double>{0.7}, X_A,
                                     at_point(X_A, Eigen::Vector3d(0, 0.7 + 1e-6, 0), random))(0);
  DOUBLES_EQUAL(1e-6, error, 1e-11);
}

// However far from its length, a strut's value is the error of the length.
TEST(MaximalSurface, AStrutTellsItsLength) {
  const maximal::Strut<double> strut = {0.7};
  Random random(23);
  const Eigen::Isometry3d X_A = random_placement(random);
  for (const double length : {0.1, 0.7, 2.5}) {
    const auto there = at_point(X_A, Eigen::Vector3d(0.6 * length, 0, -0.8 * length), random);
    DOUBLES_EQUAL(length - 0.7, value_between(strut, X_A, there)(0), 1e-14);
  }
  // longer than that: where its ends nearly meet, its direction turns too fast for differences
  for_all_pairs([&](int a, int b) {
    Scene scene = random_scene(strut, a, b, random);
    while (scene.now().value[0] < 0) scene = random_scene(strut, a, b, random);
    check_position_level(scene, "strut");
    check_velocity_level(scene, "strut");
  });
  CHECK(std::isnan(strut.rows({}, {}, 0).b[0].linear.x));
  CHECK(maximal::Strut<double>{0}.check() == Status::kBadConstraint);
}
