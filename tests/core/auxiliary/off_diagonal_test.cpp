// Blocks between bodies against a dense solve of M + J^T (blocks) J.
#include "lockstep/auxiliary/off_diagonal.hpp"

#include <CppUTest/TestHarness.h>

#include <Eigen/Cholesky>
#include <memory>

#include "lockstep/auxiliary/newton_tree.hpp"
#include "lockstep/mass_matrix.hpp"
#include "lockstep/table_model.hpp"
#include "support/random_tree.hpp"
#include "support/tolerance.hpp"

using namespace lockstep;

namespace {

constexpr int kBodies = 12, kRoom = kBodies * (kBodies - 1) / 2;
using Model = TableModel<double, kBodies>;
using Tree = auxiliary::NewtonTree<Model, double, kRoom>;
using Vec6 = Eigen::Matrix<double, 6, 1>;

Vec6 to_eigen(const Spatial<double>& s) {
  return {s.linear.x, s.linear.y, s.linear.z, s.angular.x, s.angular.y, s.angular.z};
}

// A tree at a state, and contacts with slopes between pairs of its bodies.
struct Touching {
  Touching(const std::vector<Body>& bodies, std::uint64_t seed) : random(seed) {
    CHECK_TRUE(model.assign(bodies) == Status::kOk);
    const host::DenseInput in = test::random_state(bodies, random);
    q = in.q, v = in.v, tau = in.tau, gravity = in.gravity;
    n = static_cast<int>(v.size());
  }
  void place(Tree& tree, const Eigen::VectorXd& rates) const {
    tree.place(model, {q.data(), rates.data(), tau.data(), gravity.data(), nullptr}, {kDt, kDt});
    tree.unload(model);
  }
  // Accelerations of joints without contacts, by tree; then with them, by tree and densely.
  void solve(std::span<const std::array<int, 2>> pairs) {
    const auto tree = std::make_unique<Tree>();
    place(*tree, v);
    CHECK_TRUE(tree->solve(model));
    Eigen::VectorXd free(n);
    for (int i = 0; i < n; ++i) free[i] = tree->vdot(i);
    std::vector<Vec6> A;
    for (int i = 0; i < model.body_count(); ++i) A.push_back(to_eigen(tree->acceleration(i)));
    std::vector<Eigen::MatrixXd> J(A.size(), Eigen::MatrixXd(6, n));
    const auto unit = std::make_unique<Tree>();
    for (int k = 0; k < n; ++k) {
      place(*unit, Eigen::VectorXd::Unit(n, k));
      for (std::size_t i = 0; i < J.size(); ++i) {
        J[i].col(k) = to_eigen(unit->twist(static_cast<int>(i)));
      }
    }
    MassMatrix<Model> mass(model);
    auto M = mass.make_output();
    CHECK_TRUE(mass.mass_matrix(q, M) == Status::kOk);
    Eigen::MatrixXd H = M;
    for (const BodyData<double>& body : model.bodies()) {
      for (int k = 0; k < dof_count(body.joint); ++k)
        H(body.v + k, body.v + k) += kDt * body.damping;
    }
    Eigen::VectorXd rest = Eigen::VectorXd::Zero(n);

    place(*tree, v);
    for (const auto& [a, b] : pairs) CHECK_TRUE(tree->connect(a, b));
    CHECK_TRUE(tree->fill_in(model));
    tree->unload(model);
    for (const auto& [a, b] : pairs) {
      const Placement<double> X_a = frame(), X_b = frame();
      const Vec3<double> force = {10 * number(), 10 * number(), 10 * number()};
      const double s = 100 * (1.1 + number()), t = 50 * (1.1 + number());
      const Sym3<double> G = {s, 0.2 * t, 0.1 * t, t, 0.3 * t, t};
      tree->load(a, wrench_to_parent(X_a, {force, {}}), point_inertia_to_parent(X_a, G));
      tree->load(b, wrench_to_parent(X_b, {force, {}}), point_inertia_to_parent(X_b, G));
      tree->load(a, b, auxiliary::point_block(X_a, G, X_b));
      // rows of the contact: K_a^T A_a + K_b^T A_b
      const auto rows = [&](const Placement<double>& X, int body, const auto& motion) {
        Eigen::Matrix<double, 3, 6> K;
        const auto set = [&](int i, const Vec3<double>& axis) {
          K.row(i) = to_eigen({axis, cross(X.p, axis)}).transpose();
        };
        set(0, X.R.x), set(1, X.R.y), set(2, X.R.z);
        return (K * motion[static_cast<std::size_t>(body)]).eval();
      };
      const Eigen::MatrixXd K = rows(X_a, a, J) + rows(X_b, b, J);
      const Eigen::Vector3d start = rows(X_a, a, A) + rows(X_b, b, A);
      const Eigen::Matrix3d slope{{G.xx, G.xy, G.xz}, {G.xy, G.yy, G.yz}, {G.xz, G.yz, G.zz}};
      H += K.transpose() * slope * K;
      rest += K.transpose() * (Eigen::Vector3d(force.x, force.y, force.z) - slope * start);
    }
    CHECK_TRUE(tree->solve(model));
    const Eigen::VectorXd expected = free + H.ldlt().solve(rest);
    const double scale = expected.norm();
    for (int i = 0; i < n; ++i) DOUBLES_EQUAL(expected[i], tree->vdot(i), 1e-9 * scale);
    CHECK_TRUE((expected - free).norm() > 1e-3 * scale);
  }
  double number() { return random.uniform(-1, 1); }
  Placement<double> frame() {
    Vec3<double> x = {number(), number(), number()}, y = {number(), number(), number()};
    x = (1 / std::sqrt(dot(x, x))) * x;
    y = y - dot(x, y) * x;
    y = (1 / std::sqrt(dot(y, y))) * y;
    return {{x, y, cross(x, y)}, {number(), number(), number()}};
  }

  static constexpr double kDt = 1e-2;
  test::Random random;
  Model model;
  Eigen::VectorXd q, v, tau;
  Eigen::Vector3d gravity;
  int n;
};

}  // namespace

TEST_GROUP(OffDiagonal){};

TEST(OffDiagonal, AnyPairsOfAnyTreeAgreeWithADenseSolve) {
  for (const test::Shape shape :
       {test::Shape::kRandom, test::Shape::kChain, test::Shape::kStar, test::Shape::kForest}) {
    for (std::uint64_t seed = 1; seed < 9; ++seed) {
      auto bodies = test::random_tree({.shape = shape, .bodies = kBodies, .seed = seed});
      if (seed % 2 == 0) {
        for (Body& body : bodies) body.damping = 3;
      }
      Touching(bodies, seed).solve(std::array<std::array<int, 2>, 1>{{{2, 11}}});
      Touching(bodies, seed).solve(std::array<std::array<int, 2>, 2>{{{0, 1}, {7, 6}}});
      Touching(bodies, seed)
          .solve(std::array<std::array<int, 2>, 6>{
              {{11, 3}, {11, 4}, {5, 11}, {0, 9}, {10, 2}, {11, 3}}});
    }
  }
}

// Boxes on each other in a row have no fill-in; a body that touches all has what it touches.
TEST(OffDiagonal, FillInIsWhatEliminationHandsOn) {
  std::vector<Body> boxes(6, Body{.joint = JointType::kFloating, .mass = 1});
  auxiliary::OffDiagonal<double, 6, 15> stack;
  stack.clear();
  for (int i = 1; i < 6; ++i) CHECK_TRUE(stack.connect(i - 1, i));
  CHECK_TRUE(stack.connect(2, 1));
  CHECK_TRUE(stack.fill_in(boxes));
  LONGS_EQUAL(5, stack.count());
  stack.clear();
  for (int i = 0; i < 5; ++i) CHECK_TRUE(stack.connect(i, 5));
  CHECK_TRUE(stack.fill_in(boxes));
  LONGS_EQUAL(15, stack.count());
  auxiliary::OffDiagonal<double, 6, 14> small;
  small.clear();
  for (int i = 0; i < 5; ++i) CHECK_TRUE(small.connect(i, 5));
  CHECK_FALSE(small.fill_in(boxes));
}

// A joint that follows hands what it touches to its leader and to what both hang on.
TEST(OffDiagonal, FollowersHandOnToTheirLeaders) {
  constexpr int kFree = 0, kOther = 1, kBase = 2, kLeader = 3, kFollower = 4;
  std::vector<Body> bodies(5, Body{.joint = JointType::kFloating, .mass = 1});
  for (const int turning : {kBase, kLeader, kFollower}) {
    bodies[at(turning)].joint = JointType::kRevolute;
    bodies[at(turning)].parent = turning == kBase ? kWorld : kBase;
  }
  bodies[kFollower].tie = {.leader = kLeader, .ratio = 2};
  auxiliary::OffDiagonal<double, 5, 10> blocks;
  blocks.clear();
  CHECK_TRUE(blocks.connect(kFollower, kLeader));
  CHECK_TRUE(blocks.fill_in(bodies));
  LONGS_EQUAL(2, blocks.count());  // and the leader with the base
  blocks.clear();
  CHECK_TRUE(blocks.connect(kFollower, kFree));
  CHECK_TRUE(blocks.fill_in(bodies));
  LONGS_EQUAL(3, blocks.count());  // and leader and base with what is touched
  const auto fits = [&](auto few) {
    few.clear();
    CHECK_TRUE(few.connect(kFollower, kFree));
    return few.connect(kFollower, kOther) && few.fill_in(bodies);
  };
  CHECK_FALSE((fits(auxiliary::OffDiagonal<double, 5, 2>{})));
  CHECK_FALSE((fits(auxiliary::OffDiagonal<double, 5, 3>{})));
  CHECK_FALSE((fits(auxiliary::OffDiagonal<double, 5, 6>{})));
  CHECK_TRUE((fits(auxiliary::OffDiagonal<double, 5, 7>{})));  // two of each, and each other
}
