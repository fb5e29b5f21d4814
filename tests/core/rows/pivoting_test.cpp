#include "lockstep/rows/pivoting.hpp"

#include <CppUTest/TestHarness.h>

#include <array>
#include <cstddef>
#include <limits>
#include <new>

#include "core/rows/systems.hpp"
#include "lockstep/rows/equality.hpp"
#include "support/allocation_guard.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;
using namespace lockstep::rows;
using namespace lockstep::test;

namespace {

template <class T>
Status solve(const Problem& p, Answer<T>& answer, const PivotingOptions<T>& options = {}) {
  PivotingSolver<T, kMaxRows> solver;
  return solver.solve(to_rows<T>(p), options, answer);
}

// A box of mass 2 on the feet (+-1, +-1), its weight at (x, y): one unilateral row a foot over
// the box's height and two tilts.
Problem box_on_four_feet(double x, double y) {
  Eigen::MatrixXd J(4, 3);
  for (int foot = 0; foot < 4; ++foot) {
    J.row(foot) << 1, (foot / 2 == 0 ? 1 : -1) - y, -((foot % 2 == 0 ? 1 : -1) - x);
  }
  return pushed(std::vector(4, unilateral()), J, Eigen::Vector3d(1 / 2.0, 1 / 0.7, 1 / 0.9),
                Eigen::Vector3d(-9.81, 0, 0));
}

}  // namespace

TEST_GROUP(Pivoting){};

TEST(Pivoting, SmallSystemsMatchEveryCombinationTried) {
  Random random(1);
  for (int i = 0; i < 150; ++i) {
    const int count = 1 + random.below(5);
    const Problem p = random_push(random_rows(count, random), count + 3, random);
    Answer<double> answer;
    CHECK(solve(p, answer) == Status::kOk);
    CHECK(answer.gave_up == GaveUp::kNo);
    CHECK_AT_MOST(1e-11, distance_to_an_answer(p, forces(answer, count)), "double");
    Answer<float> coarse;
    CHECK(solve(p, coarse) == Status::kOk);
    CHECK_AT_MOST(1e-3, distance_to_an_answer(p, forces(coarse, count)), "float");
  }
}

// A solver that stands where there was something else: every bit set is not a number.
TEST(Pivoting, WhatWasInMemoryDoesNotMatter) {
  using Solver = PivotingSolver<double, kMaxRows>;
  alignas(Solver) static std::array<std::byte, sizeof(Solver)> memory;
  Random random(6);
  for (int i = 0; i < 200; ++i) {
    const int count = 1 + random.below(kMaxRows);
    const Problem p = random_push(random_rows(count, random), 1 + random.below(count + 3), random);
    Answer<double> expected, answer;
    static Solver usual;
    const Status status = usual.solve(to_rows<double>(p), {}, expected);
    memory.fill(std::byte(0xff));
    auto* solver = new (memory.data()) Solver;
    CHECK(solver->solve(to_rows<double>(p), {}, answer) == status);
    CHECK(forces(answer, count) == forces(expected, count));
  }
}

TEST(Pivoting, LargeSystemsSatisfyEveryRow) {
  Random random(2);
  for (int i = 0; i < 300; ++i) {
    const int count = 1 + random.below(kMaxRows);
    const Problem p = random_push(random_rows(count, random), count + 3, random);
    Answer<double> answer;
    CHECK(solve(p, answer) == Status::kOk);
    CHECK(answer.gave_up == GaveUp::kNo);
    CHECK(answer.stop == Stop::kConverged);
    LONGS_EQUAL(0, answer.redundant);
    CHECK(answer.pivots <= 3 * count);
    CHECK_AT_MOST(1e-11, pyramid_failure(p, forces(answer, count), 1e-9), "failure");
  }
}

// Unilateral rows alone: a force field that nothing forbids, whatever the rank.
TEST(Pivoting, SingularSystemsSatisfyEveryRow) {
  Random random(3);
  for (int i = 0; i < 300; ++i) {
    const int count = 2 + random.below(kMaxRows - 1), unknowns = 1 + random.below(count - 1);
    const Problem p = random_push(std::vector(at(count), unilateral()), unknowns, random);
    Answer<double> answer;
    CHECK(solve(p, answer) == Status::kOk);
    CHECK(answer.gave_up == GaveUp::kNo);
    CHECK_AT_MOST(1e-8, pyramid_failure(p, forces(answer, count), 1e-9), "failure");
  }
}

// Motors of limited torque and pushers on few unknowns, at rest and pushed: the path starts from
// torques that may have either sign, of which others settle some. Where rows contradict each other
// that is told, and no force grows until its rounding hides what is left of them.
template <class T>
void check_redundant_boxes(double bound) {
  Random random(9);
  int solved = 0;
  for (int i = 0; i < 400; ++i) {
    const int count = 2 + random.below(10), unknowns = 1 + random.below(count);
    std::vector<RowBound<double>> rows;
    for (int row = 0; row < count; ++row) {
      const RowBound<double> kinds[] = {boxed(-1, 1), boxed(-0.2, kNoBound), unilateral()};
      rows.push_back(kinds[random.below(3)]);
    }
    Problem p = random_push(rows, unknowns, random);
    if (i % 3 == 0) p.b.setZero();
    if (i % 3 == 1) p.b.head(count / 2).setZero();  // often against the others
    Answer<T> answer;
    const Status status = solve(p, answer);
    const double most = forces(answer, count).cwiseAbs().maxCoeff();
    CHECK_AT_MOST(1e6, most, "force");
    if (status == Status::kNotConverged) continue;
    CHECK(status == Status::kOk);
    const double near = bound * (1 + most);
    CHECK_AT_MOST(near, pyramid_failure(p, forces(answer, count), near), "failure");
    ++solved;
  }
  CHECK(solved > 350);
}
TEST(Pivoting, SingularSystemsWithBoxesSatisfyEveryRowOrSayThatTheyDoNot) {
  check_redundant_boxes<double>(1e-7);
  check_redundant_boxes<float>(1e-3);
}

TEST(Pivoting, EqualitiesOfLowRankAreCounted) {
  Random random(4);
  for (int count = 2; count <= kMaxRows; ++count) {
    const int rank = 1 + random.below(count - 1);
    const Problem p = random_push(std::vector(at(count), equality()), rank, random);
    Answer<double> answer;
    CHECK(solve(p, answer) == Status::kOk);
    LONGS_EQUAL(count - rank, answer.redundant);
    CHECK_AT_MOST(1e-8, answer.violation, "violation");
  }
}

TEST(Pivoting, FourFeetBearTheWeightOfABoxThoughThreeWould) {
  for (const double x : {0.0, 0.3, -0.9}) {
    for (const double y : {0.0, 0.5, -0.6}) {
      const Problem p = box_on_four_feet(x, y);
      Answer<double> answer;
      CHECK(solve(p, answer) == Status::kOk);
      CHECK(answer.gave_up == GaveUp::kNo);
      LONGS_EQUAL(1, answer.redundant);
      const Eigen::VectorXd mu = forces(answer, 4);
      CHECK(mu.minCoeff() >= 0);
      DOUBLES_EQUAL(2 * 9.81, mu.sum(), 1e-12);
      DOUBLES_EQUAL(2 * 9.81 * x, mu[0] - mu[1] + mu[2] - mu[3], 1e-12);
      DOUBLES_EQUAL(2 * 9.81 * y, mu[0] + mu[1] - mu[2] - mu[3], 1e-12);
      Answer<float> coarse;
      CHECK(solve(p, coarse) == Status::kOk);
      LONGS_EQUAL(1, coarse.redundant);
      CHECK_AT_MOST(1e-4, pyramid_failure(p, forces(coarse, 4), 1e-5), "float");
    }
  }
}

TEST(Pivoting, BoxTipsOverTheFeetBesideItsWeight) {
  const Problem p = box_on_four_feet(1.5, 0);
  Answer<double> answer;
  CHECK(solve(p, answer) == Status::kOk);
  DOUBLES_EQUAL(0, answer.mu[1], 0);
  DOUBLES_EQUAL(0, answer.mu[3], 0);
  CHECK(answer.a[1] > 0.1 && answer.a[3] > 0.1);
  DOUBLES_EQUAL(answer.mu[0], answer.mu[2], 1e-12);
  // a weight on a lever: the inertia about the feet carries it, 1/m + l^2/I the other way round
  const double bears = 9.81 / (1 / 2.0 + 0.5 * 0.5 / 0.9);
  DOUBLES_EQUAL(bears, answer.mu[0] + answer.mu[2], 1e-12);
}

// A motor of limited torque holds a load until the load is too heavy.
TEST(Pivoting, MotorHoldsUpToItsLimit) {
  for (const double load : {-7.0, -3.0, 2.0, 9.0}) {
    const Problem p =
        pushed({boxed(-4, 5)}, Eigen::MatrixXd::Ones(1, 1), Eigen::VectorXd::Constant(1, 0.25),
               Eigen::VectorXd::Constant(1, 0.25 * load));
    Answer<double> answer;
    CHECK(solve(p, answer) == Status::kOk);
    DOUBLES_EQUAL(std::clamp(-load, -4.0, 5.0), answer.mu[0], 1e-14);
  }
}

// Two jaws close on a body that cannot give way.
TEST(Pivoting, ContradictionIsToldAndTheOthersAreSolved) {
  Problem p =
      pushed(std::vector(3, unilateral()), (Eigen::MatrixXd(3, 2) << 1, 0, -1, 0, 0, 1).finished(),
             Eigen::Vector2d(1, 2), Eigen::Vector2d(0, -6));
  p.b[0] = p.b[1] = -1;
  Answer<double> answer;
  CHECK(solve(p, answer) == Status::kNotConverged);
  CHECK(answer.stop == Stop::kInconsistent);
  CHECK(answer.gave_up == GaveUp::kNo);
  DOUBLES_EQUAL(3, answer.mu[2], 1e-15);
  CHECK_AT_MOST(10, forces(answer, 3).cwiseAbs().maxCoeff(), "mu");
  CHECK(answer.violation >= 1);
}

TEST(Pivoting, TooFewPivotsFallBackToGaussSeidel) {
  Random random(5);
  const Problem p = random_push(std::vector(8, unilateral()), 8, random);
  PivotingOptions<double> options;
  options.pivots = 1;
  options.fallback.sweeps = 2000;
  Answer<double> answer;
  CHECK(solve(p, answer, options) == Status::kOk);
  CHECK(answer.gave_up == GaveUp::kPivotsUsedUp);
  LONGS_EQUAL(1, answer.pivots);
  CHECK(answer.sweeps > 0);
  CHECK_AT_MOST(1e-7, pyramid_failure(p, forces(answer, 8), 1e-7), "failure");
  options.fallback.sweeps = 1;
  CHECK(solve(p, answer, options) == Status::kNotConverged);
  CHECK(answer.stop == Stop::kSweepsUsedUp);
}

// A force that pulls where it should push: no A of a mechanism, so there is no solution to find.
TEST(Pivoting, NegativeDiagonalIsRefusedWithoutHarm) {
  Problem p = {{unilateral()}, Eigen::MatrixXd::Constant(1, 1, -1), Eigen::VectorXd(1)};
  p.b[0] = -1;
  Answer<double> answer;
  CHECK(solve(p, answer) == Status::kNotConverged);
  CHECK(answer.gave_up == GaveUp::kNoWayOn);
  DOUBLES_EQUAL(0, answer.mu[0], 0);
  DOUBLES_EQUAL(1, answer.violation, 0);
}

TEST(Pivoting, NoRowsAtAll) {
  Answer<double> answer;
  CHECK(solve({}, answer) == Status::kOk);
  LONGS_EQUAL(0, answer.pivots);
}

TEST(Pivoting, OverflowChangesNothing) {
  Problem feet = box_on_four_feet(0, 0);
  feet.A *= 1e-300, feet.b *= 1e300;
  const Problem motor = {{boxed(-0.2, kNoBound)},
                         Eigen::MatrixXd::Constant(1, 1, 1e-300),
                         Eigen::VectorXd::Constant(1, -1e300)};
  for (const Problem& p : {feet, motor}) {
    Answer<double> answer;
    answer.mu[0] = 17;
    CHECK(solve(p, answer) == Status::kOverflow);
    DOUBLES_EQUAL(17, answer.mu[0], 0);
  }
}

// A loop holds what a contact would push; the contact beside it bears its load all the same.
TEST(Pivoting, RowThatALoopHoldsIsToldWhereItIsContradicted) {
  for (const double b : {-2.0, 2.0}) {
    Problem p = pushed({equality(), unilateral(), unilateral()},
                       (Eigen::MatrixXd(3, 2) << 1, 0, 1, 0, 0, 1).finished(),
                       Eigen::Vector2d(0.5, 0.25), Eigen::Vector2d(0, -4));
    p.b[1] = b;
    Answer<double> answer;
    CHECK(solve(p, answer) == (b < 0 ? Status::kNotConverged : Status::kOk));
    CHECK(answer.gave_up == GaveUp::kNo);
    DOUBLES_EQUAL(0, answer.mu[1], 0);
    DOUBLES_EQUAL(16, answer.mu[2], 1e-12);
    DOUBLES_EQUAL(b < 0 ? 2 : 0, answer.violation, 1e-12);
  }
}

// Walls that part by 1 m/s^2 between which a rod is held, beside a contact that is none of it.
TEST(Pivoting, LoopsThatContradictEachOtherAreToldAndContactsBear) {
  Problem p = pushed({equality(), equality(), unilateral()},
                     (Eigen::MatrixXd(3, 2) << 1, 0, 1, 0, 0, 1).finished(),
                     Eigen::Vector2d(0.5, 0.25), Eigen::Vector2d(0, -4));
  p.b[1] += 1;
  Answer<double> answer;
  CHECK(solve(p, answer) == Status::kNotConverged);
  CHECK(answer.stop == Stop::kInconsistent && answer.gave_up == GaveUp::kNo);
  DOUBLES_EQUAL(16, answer.mu[2], 1e-12);
  DOUBLES_EQUAL(1, answer.violation, 1e-12);
}

// Newton's method over these rows is the direct solver, which it is in the joints alone.
TEST(Pivoting, EachSolverIsTheOneThatWasChosen) {
  const Problem p = box_on_four_feet(0.3, 0.2);
  const auto answer_of = [&](RowSolver chosen) {
    PivotingSolver<double, kMaxRows> solver;
    Answer<double> answer;
    CHECK(solver.solve_as_chosen(to_rows<double>(p), {.solver = chosen}, answer) == Status::kOk);
    CHECK_AT_MOST(1e-6, pyramid_failure(p, forces(answer, 4), 1e-6), "failure");
    return answer;
  };
  const Answer<double> pivoted = answer_of(RowSolver::kPivoting);
  CHECK(pivoted.pivots > 0 && pivoted.sweeps == 0);
  CHECK(answer_of(RowSolver::kNewton).mu == pivoted.mu);
  const Answer<double> swept = answer_of(RowSolver::kGaussSeidel);
  CHECK(swept.pivots == 0 && swept.sweeps > 0);
}

TEST(Pivoting, BadInputChangesNothing) {
  Problem p = box_on_four_feet(0, 0);
  p.b[2] = std::numeric_limits<double>::infinity();
  Answer<double> answer;
  answer.mu[0] = 17, answer.pivots = 9;
  CHECK(solve(p, answer) == Status::kNotFinite);
  CHECK(solve(box_on_four_feet(0, 0), answer, {.pivots = -1}) == Status::kBadConstraint);
  DOUBLES_EQUAL(17, answer.mu[0], 0);
  LONGS_EQUAL(9, answer.pivots);
}

TEST(Pivoting, OptionsWithoutAMeaningAreRefused) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const Problem p = box_on_four_feet(0, 0);
  const auto refuses = [&](Status expected, const SolverOptions<double>& options) {
    PivotingSolver<double, kMaxRows> solver;
    Answer<double> answer;
    answer.mu[0] = 17;
    CHECK(solver.solve_as_chosen(to_rows<double>(p), options, answer) == expected);
    DOUBLES_EQUAL(17, answer.mu[0], 0);
  };
  for (const double bad : {-1.0, kNan, kNoBound}) {
    refuses(Status::kBadTolerance, {.pivoting = {.tolerance = bad}});
    refuses(Status::kBadTolerance, {.pivoting = {.fallback = {.tolerance = bad}}});
    refuses(Status::kBadTolerance,
            {.solver = RowSolver::kGaussSeidel, .gauss_seidel = {.tolerance = bad}});
    refuses(Status::kBadConstraint,
            {.solver = RowSolver::kGaussSeidel, .gauss_seidel = {.relaxation = bad}});
  }
  refuses(Status::kBadConstraint, {.pivoting = {.pivots = -1}});
  refuses(Status::kBadConstraint, {.pivoting = {.fallback = {.sweeps = -1}}});
  refuses(Status::kBadConstraint,
          {.solver = RowSolver::kGaussSeidel, .gauss_seidel = {.sweeps = -1}});
  refuses(Status::kBadConstraint, {.solver = static_cast<RowSolver>(7)});
  EqualitySolver<double, kMaxRows> equalities;
  Answer<double> answer;
  CHECK(equalities.solve(to_rows<double>(Problem{}), answer, kNan) == Status::kBadTolerance);
}

// Sweeps find which rows bear, so that one factor gives the forces.
TEST(Pivoting, StandingAndSlidingAreGuessedAtOnce) {
  const Eigen::MatrixXd block = Eigen::MatrixXd::Identity(3, 3);
  for (const double push : {0.5, 5.0}) {  // friction bears up to 3
    Answer<double> answer;
    CHECK(solve(pushed(contact_rows(1, 0.3), block, Eigen::Vector3d(1, 1, 1),
                       Eigen::Vector3d(-10, push, 0)),
                answer) == Status::kOk);
    LONGS_EQUAL(1, answer.pivots);
    DOUBLES_EQUAL(10, answer.mu[0], 1e-14);
    DOUBLES_EQUAL(-std::min(push, 3.0), answer.mu[1], 1e-14);
    DOUBLES_EQUAL(std::max(push - 3, 0.0), answer.a[1], 1e-14);
  }
}

TEST(Pivoting, NeverAllocates) {
  Random random(5);
  const Rows<double> system = to_rows<double>(random_push(std::vector(8, unilateral()), 8, random));
  PivotingSolver<double, kMaxRows> solver;
  Answer<double> answer;
  PivotingOptions<double> options;
  LONGS_EQUAL(0, allocations_in([&] {
                CHECK(solver.solve(system, options, answer) == Status::kOk);
                options.pivots = 1;
                static_cast<void>(solver.solve(system, options, answer));
              }));
  CHECK(answer.gave_up == GaveUp::kPivotsUsedUp);
}
