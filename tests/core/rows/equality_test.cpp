#include "lockstep/rows/equality.hpp"

#include <CppUTest/TestHarness.h>

#include <limits>

#include "core/rows/systems.hpp"
#include "support/allocation_guard.hpp"
#include "support/dense_algebra.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;
using namespace lockstep::rows;
using namespace lockstep::test;

namespace {

template <class T>
using Symmetric = EqualitySolver<T, kMaxRows>;
template <class T>
using General = EqualitySolver<T, kMaxRows, GeneralFactor>;

std::vector<RowBound<double>> equalities(int count) {
  return std::vector<RowBound<double>>(at(count), equality());
}

template <class Solver, class T>
void check_dense(T, const Problem& p, double bound) {
  Solver solver;
  Answer<T> answer;
  CHECK(solver.solve(to_rows<T>(p), answer) == Status::kOk);
  LONGS_EQUAL(0, answer.redundant);
  LONGS_EQUAL(p.count(), answer.pivots);
  CHECK(answer.stop == Stop::kConverged);
  const Eigen::VectorXd dense = solve_full_rank(p.A, -p.b);
  CHECK_AT_MOST(bound, relative_error(forces(answer, p.count()), dense), "mu");
}

template <class Solver, class T>
void check_redundant(T, const Problem& p, int redundant, double bound) {
  Solver solver;
  Answer<T> answer;
  CHECK(solver.solve(to_rows<T>(p), answer) == Status::kOk);
  LONGS_EQUAL(redundant, answer.redundant);
  const Eigen::VectorXd mu = forces(answer, p.count());
  LONGS_EQUAL(redundant, (mu.array() == 0).count());
  CHECK_AT_MOST(bound, (p.A * mu + p.b).cwiseAbs().maxCoeff(), "a");
}

// Three rods in a straight line hold two masses between two walls; all that moves along the line
// is given by two numbers, so one of the three rods is redundant.
Problem straight_chain() {
  const Eigen::MatrixXd J = (Eigen::MatrixXd(3, 2) << 1, 0, -1, 1, 0, -1).finished();
  return pushed(equalities(3), J, Eigen::Vector2d(1 / 2.0, 1 / 3.0), Eigen::Vector2d(4, 7));
}

}  // namespace

TEST_GROUP(Equality){};

TEST(Equality, RegularSystemsMatchADenseSolve) {
  Random random(1);
  for (int count = 1; count <= kMaxRows; ++count) {
    const Problem p = random_push(equalities(count), 2 * count + 4, random);
    check_dense<Symmetric<double>>(0.0, p, 1e-12);
    check_dense<General<double>>(0.0, p, 1e-12);
    check_dense<Symmetric<float>>(0.0f, p, 1e-3);
    check_dense<General<float>>(0.0f, p, 1e-3);
  }
}

TEST(Equality, UnsymmetricSystemsMatchADenseSolve) {
  Random random(2);
  for (int count = 1; count <= kMaxRows; ++count) {
    Problem p = random_push(equalities(count), 2 * count + 4, random);
    p.A += Eigen::MatrixXd::NullaryExpr(count, count, [&] { return random.uniform(-1, 1); });
    for (int i = 0; i < count; ++i) p.A.row(i) *= random.uniform(1, 1000);
    p.b = Eigen::VectorXd::NullaryExpr(count, [&] { return random.uniform(-1, 1); });
    check_dense<General<double>>(0.0, p, 1e-9);
  }
}

TEST(Equality, RedundantRowsOfAnyRankGetNoForce) {
  Random random(3);
  for (int count = 2; count <= kMaxRows; ++count) {
    const int rank = 1 + random.below(count - 1);
    const Problem p = random_push(equalities(count), rank, random);
    check_redundant<Symmetric<double>>(0.0, p, count - rank, 1e-9);
    check_redundant<General<double>>(0.0, p, count - rank, 1e-9);
  }
}

TEST(Equality, StraightChainHeldAtBothEndsStands) {
  check_redundant<Symmetric<double>>(0.0, straight_chain(), 1, 1e-14);
  check_redundant<General<double>>(0.0, straight_chain(), 1, 1e-14);
  check_redundant<Symmetric<float>>(0.0f, straight_chain(), 1, 1e-5);
  check_redundant<General<float>>(0.0f, straight_chain(), 1, 1e-5);
}

// The walls part: no forces of the rods can follow. Those that are given stay of a sane size.
TEST(Equality, ContradictionIsTold) {
  Problem p = straight_chain();
  p.b[0] += 1;
  Symmetric<double> solver;
  Answer<double> answer;
  CHECK(solver.solve(to_rows<double>(p), answer) == Status::kNotConverged);
  CHECK(answer.stop == Stop::kInconsistent);
  LONGS_EQUAL(1, answer.redundant);
  CHECK_AT_MOST(40, forces(answer, 3).cwiseAbs().maxCoeff(), "mu");
  DOUBLES_EQUAL(1, answer.violation, 1e-12);  // the three rows add up to the error
}

// Newtons and newton metres, metres and millimetres: the rank is the same.
TEST(Equality, UnitsOfRowsDoNotMatter) {
  Problem p = straight_chain();
  const Eigen::Vector3d units(1e9, 1, 1e-9);
  p.A = units.asDiagonal() * p.A * units.asDiagonal();
  p.b = units.asDiagonal() * p.b;
  Symmetric<double> symmetric;
  General<double> general;
  Answer<double> answer;
  CHECK(symmetric.solve(to_rows<double>(p), answer) == Status::kOk);
  LONGS_EQUAL(1, answer.redundant);
  CHECK(general.solve(to_rows<double>(p), answer) == Status::kOk);
  LONGS_EQUAL(1, answer.redundant);
}

TEST(Equality, NoRowsAndRowsOfZeros) {
  Symmetric<float> symmetric;
  General<float> general;
  Answer<float> answer;
  CHECK(symmetric.solve({}, answer) == Status::kOk);
  CHECK(general.solve({}, answer) == Status::kOk);
  Rows<float> zeros;
  zeros.count = 2;
  CHECK(symmetric.solve(zeros, answer) == Status::kOk);
  LONGS_EQUAL(2, answer.redundant);
  CHECK(general.solve(zeros, answer) == Status::kOk);
  LONGS_EQUAL(2, answer.redundant);
}

TEST(Equality, BadInputChangesNothing) {
  Rows<double> system = to_rows<double>(straight_chain());
  Symmetric<double> solver;
  Answer<double> answer;
  answer.mu[0] = 17, answer.redundant = 9;
  system.A[1][2] = std::numeric_limits<double>::quiet_NaN();
  CHECK(solver.solve(system, answer) == Status::kNotFinite);
  system = to_rows<double>(straight_chain());
  system.rows[1] = unilateral();
  CHECK(solver.solve(system, answer) == Status::kBadConstraint);
  system = to_rows<double>(straight_chain());
  for (std::size_t i = 0; i < 3; ++i) {
    for (double& element : system.A[i]) element *= 1e-300;
    system.b[i] = 1e300;
  }
  CHECK(solver.solve(system, answer) == Status::kOverflow);
  DOUBLES_EQUAL(17, answer.mu[0], 0);
  LONGS_EQUAL(9, answer.redundant);
}

// Forces of a few newtons along rows that answer with 1e308: what they add up to is no number.
TEST(Equality, AccelerationsThatOverflowAreTold) {
  Rows<double> system;
  system.count = 2;
  system.A[0] = {1e308, 0.9e308}, system.A[1] = {0.9e308, 1e308};
  system.b = {-0.5e308, 0.5e308};  // of (5, -5)
  Symmetric<double> symmetric;
  General<double> general;
  Answer<double> answer;
  answer.mu[0] = 17;
  CHECK(symmetric.solve(system, answer) == Status::kOverflow);
  CHECK(general.solve(system, answer) == Status::kOverflow);
  DOUBLES_EQUAL(17, answer.mu[0], 0);
}

TEST(Equality, NeverAllocates) {
  const Rows<double> system = to_rows<double>(straight_chain());
  Symmetric<double> symmetric;
  General<double> general;
  Answer<double> answer;
  LONGS_EQUAL(0, allocations_in([&] {
                CHECK(symmetric.solve(system, answer) == Status::kOk);
                CHECK(general.solve(system, answer) == Status::kOk);
              }));
}
