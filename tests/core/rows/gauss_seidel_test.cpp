#include "lockstep/rows/gauss_seidel.hpp"

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
Status solve(const Problem& p, int sweeps, Answer<T>& answer, T relaxation = T(1)) {
  return gauss_seidel(to_rows<T>(p), GaussSeidelOptions<T>{sweeps, relaxation}, answer);
}

// Contacts between the boxes of a stack and the ground: each row couples to its neighbours only.
Problem stack(int boxes) {
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(boxes, boxes);
  for (int i = 0; i < boxes; ++i) {
    J(i, i) = 1;
    if (i > 0) J(i, i - 1) = -1;
  }
  return pushed(std::vector(at(boxes), unilateral()), J, Eigen::VectorXd::Ones(boxes),
                Eigen::VectorXd::Constant(boxes, -9.81));
}

}  // namespace

TEST_GROUP(GaussSeidel){};

TEST(GaussSeidel, SmallSystemsMatchEveryCombinationTried) {
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    const int count = 1 + random.below(5);
    const Problem p = random_push(random_rows(count, random), count + 6, random);
    Answer<double> answer;
    CHECK(solve(p, 5000, answer) == Status::kOk);
    CHECK(answer.stop == Stop::kConverged);
    CHECK_AT_MOST(1e-7, distance_to_an_answer(p, forces(answer, count)), "double");
    Answer<float> coarse;
    CHECK(solve(p, 5000, coarse) == Status::kOk);
    CHECK_AT_MOST(1e-2, distance_to_an_answer(p, forces(coarse, count)), "float");
  }
}

TEST(GaussSeidel, LargeSystemsSatisfyEveryRow) {
  Random random(2);
  for (int i = 0; i < 50; ++i) {
    const int count = 1 + random.below(kMaxRows);
    const Problem p = random_push(random_rows(count, random), 2 * count + 3, random);
    Answer<double> answer;
    CHECK(solve(p, 2000, answer) == Status::kOk);
    CHECK_AT_MOST(1e-7, pyramid_failure(p, forces(answer, count), 1e-7), "failure");
  }
}

// The lowest contact of a stack bears all of it.
TEST(GaussSeidel, StackStandsOnItsLowestContact) {
  Answer<double> answer;
  CHECK(solve(stack(10), 2000, answer) == Status::kOk);
  for (int i = 0; i < 10; ++i) DOUBLES_EQUAL(9.81 * (10 - i), answer.mu[at(i)], 1e-5);
}

TEST(GaussSeidel, StartingFromTheLastAnswerSavesSweeps) {
  Problem p = stack(10);
  Answer<double> answer;
  CHECK(solve(p, 2000, answer) == Status::kOk);
  const int cold = answer.sweeps;
  p.b *= 1.000001;
  CHECK(solve(p, 2000, answer) == Status::kOk);
  CHECK(answer.sweeps < 3 * cold / 4);
  const int again = answer.sweeps;
  CHECK(solve(p, 2000, answer) == Status::kOk);
  CHECK(answer.sweeps < again);
  LONGS_EQUAL(1, answer.sweeps);
}

TEST(GaussSeidel, OverRelaxationSavesSweepsOnAStack) {
  Answer<double> plain, relaxed;
  CHECK(solve(stack(10), 2000, plain) == Status::kOk);
  CHECK(solve(stack(10), 2000, relaxed, 1.5) == Status::kOk);
  CHECK(2 * relaxed.sweeps < plain.sweeps);
}

TEST(GaussSeidel, TellsThatItStoppedShort) {
  Answer<double> answer;
  CHECK(solve(stack(10), 3, answer) == Status::kNotConverged);
  CHECK(answer.stop == Stop::kSweepsUsedUp);
  LONGS_EQUAL(3, answer.sweeps);
  CHECK(answer.violation > 1);
  const Eigen::VectorXd a = stack(10).A * forces(answer, 10) + stack(10).b;
  for (int i = 0; i < 10; ++i) DOUBLES_EQUAL(a[i], answer.a[at(i)], 1e-12);
  const double before = answer.violation;
  CHECK(solve(stack(10), 3, answer) == Status::kNotConverged);
  CHECK(answer.violation < before);
}

TEST(GaussSeidel, UnsymmetricSystemsMatchADenseSolve) {
  Random random(3);
  for (int count = 1; count <= 12; ++count) {
    Problem p = random_push(std::vector(at(count), equality()), count, random);
    p.A = Eigen::MatrixXd::NullaryExpr(count, count, [&] { return random.uniform(-1, 1); });
    p.A.diagonal().array() = count;
    Answer<double> answer;
    CHECK(solve(p, 200, answer) == Status::kOk);
    const Eigen::VectorXd dense = solve_full_rank(p.A, -p.b);
    CHECK_AT_MOST(1e-8, relative_error(forces(answer, count), dense), "mu");
  }
}

// Redundant equalities do not disturb it: the force of a straight chain's rods spreads.
TEST(GaussSeidel, RedundantRowsAreSatisfied) {
  const Eigen::MatrixXd J = (Eigen::MatrixXd(3, 2) << 1, 0, -1, 1, 0, -1).finished();
  const Problem p =
      pushed(std::vector(3, equality()), J, Eigen::Vector2d(0.5, 0.3), Eigen::Vector2d(4, 7));
  Answer<double> answer;
  CHECK(solve(p, 500, answer) == Status::kOk);
  CHECK_AT_MOST(1e-8, (p.A * forces(answer, 3) + p.b).cwiseAbs().maxCoeff(), "a");
}

// However few the sweeps over the contacts, loops hold.
TEST(GaussSeidel, EqualityRowsHoldAfterEverySweep) {
  Random random(4);
  for (int i = 0; i < 100; ++i) {
    std::vector<RowBound<double>> rows = contact_rows(3, 0.5);
    for (int loop = 0; loop < 6; ++loop) rows.insert(rows.begin() + 3 * (loop % 4), equality());
    for (RowBound<double>& row : rows) {
      if (row.kind == RowKind::kFriction) row.kind = RowKind::kUnilateral;
    }
    const Problem p = random_push(rows, 5 + random.below(20), random);
    for (const int sweeps : {1, 2, 7}) {
      Answer<double> answer;
      static_cast<void>(solve(p, sweeps, answer));
      const Eigen::VectorXd a = p.A * forces(answer, p.count()) + p.b;
      for (int row = 0; row < p.count(); ++row) {
        const bool holds = std::abs(a[row]) < 1e-9;
        CHECK(holds || rows[at(row)].kind != RowKind::kEquality);
      }
    }
  }
}

TEST(GaussSeidel, RowThatNoForceMovesIsLeftAlone) {
  Problem p = stack(3);
  p.b << -9, -2, -3;
  for (const double tiny : {0.0, 1e-320, -1e-320, 1e-40}) {
    p.A.row(1).setZero(), p.A.col(1).setZero();
    p.A(1, 1) = tiny;
    Answer<double> answer;
    CHECK(solve(p, 500, answer) == Status::kNotConverged);
    CHECK(answer.stop == Stop::kInconsistent);
    DOUBLES_EQUAL(0, answer.mu[1], 0);
    DOUBLES_EQUAL(2, answer.violation, 0);
    DOUBLES_EQUAL(3 / p.A(2, 2), answer.mu[2], 1e-15);
  }
}

// A loop holds what a contact would push: whether it is satisfied is told, and no sweep helps.
TEST(GaussSeidel, RowThatALoopHoldsIsJudgedAndLeftAlone) {
  for (const double b : {-2.0, 2.0}) {
    Problem p = pushed({equality(), unilateral(), unilateral()},
                       (Eigen::MatrixXd(3, 2) << 1, 0, 1, 0, 0, 1).finished(),
                       Eigen::Vector2d(0.5, 0.25), Eigen::Vector2d(0, -4));
    p.b[1] = b;
    Answer<double> answer;
    CHECK(solve(p, 50, answer) == (b < 0 ? Status::kNotConverged : Status::kOk));
    CHECK(answer.stop == (b < 0 ? Stop::kInconsistent : Stop::kConverged));
    DOUBLES_EQUAL(0, answer.mu[1], 0);
    DOUBLES_EQUAL(16, answer.mu[2], 1e-12);
    DOUBLES_EQUAL(b < 0 ? 2 : 0, answer.violation, 1e-12);
  }
  // where the sweeps are used up as well, that is what is told
  Problem tall = stack(10);
  tall.A.row(4).setZero(), tall.A.col(4).setZero(), tall.b[4] = -1;
  Answer<double> answer;
  CHECK(solve(tall, 2, answer) == Status::kNotConverged);
  CHECK(answer.stop == Stop::kSweepsUsedUp);
}

// A box without ends is an equality, and a loop's row of zeros asks for nothing.
TEST(GaussSeidel, RowsWithoutBoundsAreSolvedAway) {
  Random random(6);
  Problem boxes = random_push({boxed(-kNoBound, kNoBound), unilateral(), equality()}, 6, random);
  Problem loops = boxes;
  loops.rows[0] = equality();
  boxes.A.row(2).setZero(), boxes.A.col(2).setZero(), boxes.b[2] = 0;
  loops.A = boxes.A, loops.b = boxes.b;
  Answer<double> answer, same;
  CHECK(solve(boxes, 50, answer) == Status::kOk);
  CHECK(solve(loops, 50, same) == Status::kOk);
  CHECK(answer.mu == same.mu);
  DOUBLES_EQUAL(0, answer.mu[2], 0);
  CHECK_AT_MOST(1e-12, std::abs(answer.a[0]), "a");
  // a box that is open at one end is none
  boxes.rows[0] = boxed(-kNoBound, -1);
  CHECK(solve(boxes, 500, answer) == Status::kOk);
  CHECK(answer.mu[0] <= -1);
}

TEST(GaussSeidel, NoRowsAtAll) {
  Answer<float> answer;
  CHECK(solve({}, 10, answer) == Status::kOk);
}

TEST(GaussSeidel, BadInputChangesNothing) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  Answer<double> answer;
  answer.mu[0] = 17, answer.sweeps = 9;
  Problem p = stack(3);
  p.A(0, 1) = kNan;
  CHECK(solve(p, 10, answer) == Status::kNotFinite);
  for (const double relaxation : {0.0, 2.0, -1.0, kNan}) {
    CHECK(solve(stack(3), 10, answer, relaxation) == Status::kBadConstraint);
  }
  p = stack(3);
  p.A *= 1e-300;
  p.b *= 1e300;
  CHECK(solve(p, 10, answer) == Status::kOverflow);
  p = stack(2);  // forces are numbers, and what they add up to is none
  p.A << 1e308, 0.9e308, 0.9e308, 1e308;
  p.b << -0.5e308, 0.5e308;
  p.rows = {equality(), equality()};
  CHECK(solve(p, 10, answer) == Status::kOverflow);
  DOUBLES_EQUAL(17, answer.mu[0], 0);
  LONGS_EQUAL(9, answer.sweeps);
  answer.mu[1] = kNan;
  CHECK(solve(stack(3), 10, answer) == Status::kNotFinite);
}

TEST(GaussSeidel, NeverAllocates) {
  const Rows<double> system = to_rows<double>(stack(10));
  Answer<double> answer;
  LONGS_EQUAL(0, allocations_in([&] {
                CHECK(gauss_seidel(system, {.sweeps = 2000}, answer) == Status::kOk);
              }));
}
