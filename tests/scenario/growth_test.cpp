// Linear time, shown by counting: the exponent of the operations of one call over the number of
// bodies, for null-space and direct elimination, with a dense solve of the same H beside them.
#include <CppUTest/TestHarness.h>

#include <functional>
#include <memory>

#include "inspect/operations.hpp"
#include "lockstep/direct.hpp"
#include "model/table.hpp"
#include "oracle/dense.hpp"
#include "support/answers.hpp"
#include "support/exponent.hpp"
#include "support/random_tree.hpp"
#include "support/tolerance.hpp"

namespace lockstep::test {

namespace {

using host::Counted;

double total(const host::OperationCount& count) {
  return static_cast<double>(count.adds + count.multiplies + count.divides + count.negations +
                             count.comparisons + count.square_roots + count.sincos);
}

double nullspace_operations(const std::vector<Body>& bodies) {
  return total(host::count_operations(tree_of(bodies)));
}

double direct_operations(const std::vector<Body>& bodies) {
  const auto table = host::to_table<Counted>(tree_of(bodies));
  using Direct = DirectSolver<TableModel<Counted, host::kHostBodies>, Counted>;
  const auto solver = std::make_unique<Direct>(*table);
  const auto in = solver->make_input();
  auto out = solver->make_output();
  Counted::operations = {};
  CHECK(solver->forward_dynamics(in, out) == Status::kOk);
  return total(Counted::operations);
}

// Gaussian elimination of the whole H with partial pivoting, zeros and all.
double dense_operations(const std::vector<Body>& bodies) {
  const auto in = host::rest(bodies);
  const auto placed = host::place_in_world(bodies, in.q, in.v);
  const Eigen::MatrixXd H = host::assemble(bodies, placed, in).H();
  const auto n = static_cast<std::size_t>(H.rows());
  std::vector<std::vector<Counted>> A(n, std::vector<Counted>(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      A[i][j] = H(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
    }
  }
  Counted::operations = {};
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t best = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (A[i][k] * A[i][k] > A[best][k] * A[best][k]) best = i;
    }
    std::swap(A[k], A[best]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const Counted factor = A[i][k] / A[k][k];
      for (std::size_t j = k + 1; j < n; ++j) A[i][j] -= factor * A[k][j];
    }
  }
  return total(Counted::operations);
}

// Of the operations over the number of bodies, from `first` to `last`, doubling.
double growth(Shape shape, int first, int last,
              const std::function<double(const std::vector<Body>&)>& operations) {
  std::vector<double> bodies, counts;
  for (int n = first; n <= last; n *= 2) {
    bodies.push_back(n);
    counts.push_back(
        operations(random_tree({.shape = shape, .bodies = n, .seed = 3, .only_turning = true})));
  }
  return exponent(bodies, counts);
}

}  // namespace

TEST_GROUP(Growth){};

TEST(Growth, NullSpaceEliminationIsLinearFrom8To512Bodies) {
  for (const Shape shape : {Shape::kChain, Shape::kRandom, Shape::kStar}) {
    const double slope = growth(shape, 8, 512, nullspace_operations);
    CHECK_AT_MOST(1.05, slope, to_string(shape).data());
    CHECK(slope > 0.95);
  }
}

TEST(Growth, DirectEliminationIsLinearFrom8To512Bodies) {
  for (const Shape shape : {Shape::kChain, Shape::kRandom, Shape::kStar}) {
    const double slope = growth(shape, 8, 512, direct_operations);
    CHECK_AT_MOST(1.05, slope, to_string(shape).data());
    CHECK(slope > 0.95);
  }
}

TEST(Growth, ADenseSolveIsCubic) {
  const double slope = growth(Shape::kChain, 4, 16, dense_operations);
  CHECK(slope > 2.8);
  CHECK_AT_MOST(3.05, slope, "dense");
}

TEST(Growth, LinearBeatsCubicAlreadyForEightBodies) {
  const auto bodies =
      random_tree({.shape = Shape::kChain, .bodies = 8, .seed = 3, .only_turning = true});
  const double ratio = dense_operations(bodies) / nullspace_operations(bodies);
  CHECK(ratio > 50);
}

}  // namespace lockstep::test
