#include "lockstep/contact/shape.hpp"

#include <CppUTest/TestHarness.h>

#include <array>
#include <cmath>
#include <limits>

#include "support/random.hpp"

using namespace lockstep;
using namespace lockstep::contact;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
const Placement<double> kIdentity = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {}};

Vec3<double> vec(const Eigen::Vector3d& a) { return {a.x(), a.y(), a.z()}; }

}  // namespace

TEST_GROUP(Shape){};

TEST(Shape, HasAsManyCornersAsItsName) {
  const std::array<Vec3<double>, 3> points = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  const auto count = [](const Shape<double>& shape) {
    int corners = 0;
    for_corners(shape, kIdentity, [&](const Vec3<double>&) { ++corners; });
    return corners;
  };
  LONGS_EQUAL(1, count(sphere(0.1)));
  LONGS_EQUAL(2, count(capsule(0.1, 0.2)));
  LONGS_EQUAL(8, count(box(Vec3<double>{1, 2, 3})));
  LONGS_EQUAL(3, count(point_set<double>(points)));
  LONGS_EQUAL(0, count(cylinder(0.1, 0.2)));  // it has rims
}

TEST(Shape, CornersOfABoxAreApartByItsSizes) {
  double sum = 0;
  for_corners(box(Vec3<double>{1, 2, 3}), kIdentity, [&](const Vec3<double>& p) {
    DOUBLES_EQUAL(1, std::abs(p.x), 0);
    DOUBLES_EQUAL(2, std::abs(p.y), 0);
    DOUBLES_EQUAL(3, std::abs(p.z), 0);
    sum += p.x + 2 * p.y + 4 * p.z;
  });
  DOUBLES_EQUAL(0, sum, 0);
}

// Against a search around both rims.
TEST(Shape, LowestRimPointIsAmongThoseOfACylinder) {
  test::Random random(5);
  for (int i = 0; i < 50; ++i) {
    const Eigen::Matrix3d R = random.rotation().toRotationMatrix();
    const Placement<double> X = {{vec(R.col(0)), vec(R.col(1)), vec(R.col(2))}, {0.1, 0.2, 0.3}};
    const Shape<double> shape = cylinder(0.4, 0.7);
    const Vec3<double> up = vec(random.vector(1).normalized());
    double lowest = 1e9, searched = 1e9;
    for_rim_points(shape, X, up,
                   [&](const Vec3<double>& p, double) { lowest = std::min(lowest, dot(up, p)); });
    for (int k = 0; k < 20000; ++k) {
      const double angle = k * 3.14159265358979 / 10000, z = k % 2 == 0 ? 0.7 : -0.7;
      const Vec3<double> p =
          X.p + X.R * Vec3<double>{0.4 * std::cos(angle), 0.4 * std::sin(angle), z};
      searched = std::min(searched, dot(up, p));
    }
    DOUBLES_EQUAL(searched, lowest, 1e-6);
  }
}

TEST(Shape, AcrossIsAUnitVectorAtARightAngle) {
  test::Random random(6);
  for (int i = 0; i < 100; ++i) {
    const Vec3<double> n = vec(random.vector(1).normalized()), t = across(n);
    DOUBLES_EQUAL(0, dot(n, t), 1e-15);
    DOUBLES_EQUAL(1, dot(t, t), 1e-14);
  }
  for (const Vec3<double>& n : {Vec3<double>{1, 0, 0}, {0, -1, 0}, {0, 0, 1}}) {
    DOUBLES_EQUAL(1, dot(across(n), across(n)), 0);
  }
}

TEST(Shape, SizesMustHaveAMeaning) {
  CHECK(sphere(0.0).check() == Status::kOk);
  CHECK(box(Vec3<double>{1, 1, 0}).check() == Status::kOk);
  for (const double bad : {-0.1, kNan, std::numeric_limits<double>::infinity()}) {
    CHECK(sphere(bad).check() == Status::kBadConstraint);
    CHECK(capsule(0.1, bad).check() == Status::kBadConstraint);
    CHECK(box(Vec3<double>{bad, 1, 1}).check() == Status::kBadConstraint);
  }
  CHECK(cylinder(kNan, 0.1).check() == Status::kBadConstraint);
  CHECK(box(Vec3<double>{1, -1, 1}).check() == Status::kBadConstraint);
  CHECK(point_set<double>({}).check() == Status::kBadConstraint);
  const std::array<Vec3<double>, 2> bad = {{{1, 0, 0}, {0, kNan, 0}}};
  CHECK(point_set<double>(bad).check() == Status::kBadConstraint);
  CHECK(point_set<double>(std::span(bad).first(1)).check() == Status::kOk);
  Shape<double> ball = sphere(1.0);
  ball.points = std::span(bad).first(1);
  CHECK(ball.check() == Status::kBadConstraint);
  CHECK(Shape<double>{.type = static_cast<ShapeType>(9)}.check() == Status::kBadConstraint);
}
