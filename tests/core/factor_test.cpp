#include "lockstep/factor.hpp"

#include <CppUTest/TestHarness.h>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>
#include <limits>
#include <vector>

#include "support/allocation_guard.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int kMaxDim = 11;

// A random forest of bodies (3, 6, 7 or 9 dimensions) and constraints (1 to 3), as dense H and r
// and as node blocks. Built roots first, numbered from the end, so that children come first.
template <class T>
struct System {
  std::vector<NodeBlock<T, kMaxDim>> nodes;
  std::vector<int> start;  // of each node's unknowns in the dense system
  MatrixXd H;              // equation (8)
  VectorXd r;
};

struct Plan {
  NodeKind kind;
  int dimension;
  int parent;
};

std::vector<Plan> random_plan(int body_count, test::Random& random) {
  constexpr int kBodySizes[] = {3, 6, 7, 9};
  std::vector<Plan> plan;  // roots first
  std::vector<int> bodies;
  for (int i = 0; i < body_count; ++i) {
    const int size = kBodySizes[random.below(4)];
    int above = kNone;
    if (i > 0 && random.below(6) != 0) above = bodies[static_cast<std::size_t>(random.below(i))];
    if (above != kNone || random.below(2) == 0) {  // otherwise a free body
      plan.push_back({NodeKind::kConstraint, 1 + random.below(3), above});
      plan.push_back({NodeKind::kBody, size, static_cast<int>(plan.size()) - 1});
    } else {
      plan.push_back({NodeKind::kBody, size, kNone});
    }
    bodies.push_back(static_cast<int>(plan.size()) - 1);
  }
  return plan;
}

MatrixXd random_matrix(int rows, int columns, test::Random& random) {
  return MatrixXd::NullaryExpr(rows, columns, [&] { return random.uniform(-1, 1); });
}

template <class T>
System<T> random_system(int body_count, std::uint64_t seed) {
  test::Random random(seed);
  std::vector<Plan> plan = random_plan(body_count, random);
  const int count = static_cast<int>(plan.size());
  System<T> system;
  system.nodes.resize(plan.size());
  int size = 0;
  for (int i = 0; i < count; ++i) {
    const Plan& from = plan[static_cast<std::size_t>(count - 1 - i)];
    auto& node = system.nodes[static_cast<std::size_t>(i)];
    node.kind = from.kind;
    node.dimension = from.dimension;
    node.parent = from.parent == kNone ? kNone : count - 1 - from.parent;
    node.columns = from.parent == kNone ? 0 : plan[static_cast<std::size_t>(from.parent)].dimension;
    system.start.push_back(size);
    size += from.dimension;
  }
  system.H = MatrixXd::Zero(size, size);
  system.r = random_matrix(size, 1, random);
  for (int i = 0; i < count; ++i) {
    auto& node = system.nodes[static_cast<std::size_t>(i)];
    const int at = system.start[static_cast<std::size_t>(i)], d = node.dimension;
    if (node.kind == NodeKind::kBody) {
      const MatrixXd root = random_matrix(d, d, random);
      system.H.block(at, at, d, d) = root * root.transpose() + MatrixXd::Identity(d, d);
    }
    if (node.parent != kNone) {
      const int above = system.start[static_cast<std::size_t>(node.parent)];
      MatrixXd block = random_matrix(d, node.columns, random);
      // real joints hold their child by independent directions
      if (node.kind == NodeKind::kBody) {
        block = block.householderQr().householderQ() * MatrixXd::Identity(d, node.columns);
      }
      system.H.block(at, above, d, node.columns) = block;
      system.H.block(above, at, node.columns, d) = block.transpose();
    }
  }
  for (int i = 0; i < count; ++i) {
    auto& node = system.nodes[static_cast<std::size_t>(i)];
    const int at = system.start[static_cast<std::size_t>(i)];
    for (int row = 0; row < node.dimension; ++row) {
      const auto r = static_cast<std::size_t>(row);
      for (int c = 0; c < node.dimension; ++c) {
        node.D[r][static_cast<std::size_t>(c)] = static_cast<T>(system.H(at + row, at + c));
      }
      for (int c = 0; c < node.columns; ++c) {
        const int above = system.start[static_cast<std::size_t>(node.parent)];
        node.J[r][static_cast<std::size_t>(c)] = static_cast<T>(system.H(at + row, above + c));
      }
      node.x[r] = static_cast<T>(system.r[at + row]);
    }
  }
  return system;
}

template <class T>
VectorXd solution(const System<T>& system) {
  VectorXd x(system.r.size());
  for (std::size_t i = 0; i < system.nodes.size(); ++i) {
    for (int row = 0; row < system.nodes[i].dimension; ++row) {
      x[system.start[i] + row] =
          static_cast<double>(system.nodes[i].x[static_cast<std::size_t>(row)]);
    }
  }
  return x;
}

// Error in units of what rounding the entries of H alone may cause: epsilon times its condition.
template <class T>
double error_against_dense(int body_count, std::uint64_t seed) {
  System<T> system = random_system<T>(body_count, seed);
  const std::span<NodeBlock<T, kMaxDim>> forward(system.nodes);
  CHECK_TRUE(Status::kOk == factor(forward));
  solve(forward);
  const Eigen::PartialPivLU<MatrixXd> dense(system.H);
  const VectorXd expected = dense.solve(system.r);
  const double error = (solution(system) - expected).norm() / expected.norm();
  return error * dense.rcond() / static_cast<double>(std::numeric_limits<T>::epsilon());
}

}  // namespace

TEST_GROUP(Factor){};

TEST(Factor, MixedDimensionsMatchADenseSolveOfH) {
  for (const int bodies : {1, 2, 3, 8, 24, 64}) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      CHECK_AT_MOST(1, error_against_dense<double>(bodies, seed), "double against dense H");
      CHECK_AT_MOST(1, error_against_dense<float>(bodies, seed), "float against dense H");
    }
  }
}

TEST(Factor, MultipliersMatchEquation7) {
  // with r = (0, -b), lambda solves J M^-1 J^T lambda = b (Baraff, section 7)
  System<double> system = random_system<double>(16, 5);
  std::vector<int> body_rows, constraint_rows;
  for (std::size_t i = 0; i < system.nodes.size(); ++i) {
    auto& node = system.nodes[i];
    const bool is_body = node.kind == NodeKind::kBody;
    for (int row = 0; row < node.dimension; ++row) {
      (is_body ? body_rows : constraint_rows).push_back(system.start[i] + row);
      if (is_body) node.x[static_cast<std::size_t>(row)] = 0;
    }
  }
  const MatrixXd M = system.H(body_rows, body_rows), J = -system.H(constraint_rows, body_rows);
  const VectorXd b = -system.r(constraint_rows);
  const VectorXd lambda = (J * M.llt().solve(J.transpose())).llt().solve(b);

  const std::span<NodeBlock<double, kMaxDim>> forward(system.nodes);
  CHECK_TRUE(Status::kOk == factor(forward));
  solve(forward);
  CHECK_AT_MOST(1e-10, test::relative_error(solution(system)(constraint_rows).eval(), lambda),
                "lambda against equation (7)");
}

TEST(Factor, OneFactorServesManyRightSides) {
  System<double> system = random_system<double>(12, 9);
  const std::span<NodeBlock<double, kMaxDim>> forward(system.nodes);
  CHECK_TRUE(Status::kOk == factor(forward));
  test::Random random(10);
  for (int trial = 0; trial < 5; ++trial) {
    const VectorXd r = random_matrix(static_cast<int>(system.r.size()), 1, random);
    for (std::size_t i = 0; i < system.nodes.size(); ++i) {
      for (int row = 0; row < system.nodes[i].dimension; ++row) {
        system.nodes[i].x[static_cast<std::size_t>(row)] = r[system.start[i] + row];
      }
    }
    solve(forward);
    CHECK_AT_MOST(1e-10, test::relative_error(solution(system), system.H.fullPivLu().solve(r)),
                  "right side");
  }
}

TEST(Factor, PairNodesMayBeIndefinite) {
  // [B -Phi; -Phi^T 0] with a singular B: no pivot of B exists, the pair is regular all the same
  NodeBlock<double, kMaxDim> pair{};
  pair.kind = NodeKind::kPair;
  pair.dimension = 3;
  pair.parent = kNone;
  const Eigen::Matrix3d D{{0, 0, -1}, {0, 2, 0}, {-1, 0, 0}};
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 3; ++c) {
      pair.D[r][c] = D(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c));
    }
    pair.x[r] = static_cast<double>(r + 1);
  }
  const std::span<NodeBlock<double, kMaxDim>> forward(&pair, 1);
  CHECK_TRUE(Status::kOk == factor(forward));
  solve(forward);
  const Eigen::Vector3d expected = D.inverse() * Eigen::Vector3d(1, 2, 3);
  for (std::size_t r = 0; r < 3; ++r) {
    DOUBLES_EQUAL(expected[static_cast<Eigen::Index>(r)], pair.x[r], 1e-15);
  }
}

TEST(Factor, SingularBlocksAreReported) {
  for (const NodeKind kind : {NodeKind::kBody, NodeKind::kConstraint, NodeKind::kPair}) {
    NodeBlock<double, kMaxDim> node{};
    node.kind = kind;
    node.dimension = 2;
    node.parent = kNone;
    node.D[0][0] = node.D[0][1] = node.D[1][0] = node.D[1][1] =
        kind == NodeKind::kConstraint ? -1.0 : 1.0;
    const std::span<NodeBlock<double, kMaxDim>> forward(&node, 1);
    CHECK_TRUE(Status::kSingular == factor(forward));
  }
}

TEST(Factor, NoNodesIsNoWork) {
  const std::span<NodeBlock<double, kMaxDim>> forward;
  CHECK_TRUE(Status::kOk == factor(forward));
  solve(forward);
}

TEST(Factor, NeverAllocates) {
  System<double> system = random_system<double>(32, 3);
  const std::span<NodeBlock<double, kMaxDim>> forward(system.nodes);
  Status status = Status::kSingular;
  LONGS_EQUAL(0, test::allocations_in([&] {
                status = factor(forward);
                solve(forward);
              }));
  CHECK_TRUE(Status::kOk == status);
}
