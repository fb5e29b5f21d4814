#include "mesh/hull.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "support/random.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep;
using host::convex_hull;
using host::MeshPoint;
using test::Random;

namespace {

constexpr double kSharp = 1e-9;

std::vector<MeshPoint> sorted(std::vector<MeshPoint> points) {
  std::ranges::sort(points, [](const MeshPoint& a, const MeshPoint& b) {
    return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z);
  });
  return points;
}

void check_same(const std::vector<MeshPoint>& expected, const std::vector<MeshPoint>& points) {
  CHECK_EQUAL(expected.size(), points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    CHECK_TRUE(expected[i].x == points[i].x && expected[i].y == points[i].y &&
               expected[i].z == points[i].z);
  }
}

// By definition: the corners of every plane through three points with all others on one side.
std::vector<MeshPoint> brute_force(const std::vector<MeshPoint>& p) {
  std::vector<bool> corner(p.size(), false);
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (std::size_t j = i + 1; j < p.size(); ++j) {
      for (std::size_t k = j + 1; k < p.size(); ++k) {
        const MeshPoint n = cross(p[j] - p[i], p[k] - p[i]);
        int above = 0, below = 0;
        for (const MeshPoint& q : p) {
          const double height = dot(n, q - p[i]) / std::sqrt(dot(n, n));
          above += height > kSharp;
          below += height < -kSharp;
        }
        if (above > 0 && below > 0) continue;
        corner[i] = corner[j] = corner[k] = true;
      }
    }
  }
  std::vector<MeshPoint> result;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (corner[i]) result.push_back(p[i]);
  }
  return sorted(result);
}

MeshPoint random_point(Random& random) {
  const auto v = random.vector(1);
  return {v[0], v[1], v[2]};
}

// How far the cloud reaches along a direction.
double reach(const std::vector<MeshPoint>& points, const MeshPoint& direction) {
  double most = -1e300;
  for (const MeshPoint& p : points) most = std::max(most, dot(direction, p));
  return most;
}

}  // namespace

TEST_GROUP(Hull){};

TEST(Hull, RandomCloudsHaveTheCornersThatTheDefinitionGives) {
  Random random(11);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<MeshPoint> points;
    const int count = 4 + random.below(20);
    for (int i = 0; i < count; ++i) points.push_back(random_point(random));
    check_same(brute_force(points), convex_hull(points, kSharp));
  }
}

TEST(Hull, GridsWithManyPointsInEveryFaceKeepTheEightCorners) {
  std::vector<MeshPoint> grid;
  for (int x = 0; x < 5; ++x) {
    for (int y = 0; y < 5; ++y) {
      for (int z = 0; z < 5; ++z) grid.push_back({0.1 * x, 0.3 * y, 0.7 * z});
    }
  }
  const std::vector<MeshPoint> corners = convex_hull(grid);
  CHECK_EQUAL(8u, corners.size());
  std::ranges::reverse(grid);
  check_same(corners, convex_hull(grid));
}

TEST(Hull, CoarseHullOfAFineBallIsSmallAndMissesLittle) {
  Random random(5);
  std::vector<MeshPoint> ball;
  for (int i = 0; i < 20000; ++i) {
    const MeshPoint p = random_point(random);
    ball.push_back((1 / std::sqrt(dot(p, p))) * p);
  }
  const std::vector<MeshPoint> corners = convex_hull(ball);
  CHECK_TRUE(corners.size() > 100 && corners.size() < 3000);
  for (int i = 0; i < 1000; ++i) {
    const MeshPoint d = random_point(random);
    const MeshPoint n = (1 / std::sqrt(dot(d, d))) * d;
    CHECK_TRUE(reach(ball, n) - reach(corners, n) <= 2.01 * host::kHullTolerance);
  }
}

TEST(Hull, CloudsWithoutDepthHaveTheirOutline) {
  std::vector<MeshPoint> square, line;
  for (int x = 0; x < 4; ++x) {
    line.push_back({1.0 * x, 2.0 * x, -1.0 * x});
    for (int y = 0; y < 4; ++y) square.push_back({1.0 * x, 1.0 * y, 0.5 * x + 0.25 * y});
  }
  check_same({{0, 0, 0}, {0, 3, 0.75}, {3, 0, 1.5}, {3, 3, 2.25}}, convex_hull(square));
  check_same({{0, 0, 0}, {3, 6, -3}}, convex_hull(line));
  check_same({{1, 2, 3}}, convex_hull({{1, 2, 3}, {1, 2, 3}}));
  CHECK_TRUE(convex_hull({}).empty());
}

TEST(Hull, NearlyFlatAndNearlyEqualPointsEnd) {
  Random random(3);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<MeshPoint> points;
    const double depth = std::pow(10.0, -random.uniform(0, 20));
    for (int i = 0; i < 60; ++i) {
      const MeshPoint p = random_point(random);
      // many on a lattice, so that planes and lines coincide up to rounding
      points.push_back({std::round(3 * p.x) / 3, std::round(3 * p.y) / 3, depth * p.z});
    }
    for (const double tolerance : {kSharp, host::kHullTolerance}) {
      const std::vector<MeshPoint> corners = convex_hull(points, tolerance);
      for (const MeshPoint& n : {MeshPoint{1, 0, 0}, MeshPoint{0, -1, 0}, MeshPoint{0.6, 0.8, 0}}) {
        CHECK_TRUE(reach(points, n) - reach(corners, n) <= 2 * tolerance * 2 + 1e-9);
      }
    }
  }
}
