#include "lockstep/rows/conditions.hpp"

#include <CppUTest/TestHarness.h>

#include <algorithm>
#include <vector>

#include "core/rows/systems.hpp"

using namespace lockstep;
using namespace lockstep::rows;
using namespace lockstep::test;

namespace {

// How far a force is from a solution of one row with A = 4.
double violation(const RowBound<double>& row, double mu, double a) {
  Rows<double> system;
  system.count = 1;
  system.rows[0] = row;
  system.A[0][0] = 4;
  system.b[0] = a - 4 * mu;
  Answer<double> answer;
  answer.mu[0] = mu;
  judge(system, Friction::kCone, 0.0, answer, [](const auto&) {});
  DOUBLES_EQUAL(a, answer.a[0], 0);
  return answer.violation;
}

// The same for the friction of a contact that is pressed with a force of 10.
double slip_violation(Friction kind, Eigen::Vector2d mu, Eigen::Vector2d a) {
  Rows<double> system;
  system.count = 3;
  const auto rows = contact_rows(1, 0.5);
  std::copy(rows.begin(), rows.end(), system.rows.begin());
  Answer<double> answer;
  answer.mu[0] = 10;
  for (std::size_t i = 0; i < 3; ++i) system.A[i][i] = 4;
  system.b[0] = -40;
  for (int i = 0; i < 2; ++i) {
    answer.mu[at(i) + 1] = mu[i];
    system.b[at(i) + 1] = a[i] - 4 * mu[i];
  }
  judge(system, kind, 0.0, answer, [](const auto&) {});
  return answer.violation;
}

}  // namespace

TEST_GROUP(Conditions){};

TEST(Conditions, EqualityMustNotAccelerate) {
  DOUBLES_EQUAL(0, violation(equality(), -7, 0), 0);
  DOUBLES_EQUAL(3, violation(equality(), -7, 3), 1e-15);
}

TEST(Conditions, UnilateralPushesOrLetsGo) {
  DOUBLES_EQUAL(0, violation(unilateral(), 0, 5), 0);
  DOUBLES_EQUAL(0, violation(unilateral(), 5, 0), 0);
  DOUBLES_EQUAL(5, violation(unilateral(), 0, -5), 1e-15);
  DOUBLES_EQUAL(2, violation(unilateral(), 9, 2), 1e-15);    // pushes while it lets go
  DOUBLES_EQUAL(12, violation(unilateral(), -3, 0), 1e-15);  // pulls: A times the force
}

TEST(Conditions, BoxedYieldsOnlyAtItsBounds) {
  DOUBLES_EQUAL(0, violation(boxed(-1, 2), -1, 5), 0);
  DOUBLES_EQUAL(0, violation(boxed(-1, 2), 2, -5), 0);
  DOUBLES_EQUAL(0, violation(boxed(-1, 2), 1, 0), 0);
  DOUBLES_EQUAL(3, violation(boxed(-1, 2), 1, 3), 1e-15);
  DOUBLES_EQUAL(3, violation(boxed(-1, 2), 2, 3), 1e-15);
}

TEST(Conditions, ConeSlidesAgainstItsForce) {
  DOUBLES_EQUAL(0, slip_violation(Friction::kCone, {1, -2}, {0, 0}), 0);
  DOUBLES_EQUAL(0, slip_violation(Friction::kCone, {3, 4}, {-0.3, -0.4}), 1e-14);
  CHECK(slip_violation(Friction::kCone, {3, 4}, {-0.4, -0.3}) > 0.05);
  CHECK(slip_violation(Friction::kCone, {3, 4}, {0.3, 0.4}) > 0.3);
  CHECK(slip_violation(Friction::kCone, {4, 4}, {0, 0}) > 1);
}

TEST(Conditions, PyramidSlidesRowByRow) {
  DOUBLES_EQUAL(0, slip_violation(Friction::kPyramid, {5, 4}, {-0.3, 0}), 0);
  DOUBLES_EQUAL(0.4, slip_violation(Friction::kPyramid, {5, 4}, {-0.3, -0.4}), 1e-14);
}

// Nothing can be done about such a row, but whether it is satisfied is known.
TEST(Conditions, RowThatNoForceMovesIsStillJudged) {
  Rows<double> system;
  system.count = 1;
  system.rows[0] = unilateral();
  Answer<double> answer;
  for (const double b : {-2.0, 2.0}) {
    system.b[0] = b;
    int failures = 0;
    judge(system, Friction::kCone, 1e-9, answer, [&](const auto& block) {
      CHECK_FALSE(block.movable);
      ++failures;
    });
    DOUBLES_EQUAL(b < 0 ? 2 : 0, answer.violation, 0);
    LONGS_EQUAL(b < 0 ? 1 : 0, failures);
  }
}

// Neighbours share a cone if they rub on one normal row with one coefficient.
TEST(Conditions, ConesAreOfNeighboursThatHaveAllInCommon) {
  const auto size = [](const std::vector<RowBound<double>>& rows, int first) {
    Rows<double> system;
    system.count = static_cast<int>(rows.size());
    std::copy(rows.begin(), rows.end(), system.rows.begin());
    for (std::size_t i = 0; i < rows.size(); ++i) system.A[i][i] = 1;
    return Block(system, Friction::kCone, first, 1.0).size;
  };
  LONGS_EQUAL(2, size({unilateral(), friction(0, 0.5), friction(0, 0.5)}, 1));
  LONGS_EQUAL(1, size({unilateral(), friction(0, 0.5), friction(0, 0.4)}, 1));
  LONGS_EQUAL(1, size({unilateral(), unilateral(), friction(0, 0.5), friction(1, 0.5)}, 2));
  LONGS_EQUAL(1, size({unilateral(), friction(0, 0.5), unilateral()}, 1));
  LONGS_EQUAL(1, size({unilateral(), friction(0, 0.5)}, 1));
}
