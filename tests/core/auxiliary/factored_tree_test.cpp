// What rows cost, by counting: their paths to the root, not the robot.
#include "lockstep/auxiliary/factored_tree.hpp"

#include <CppUTest/TestHarness.h>

#include <memory>

#include "inspect/counted.hpp"
#include "lockstep/auxiliary/constrained_solver.hpp"
#include "lockstep/table_model.hpp"
#include "support/random_tree.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;
using host::Counted;

namespace {

constexpr int kMaxBodies = 128, kMaxRows = 8;
using Table = TableModel<Counted, kMaxBodies>;
using Tested = ConstrainedSolver<Table, Counted, kMaxRows>;

double counted() {
  return static_cast<double>(Counted::operations.adds + Counted::operations.multiplies);
}

// Multiplications and additions of `anticipate`, or of all of forward dynamics, with rows on the
// last bodies.
double operations(test::Shape shape, int bodies, int rows, bool all = false) {
  const auto table = std::make_unique<Table>();
  const auto tree = test::random_tree({.shape = shape, .bodies = bodies, .only_turning = true});
  CHECK_TRUE(Status::kOk == table->assign(tree));
  const auto solver = std::make_unique<Tested>(*table);
  Counted::operations = {};
  CHECK_TRUE(Status::kOk == solver->begin(solver->make_input()));
  for (int i = 0; i < rows; ++i) {
    const Spatial<Counted> wrench = {{1.0, 0.5 * i, 0.0}, {0.0, 1.0, 0.1}};
    const std::array<auxiliary::Term<Counted>, 1> terms = {
        auxiliary::wrench_term(bodies - 1, wrench)};
    CHECK_TRUE(Status::kOk == solver->add(terms, 0.0));
  }
  const auto system = std::make_unique<Tested::System>();
  if (!all) Counted::operations = {};
  CHECK_TRUE(Status::kOk == solver->anticipate(*system));
  if (!all) return counted();
  auto out = solver->make_output();
  CHECK_TRUE(Status::kOk == solver->finish(Tested::Multipliers{}, out));
  return counted();
}

// Of the solution for `count` rows that depend on each other.
double system_operations(int count) {
  constexpr int kMost = 32;
  const auto system = std::make_unique<rows::System<Counted, kMost>>();
  system->count = count;
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count; ++j) system->A[at(i)][at(j)] = i == j ? 2.0 * kMost : 1;
    system->b[at(i)] = 1.0;
  }
  rows::Solution<Counted, kMost> solution;
  rows::EqualitySolver<Counted, kMost> solver;
  Counted::operations = {};
  CHECK_TRUE(Status::kOk == solver.solve(*system, solution));
  return counted();
}

}  // namespace

TEST_GROUP(FactoredTree){};

TEST(FactoredTree, ARowCostsItsPathAndNotTheRobot) {
  const double small = operations(test::Shape::kStar, 8, 4);
  DOUBLES_EQUAL(small, operations(test::Shape::kStar, 128, 4), 0);
  CHECK_AT_MOST(300, small / (4 * 2), "operations a row and body on its path");
}

TEST(FactoredTree, ALongerPathCostsInProportion) {
  const double once = operations(test::Shape::kChain, 32, 1);
  const double twice = operations(test::Shape::kChain, 64, 1);
  const double four_times = operations(test::Shape::kChain, 128, 1);
  DOUBLES_EQUAL(2 * (twice - once), four_times - twice, 0);
}

TEST(FactoredTree, WithoutRowsThereIsNothingToDo) {
  DOUBLES_EQUAL(0, operations(test::Shape::kChain, 64, 0), 0);
}

TEST(FactoredTree, ARobotCostsInProportionToItsBodies) {
  const double once = operations(test::Shape::kStar, 32, 4, true);
  const double twice = operations(test::Shape::kStar, 64, 4, true);
  const double four_times = operations(test::Shape::kStar, 128, 4, true);
  DOUBLES_EQUAL(2 * (twice - once), four_times - twice, 0);
}

TEST(FactoredTree, RowsCostTheirNumberTimesThePathAndTheSquareInProducts) {
  // a n + b n^2 through 2, 4 and 8 rows
  const double two = operations(test::Shape::kChain, 64, 2);
  const double four = operations(test::Shape::kChain, 64, 4);
  const double eight = operations(test::Shape::kChain, 64, 8);
  DOUBLES_EQUAL(6 * four, eight + 8 * two, 0.001 * eight);
}

TEST(FactoredTree, TheSystemCostsTheThirdPowerOfItsRows) {
  for (const int count : {8, 16, 32}) {
    const double square = static_cast<double>(count) * count;
    CHECK_AT_MOST(square * count / 3 + 12 * square, system_operations(count), "k^3/3 and squares");
  }
}
