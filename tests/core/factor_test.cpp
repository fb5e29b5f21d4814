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

// A random forest of bodies (3, 6, 7 or 9 dimensions) and constraints (1 to 3), as dense H and r
// and node by node. Built roots first, numbered from the end, so that children come first.
template <class T>
struct System {
  std::vector<NodeShape> shapes;
  std::vector<T> blocks, x;
  MatrixXd H;  // equation (8), unknowns as in x
  VectorXd r;

  NodeSpan nodes() const { return {shapes}; }
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

// The nodes' numbers; above the diagonal of a D nobody looks.
template <class T>
void copy_from_H(System<T>& system) {
  using Rows = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  for (const NodeShape& n : system.shapes) {
    const int d = n.dimension;
    Eigen::Map<Rows> D(system.blocks.data() + n.D, d, d);
    D = system.H.block(n.x, n.x, d, d).template cast<T>();
    D.template triangularView<Eigen::StrictlyUpper>().setConstant(
        std::numeric_limits<T>::quiet_NaN());
    Eigen::Map<Rows>(system.blocks.data() + n.J, d, n.columns) =
        system.H.block(n.x, n.parent_x, d, n.columns).template cast<T>();
  }
  for (const double value : system.r) system.x.push_back(static_cast<T>(value));
}

template <class T>
System<T> random_system(int body_count, std::uint64_t seed) {
  test::Random random(seed);
  std::vector<Plan> plan = random_plan(body_count, random);
  const int count = static_cast<int>(plan.size());
  System<T> system;
  for (int i = 0; i < count; ++i) {
    const Plan& from = plan[static_cast<std::size_t>(count - 1 - i)];
    const bool root = from.parent == kNone;
    system.shapes.push_back(
        {.kind = from.kind,
         .dimension = from.dimension,
         .parent = root ? kNone : count - 1 - from.parent,
         .columns = root ? 0 : plan[static_cast<std::size_t>(from.parent)].dimension});
  }
  const NodeSizes sizes = place_nodes(system.shapes);
  system.H = MatrixXd::Zero(sizes.x, sizes.x);
  system.r = random_matrix(sizes.x, 1, random);
  system.blocks.resize(static_cast<std::size_t>(sizes.blocks));
  for (const NodeShape& n : system.shapes) {
    const int d = n.dimension;
    if (n.kind == NodeKind::kBody) {
      const MatrixXd root = random_matrix(d, d, random);
      system.H.block(n.x, n.x, d, d) = root * root.transpose() + MatrixXd::Identity(d, d);
    }
    if (n.parent != kNone) {
      MatrixXd block = random_matrix(d, n.columns, random);
      // real joints hold their child by independent directions
      if (n.kind == NodeKind::kBody) {
        block = block.householderQr().householderQ() * MatrixXd::Identity(d, n.columns);
      }
      system.H.block(n.x, n.parent_x, d, n.columns) = block;
      system.H.block(n.parent_x, n.x, n.columns, d) = block.transpose();
    }
  }
  copy_from_H(system);
  return system;
}

// Nodes of a body and all rows that hold it, D = [B -Phi; -Phi^T 0]: J leads from the rows to the
// parent's body alone.
template <class T>
System<T> random_pairs(int count, std::uint64_t seed) {
  constexpr int kBodySizes[] = {3, 6, 7, 9};
  test::Random random(seed);
  std::vector<int> bodies;
  System<T> system;
  for (int i = 0; i < count; ++i) {
    bodies.push_back(kBodySizes[random.below(4)]);
    const int rows = 1 + random.below(bodies.back());
    system.shapes.push_back({.kind = NodeKind::kPair, .dimension = bodies.back() + rows});
  }
  for (int i = 0; i < count - 1; ++i) {
    if (random.below(6) == 0) continue;
    NodeShape& n = system.shapes[static_cast<std::size_t>(i)];
    n.parent = i + 1 + random.below(count - 1 - i);
    n.columns = bodies[static_cast<std::size_t>(n.parent)];
  }
  const NodeSizes sizes = place_nodes(system.shapes);
  system.H = MatrixXd::Zero(sizes.x, sizes.x);
  system.r = random_matrix(sizes.x, 1, random);
  system.blocks.resize(static_cast<std::size_t>(sizes.blocks));
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const NodeShape& n = system.shapes[i];
    const int body = bodies[i], rows = n.dimension - body, first = n.x + body;
    const MatrixXd root = random_matrix(body, body, random);
    const MatrixXd Phi = random_matrix(body, rows, random).householderQr().householderQ() *
                         MatrixXd::Identity(body, rows);
    system.H.block(n.x, n.x, body, body) = root * root.transpose() + MatrixXd::Identity(body, body);
    system.H.block(n.x, first, body, rows) = -Phi;
    system.H.block(first, n.x, rows, body) = -Phi.transpose();
    if (n.parent == kNone) continue;
    const MatrixXd J = random_matrix(rows, n.columns, random);
    system.H.block(first, n.parent_x, rows, n.columns) = J;
    system.H.block(n.parent_x, first, n.columns, rows) = J.transpose();
  }
  copy_from_H(system);
  return system;
}

template <class T>
VectorXd solution(const System<T>& system) {
  return Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, 1>>(system.x.data(), system.r.size())
      .template cast<double>();
}

// Error in units of what rounding the entries of H alone may cause: epsilon times its condition.
template <class T>
double error_against_dense(System<T> system) {
  CHECK_TRUE(Status::kOk == factor(system.nodes(), system.blocks.data()));
  solve(system.nodes(), system.blocks.data(), system.x.data());
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
      CHECK_AT_MOST(1, error_against_dense(random_system<double>(bodies, seed)), "double");
      CHECK_AT_MOST(1, error_against_dense(random_system<float>(bodies, seed)), "float");
    }
  }
}

TEST(Factor, PairsMatchADenseSolveOfH) {
  for (const int pairs : {1, 2, 3, 8, 24}) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      CHECK_AT_MOST(1, error_against_dense(random_pairs<double>(pairs, seed)), "double");
      CHECK_AT_MOST(1, error_against_dense(random_pairs<float>(pairs, seed)), "float");
    }
  }
}

TEST(Factor, MultipliersMatchEquation7) {
  // with r = (0, -b), lambda solves J M^-1 J^T lambda = b (Baraff, section 7)
  System<double> system = random_system<double>(16, 5);
  std::vector<int> body_rows, constraint_rows;
  for (const NodeShape& n : system.shapes) {
    const bool is_body = n.kind == NodeKind::kBody;
    for (int row = n.x; row < n.x + n.dimension; ++row) {
      (is_body ? body_rows : constraint_rows).push_back(row);
      if (is_body) system.x[static_cast<std::size_t>(row)] = 0;
    }
  }
  const MatrixXd M = system.H(body_rows, body_rows), J = -system.H(constraint_rows, body_rows);
  const VectorXd b = -system.r(constraint_rows);
  const VectorXd lambda = (J * M.llt().solve(J.transpose())).llt().solve(b);

  CHECK_TRUE(Status::kOk == factor(system.nodes(), system.blocks.data()));
  solve(system.nodes(), system.blocks.data(), system.x.data());
  CHECK_AT_MOST(1e-10, test::relative_error(solution(system)(constraint_rows).eval(), lambda),
                "lambda against equation (7)");
}

TEST(Factor, OneFactorServesManyRightSides) {
  System<double> system = random_system<double>(12, 9);
  CHECK_TRUE(Status::kOk == factor(system.nodes(), system.blocks.data()));
  test::Random random(10);
  for (int trial = 0; trial < 5; ++trial) {
    const VectorXd r = random_matrix(static_cast<int>(system.r.size()), 1, random);
    system.x.assign(r.begin(), r.end());
    solve(system.nodes(), system.blocks.data(), system.x.data());
    CHECK_AT_MOST(1e-10, test::relative_error(solution(system), system.H.fullPivLu().solve(r)),
                  "right side");
  }
}

TEST(Factor, PairNodesMayBeIndefinite) {
  // [B -Phi; -Phi^T 0] with a singular B: no pivot of B exists, the pair is regular all the same
  std::array<NodeShape, 1> shapes = {{{.kind = NodeKind::kPair, .dimension = 3}}};
  const NodeSizes sizes = place_nodes(shapes);
  LONGS_EQUAL(9, sizes.blocks);
  LONGS_EQUAL(3, sizes.x);
  const Eigen::Matrix3d D{{0, 0, -1}, {0, 2, 0}, {-1, 0, 0}};
  Eigen::Matrix<double, 3, 3, Eigen::RowMajor> blocks = D;
  Eigen::Vector3d x(1, 2, 3);
  CHECK_TRUE(Status::kOk == factor(NodeSpan{shapes}, blocks.data()));
  solve(NodeSpan{shapes}, blocks.data(), x.data());
  CHECK_AT_MOST(1e-15, (x - D.inverse() * Eigen::Vector3d(1, 2, 3)).norm(), "pair");
}

TEST(Factor, SingularBlocksAreReported) {
  for (const NodeKind kind : {NodeKind::kBody, NodeKind::kConstraint, NodeKind::kPair}) {
    std::array<NodeShape, 1> shapes = {{{.kind = kind, .dimension = 2}}};
    LONGS_EQUAL(4, place_nodes(shapes).blocks);
    std::array<double, 4> blocks;
    blocks.fill(kind == NodeKind::kConstraint ? -1.0 : 1.0);
    CHECK_TRUE(Status::kSingular == factor(NodeSpan{shapes}, blocks.data()));
  }
}

TEST(Factor, NodesBeyondTheLimitsAreRefusedBeforeAnythingIsWritten) {
  const auto status_of = [](NodeKind kind, int dimension, int columns) {
    std::array<NodeShape, 2> shapes = {
        {{.kind = kind, .dimension = dimension, .parent = 1, .columns = columns},
         {.kind = NodeKind::kPair, .dimension = columns}}};
    const NodeSizes sizes = place_nodes(shapes);
    constexpr double kGuard = 12345;
    constexpr std::size_t kGuards = 64;
    std::vector<double> blocks(static_cast<std::size_t>(sizes.blocks) + 2 * kGuards, kGuard);
    double* const first = blocks.data() + kGuards;
    for (const NodeShape& n : shapes) {
      for (int i = 0; i < n.dimension * (n.dimension + n.columns); ++i) first[n.D + i] = 0;
      for (int i = 0; i < n.dimension; ++i) first[n.D + i * (n.dimension + 1)] = 1;
    }
    const std::vector<double> before = blocks;
    const Status status = factor(NodeSpan{shapes}, first);
    if (status == Status::kOk) {  // up to the limits, all goes well and stays inside
      for (const std::size_t end : {std::size_t{0}, blocks.size() - kGuards}) {
        for (std::size_t i = 0; i < kGuards; ++i) CHECK(blocks[end + i] == kGuard);
      }
    } else {
      CHECK(blocks == before);
    }
    return status;
  };
  for (const NodeKind kind : {NodeKind::kBody, NodeKind::kPair}) {
    CHECK_TRUE(Status::kOk == status_of(kind, 18, 9));
    CHECK_TRUE(Status::kTooManyRows == status_of(kind, 19, 1));
    CHECK_TRUE(Status::kTooManyRows == status_of(kind, 1, 10));
    CHECK_TRUE(Status::kTooManyRows == status_of(kind, 200, 100));
  }
}

// A double pendulum: constraint, body, constraint, body, children first.
constexpr std::array<NodeShape, 4> kPendulum = [] {
  std::array<NodeShape, 4> shapes = {{{.dimension = 6, .parent = 1, .columns = 5},
                                      {NodeKind::kConstraint, 5, 2, 6},
                                      {.dimension = 6, .parent = 3, .columns = 3},
                                      {.kind = NodeKind::kConstraint, .dimension = 3}}};
  place_nodes(shapes);
  return shapes;
}();

template <class Nodes>
void fill_and_solve(const Nodes& nodes, std::span<double> blocks, std::span<double> x) {
  test::Random random(77);
  for (double& value : blocks) value = random.uniform(-1, 1);
  for (double& value : x) value = random.uniform(-1, 1);
  for (const NodeShape& n : kPendulum) {
    for (int i = 0; i < n.dimension; ++i) {
      blocks[static_cast<std::size_t>(n.D + i * (n.dimension + 1))] =
          n.kind == NodeKind::kBody ? 8 : 0;
    }
    if (n.kind == NodeKind::kBody) continue;
    for (int i = n.D; i < n.J; ++i) blocks[static_cast<std::size_t>(i)] = 0;
  }
  CHECK_TRUE(Status::kOk == factor(nodes, blocks.data()));
  solve(nodes, blocks.data(), x.data());
}

TEST(Factor, ConstantShapesGiveTheSameBits) {
  std::array<double, 400> blocks[2];
  std::array<double, 20> x[2];
  fill_and_solve(NodeSpan{kPendulum}, blocks[0], x[0]);
  fill_and_solve(ConstantNodes<kPendulum>{}, blocks[1], x[1]);
  CHECK(blocks[0] == blocks[1]);
  CHECK(x[0] == x[1]);
}

TEST(Factor, NoNodesIsNoWork) {
  const NodeSpan none = {};
  double* const nothing = nullptr;
  CHECK_TRUE(Status::kOk == factor(none, nothing));
  solve(none, nothing, nothing);
}

TEST(Factor, NeverAllocates) {
  System<double> system = random_system<double>(32, 3);
  Status status = Status::kSingular;
  LONGS_EQUAL(0, test::allocations_in([&] {
                status = factor(system.nodes(), system.blocks.data());
                solve(system.nodes(), system.blocks.data(), system.x.data());
              }));
  CHECK_TRUE(Status::kOk == status);
}
