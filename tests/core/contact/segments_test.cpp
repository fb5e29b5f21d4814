#include "lockstep/contact/segments.hpp"

#include <CppUTest/TestHarness.h>

#include <cmath>

#include "support/random.hpp"

using namespace lockstep;
using namespace lockstep::contact;

namespace {

Vec3<double> vec(const Eigen::Vector3d& a) { return {a.x(), a.y(), a.z()}; }
double distance(const Vec3<double>& a, const Vec3<double>& b) {
  return std::sqrt(dot(a - b, a - b));
}

}  // namespace

TEST_GROUP(Segments){};

// Against all points of a fine grid on both.
TEST(Segments, NothingIsNearerThanTheNearPoints) {
  test::Random random(4);
  for (int run = 0; run < 100; ++run) {
    const double a = run % 5 == 0 ? 0 : random.uniform(0, 1);
    const double b = run % 7 == 0 ? 0 : random.uniform(0, 1);
    const Segment<double> A = {vec(random.vector(1)), vec(random.vector(1).normalized()), a};
    const Segment<double> B = {vec(random.vector(1)), vec(random.vector(1).normalized()), b};
    const auto near = near_points(A, B);
    LONGS_EQUAL(1, near.count);
    double searched = 1e9;
    for (int i = -100; i <= 100; ++i) {
      for (int j = -100; j <= 100; ++j) {
        searched = std::min(searched, distance(A.at(i * a / 100), B.at(j * b / 100)));
      }
    }
    const double found = distance(near.pairs[0].on_A, near.pairs[0].on_B);
    CHECK(found <= searched + 1e-12);
    DOUBLES_EQUAL(searched, found, 0.01);
  }
}

TEST(Segments, ParallelOnesTouchAtTheEndsOfWhatTheyShare) {
  const Segment<double> A = {{0, 0, 0}, {1, 0, 0}, 2};
  for (const double sign : {1.0, -1.0}) {
    const Segment<double> B = {{1.5, 0.5, 0}, {sign, 0, 0}, 1};
    const auto near = near_points(A, B);
    LONGS_EQUAL(2, near.count);
    DOUBLES_EQUAL(0.5, near.pairs[0].on_A.x, 1e-15);
    DOUBLES_EQUAL(2.0, near.pairs[1].on_A.x, 1e-15);
    for (const auto& pair : near.pairs) DOUBLES_EQUAL(0.5, distance(pair.on_A, pair.on_B), 1e-15);
  }
  const auto beyond = near_points(A, Segment<double>{{4, 0, 0}, {1, 0, 0}, 1});
  LONGS_EQUAL(1, beyond.count);
  DOUBLES_EQUAL(1, distance(beyond.pairs[0].on_A, beyond.pairs[0].on_B), 1e-15);
}

TEST(Segments, CrossingOnesHaveAWayOut) {
  const Segment<double> A = {{0, 0, 0}, {1, 0, 0}, 1}, B = {{0, 0, 0}, {0, 1, 0}, 1};
  for (const Vec3<double>& n : {across_both(A, B), across_both(A, A)}) {
    DOUBLES_EQUAL(1, dot(n, n), 1e-15);
    DOUBLES_EQUAL(0, dot(n, A.axis), 1e-15);
  }
  DOUBLES_EQUAL(0, dot(across_both(A, B), B.axis), 1e-15);
}
