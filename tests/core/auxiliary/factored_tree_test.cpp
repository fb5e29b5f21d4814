// What rows cost, by counting: their paths to the root, not the robot.
#include "lockstep/auxiliary/factored_tree.hpp"

#include <CppUTest/TestHarness.h>

#include <memory>

#include "inspect/counted.hpp"
#include "lockstep/auxiliary/constrained_solver.hpp"
#include "support/random_tree.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;
using host::Counted;

namespace {

constexpr int kMaxBodies = 128, kMaxRows = 8;
using Table = TableModel<Counted, kMaxBodies>;
using Tested = ConstrainedSolver<Table, Counted, kMaxRows>;

// Multiplications and additions of `anticipate` with rows on the last bodies.
double operations(test::Shape shape, int bodies, int rows) {
  const auto table = std::make_unique<Table>();
  const auto tree = test::random_tree({.shape = shape, .bodies = bodies, .only_turning = true});
  CHECK_TRUE(Status::kOk == table->assign(tree));
  const auto solver = std::make_unique<Tested>(*table);
  CHECK_TRUE(Status::kOk == solver->begin(solver->make_input()));
  for (int i = 0; i < rows; ++i) {
    const Spatial<Counted> wrench = {{1.0, 0.5 * i, 0.0}, {0.0, 1.0, 0.1}};
    const std::array<auxiliary::Term<Counted>, 1> terms = {
        auxiliary::wrench_term(bodies - 1, wrench)};
    CHECK_TRUE(Status::kOk == solver->add(terms, 0.0));
  }
  const auto system = std::make_unique<Tested::System>();
  Counted::operations = {};
  CHECK_TRUE(Status::kOk == solver->anticipate(*system));
  return static_cast<double>(Counted::operations.adds + Counted::operations.multiplies);
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
