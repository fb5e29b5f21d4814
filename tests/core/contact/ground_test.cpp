#include "lockstep/contact/ground.hpp"

#include <CppUTest/TestHarness.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "support/random.hpp"

using namespace lockstep;
using namespace lockstep::contact;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// z = 0.3 x - 0.2 y + 1 over 4 x 3 points from (-1, 2) on.
struct Slope {
  std::vector<double> heights;
  HeightField<double> field;

  Slope() {
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 4; ++i) heights.push_back(0.3 * (-1 + 0.5 * i) - 0.2 * (2 + 0.5 * j) + 1);
    }
    field = {.x = -1, .y = 2, .spacing = 0.5, .columns = 4, .rows = 3, .heights = heights};
  }
};

}  // namespace

TEST_GROUP(Ground){};

TEST(Ground, PlaneTellsTheSignedDistance) {
  const Plane<double> plane = {.normal = {0.6, 0, 0.8}, .offset = 2};
  CHECK(plane.check() == Status::kOk);
  const auto surface = plane.under({5, 7, 1});
  DOUBLES_EQUAL(3 + 0.8 - 2, surface->distance, 1e-15);
}

TEST(Ground, SlopeOfHeightsIsAPlane) {
  const Slope slope;
  CHECK(slope.field.check() == Status::kOk);
  const Vec3<double> steep = {-0.3, 0.2, 1};
  const double length = std::sqrt(dot(steep, steep));
  test::Random random(1);
  for (int i = 0; i < 100; ++i) {
    const Vec3<double> p = {random.uniform(-1, 0.5), random.uniform(2, 3), random.uniform(-1, 2)};
    const auto surface = slope.field.under(p);
    CHECK(surface.has_value());
    DOUBLES_EQUAL((p.z - (0.3 * p.x - 0.2 * p.y + 1)) / length, surface->distance, 1e-14);
    DOUBLES_EQUAL(steep.x / length, surface->normal.x, 1e-14);
    DOUBLES_EQUAL(steep.y / length, surface->normal.y, 1e-14);
  }
}

// Every corner of the grid is met, and the two triangles of a cell agree on their diagonal.
TEST(Ground, TrianglesMeetTheirHeights) {
  const std::array<double, 6> heights = {0, 1, 0.5, 2, -1, 0.25};
  const HeightField<double> field = {.columns = 3, .rows = 2, .heights = heights};
  for (int j = 0; j < 2; ++j) {
    for (int i = 0; i < 3; ++i) {
      const double height = heights[static_cast<std::size_t>(3 * j + i)];
      const auto surface = field.under({double(i), double(j), height});
      DOUBLES_EQUAL(0, surface->distance, 1e-15);
    }
  }
  for (const double side : {-1e-9, 1e-9}) {
    const auto surface = field.under({0.5 + side, 0.5, 3});
    DOUBLES_EQUAL(3 - (0 + -1) / 2.0, surface->distance / surface->normal.z, 1e-8);
  }
}

TEST(Ground, ThereIsNoneBesideTheGridNorAtNan) {
  const Slope slope;
  for (const Vec3<double>& p : {Vec3<double>{-1.01, 2.5, 0},
                                {0.51, 2.5, 0},
                                {0, 1.99, 0},
                                {0, 3.01, 0},
                                {kNan, 2.5, 0},
                                {0, kNan, 0},
                                {1e300, 2.5, 0}}) {
    CHECK(!slope.field.under(p));
  }
}

TEST(Ground, MustHaveAMeaning) {
  Slope slope;
  slope.heights[5] = kNan;
  CHECK(slope.field.check() == Status::kNotFinite);
  slope.heights[5] = 0;
  slope.field.rows = 2;
  CHECK(slope.field.check() == Status::kWrongSize);
  slope.field.rows = 3;
  const auto verdict = [&](auto&& change) {
    HeightField<double> changed = slope.field;
    change(changed);
    return changed.check();
  };
  CHECK(verdict([](auto& f) { f.columns = 1; }) == Status::kWrongSize);
  CHECK(verdict([](auto& f) { f.rows = 1; }) == Status::kWrongSize);
  CHECK(verdict([](auto& f) { f.columns = 5, f.rows = 2; }) == Status::kWrongSize);  // 12 = 10 + 2
  CHECK(verdict([](auto& f) { f.x = kNan; }) == Status::kNotFinite);
  CHECK(verdict([](auto& f) { f.y = kNan; }) == Status::kNotFinite);
  for (const double spacing : {0.0, -1.0, kNan, std::numeric_limits<double>::infinity()}) {
    CHECK(verdict([&](auto& f) { f.spacing = spacing; }) == Status::kBadConstraint);
  }
  CHECK(verdict([](auto& f) { f.material.restitution = -0.1; }) == Status::kBadConstraint);
  CHECK((Plane<double>{.normal = {0, 0, 0.9}}.check() == Status::kBadConstraint));
  CHECK(Plane<double>{.offset = kNan}.check() == Status::kBadConstraint);
  CHECK(Plane<double>{.material = {.friction = -1}}.check() == Status::kBadConstraint);
  CHECK(Plane<double>{.material = {.friction = std::numeric_limits<double>::infinity()}}.check() ==
        Status::kBadConstraint);
  CHECK(Plane<double>{.material = {.restitution = 1.1}}.check() == Status::kBadConstraint);
}

TEST(Ground, EqualMaterialsKeepTheirCoefficientExactly) {
  const Material<float> rubber = {.friction = 0.7f, .restitution = 0.2f};
  CHECK(between(rubber, rubber).friction == 0.7f);
  DOUBLES_EQUAL(0, between(rubber, Material<float>{}).friction, 0);
  CHECK(between(Material<float>{}, rubber).restitution == 0.2f);
}
