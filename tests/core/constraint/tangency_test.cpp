#include "lockstep/constraint/tangency.hpp"

#include <CppUTest/TestHarness.h>

#include "core/maximal/any_body.hpp"

using namespace lockstep;
using namespace lockstep::test;

namespace {

const Eigen::Vector3d kAxesA(0.5, 0.8, 1.1), kAxesB(0.3, 0.9, 0.4);

maximal::EllipsoidTangency<double> tangency() { return {vec3(kAxesA), vec3(kAxesB)}; }

// The point of an ellipsoid, in its own axes, whose outward normal is n.
Eigen::Vector3d support(const Eigen::Vector3d& axes, const Eigen::Vector3d& n) {
  const Eigen::Vector3d squares = axes.cwiseProduct(axes);
  return squares.cwiseProduct(n) / axes.cwiseProduct(n).norm();
}

// B turned at random and placed so that it touches A where A's normal is n, but for a gap.
Eigen::Isometry3d touching(const Eigen::Isometry3d& X_A, const Eigen::Vector3d& n, double gap,
                           Random& random) {
  const Eigen::Quaterniond R_AB = random.rotation();
  const Eigen::Vector3d p =
      support(kAxesA, n) + gap * n - R_AB * support(kAxesB, -(R_AB.inverse() * n));
  return X_A * Eigen::Translation3d(p) * R_AB;
}

}  // namespace

TEST_GROUP(MaximalTangency){};

// Not with one centre deep in the other ellipsoid, where f bends too sharply for differences.
TEST(MaximalTangency, RatesMatchDifferences) {
  Random random(60);
  for_all_pairs([&](int a, int b) {
    Scene scene = random_scene(tangency(), a, b, random);
    while (scene.now().value(0) < -0.4) scene = random_scene(tangency(), a, b, random);
    check_position_level(scene, "tangency");
    check_velocity_level(scene, "tangency");
  });
}

TEST(MaximalTangency, IsZeroWhereTheSurfacesTouch) {
  Random random(61);
  for (int trial = 0; trial < 50; ++trial) {
    const Eigen::Isometry3d X_A = random_placement(random);
    const Eigen::Vector3d n = random.rotation() * Eigen::Vector3d::UnitX();
    CHECK_AT_MOST(1e-13, value_between(tangency(), X_A, touching(X_A, n, 0, random)).norm(), "gap");
    CHECK(value_between(tangency(), X_A, touching(X_A, n, 1e-3, random))(0) > 1e-4);
    CHECK(value_between(tangency(), X_A, touching(X_A, n, -1e-3, random))(0) < -1e-4);
  }
}

// (|d| / (r_A + r_B))^2 - 1, times half of the sum of the radii
TEST(MaximalTangency, OfSpheresIsThatOfTheirCentres) {
  const maximal::EllipsoidTangency<double> spheres = {{0.5, 0.5, 0.5}, {0.2, 0.2, 0.2}};
  Random random(62);
  const Eigen::Isometry3d X_A = random_placement(random), X_B = random_placement(random);
  const double d = (X_B.translation() - X_A.translation()).norm();
  DOUBLES_EQUAL(0.35 * (d * d / 0.49 - 1), value_between(spheres, X_A, X_B)(0), 1e-14);
}
