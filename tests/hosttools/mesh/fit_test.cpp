#include "mesh/fit.hpp"

#include <cmath>

#include "support/random.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep;
using contact::ShapeType;
using host::FittedShape;
using host::MeshFit;
using host::MeshPoint;

namespace {

std::vector<MeshPoint> cloud(int seed, const MeshPoint& size, int count = 60) {
  test::Random random(static_cast<std::uint64_t>(seed));
  std::vector<MeshPoint> points;
  for (int i = 0; i < count; ++i) {
    const auto v = random.vector(1);
    points.push_back({3 + size.x * v[0], size.y * v[1] - 1, size.z * v[2]});
  }
  return points;
}

// How far outside the shape a point is; negative inside.
double outside(const FittedShape& shape, const MeshPoint& point) {
  const MeshPoint p = transpose_times(shape.X_MS.R, point - shape.X_MS.p);
  const MeshPoint d = {std::fabs(p.x) - shape.half.x, std::fabs(p.y) - shape.half.y,
                       std::fabs(p.z) - shape.half.z};
  if (shape.type == ShapeType::kBox) return std::max({d.x, d.y, d.z});
  const double along = std::max(d.z, 0.0);
  return std::sqrt(p.x * p.x + p.y * p.y + along * along) - shape.radius;
}

}  // namespace

TEST_GROUP(Fit){};

TEST(Fit, ShapesHoldEveryPointAndTouchOne) {
  for (int seed = 0; seed < 30; ++seed) {
    for (const MeshPoint& size : {MeshPoint{0.1, 0.2, 0.5}, {0.5, 0.1, 0.2}, {0.1, 0.5, 0.3}}) {
      const std::vector<MeshPoint> points = cloud(seed, size);
      for (const MeshFit kind : {MeshFit::kBox, MeshFit::kSphere, MeshFit::kCapsule}) {
        const FittedShape shape = host::fit(points, kind, 16);
        double most = -1;
        for (const MeshPoint& p : points) most = std::max(most, outside(shape, p));
        CHECK_TRUE(most < 1e-12 && most > -1e-12);
      }
    }
  }
}

TEST(Fit, KnownShapesAreFoundAgain) {
  std::vector<MeshPoint> cube;
  for (const double x : {0.0, 2.0}) {
    for (const double y : {0.0, 2.0}) {
      for (const double z : {0.0, 2.0}) cube.push_back({x, y, z});
    }
  }
  const FittedShape ball = host::fit(cube, MeshFit::kSphere, 16);
  DOUBLES_EQUAL(std::sqrt(3.0), ball.radius, 0.02);
  const FittedShape box = host::fit(cube, MeshFit::kBox, 16);
  CHECK_TRUE(box.half.x == 1 && box.half.y == 1 && box.X_MS.p.z == 1);

  // a capsule along y: rings at the centres of its ends, and the poles
  std::vector<MeshPoint> pill = {{0, -1.5, 0}, {0, 2.5, 0}};
  for (const double y : {-1.0, 2.0}) {
    for (const MeshPoint& p : {MeshPoint{0.5, y, 0}, {-0.5, y, 0}, {0, y, 0.5}, {0, y, -0.5}}) {
      pill.push_back(p);
    }
  }
  const FittedShape capsule = host::fit(pill, MeshFit::kCapsule, 16);
  CHECK_TRUE(capsule.type == ShapeType::kCapsule);
  DOUBLES_EQUAL(0.5, capsule.radius, 1e-15);
  DOUBLES_EQUAL(1.5, capsule.half.z, 1e-15);
  DOUBLES_EQUAL(0.5, capsule.X_MS.p.y, 1e-15);
  CHECK_TRUE(capsule.X_MS.R.z.y == 1);
  const MeshPoint third = cross(capsule.X_MS.R.x, capsule.X_MS.R.y);
  CHECK_TRUE(third.x == 0 && third.y == 1 && third.z == 0);
}

TEST(Fit, ThinnedPointsKeepTheExtremesAndSpread) {
  const std::vector<MeshPoint> points = cloud(7, {1, 1, 1}, 500);
  const std::vector<MeshPoint> few = host::thin_out(points, 16);
  CHECK_EQUAL(16u, few.size());
  for (const auto axis : {&MeshPoint::x, &MeshPoint::y, &MeshPoint::z}) {
    CHECK_TRUE(std::ranges::min(few, {}, axis).*axis == std::ranges::min(points, {}, axis).*axis);
    CHECK_TRUE(std::ranges::max(few, {}, axis).*axis == std::ranges::max(points, {}, axis).*axis);
  }
  // all in the order of the cloud, and none that is near another: sixteen in a cube of side 2
  std::size_t at = 0;
  for (const MeshPoint& p : few) {
    while (at < points.size() && points[at].x != p.x) ++at;
    for (const MeshPoint& q : few) CHECK_TRUE(&p == &q || dot(p - q, p - q) > 0.25);
  }
  CHECK_TRUE(at < points.size());
  CHECK_EQUAL(5u, host::thin_out(cloud(1, {1, 1, 1}, 5), 16).size());
}

TEST(Fit, PointsWhoseDistancesUnderflowAreThinnedToo) {
  std::vector<MeshPoint> tiny;
  for (int i = 0; i < 40; ++i) tiny.push_back({i * 1e-200, 0, 0});
  CHECK_EQUAL(16u, host::thin_out(tiny, 16).size());
}
