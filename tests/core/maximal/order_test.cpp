#include "lockstep/maximal/order.hpp"

#include <CppUTest/TestHarness.h>

#include <vector>

using namespace lockstep;
using maximal::Link;

namespace {

using Order = maximal::Order<8, 8>;

Order order(const std::vector<int>& dimensions, const std::vector<Link>& links) {
  return maximal::order_nodes<8, 8>(dimensions, links);
}

// Children first, and every pair of neighbours in one block that fits.
void check_forest(const Order& result, const std::vector<int>& dimensions,
                  const std::vector<Link>& links) {
  CHECK_TRUE(Status::kOk == result.status);
  const std::span<const NodeShape> nodes(result.nodes.data(),
                                         static_cast<std::size_t>(result.node_count));
  CHECK(children_come_first(nodes));
  int blocks = 0, x = 0;
  for (const NodeShape& n : nodes) {
    LONGS_EQUAL(blocks, n.D);
    LONGS_EQUAL(x, n.x);
    blocks += n.dimension * (n.dimension + n.columns);
    x += n.dimension;
  }
  LONGS_EQUAL(blocks, result.sizes.blocks);
  LONGS_EQUAL(x, result.sizes.x);
  for (std::size_t j = 0; j < links.size(); ++j) {
    const int own = result.constraint_node[j];
    if (own == kNone) continue;
    for (const int body : {links[j].a, links[j].b}) {
      if (body == kWorld) continue;
      const int other = result.body_node[static_cast<std::size_t>(body)];
      const NodeShape &c = nodes[static_cast<std::size_t>(own)],
                      &b = nodes[static_cast<std::size_t>(other)];
      const int dimension = dimensions[static_cast<std::size_t>(body)];
      if (own == other) {
        CHECK(result.constraint_row[j] >= dimension);
        CHECK(result.constraint_row[j] + links[j].dimension <= c.dimension);
      } else if (b.parent == own) {
        LONGS_EQUAL(links[j].dimension, b.columns);
      } else {
        LONGS_EQUAL(other, c.parent);
        LONGS_EQUAL(dimension, c.columns);
      }
    }
  }
}

}  // namespace

TEST_GROUP(MaximalOrder){};

TEST(MaximalOrder, NothingIsAForest) { check_forest(order({}, {}), {}, {}); }

TEST(MaximalOrder, FreeBodiesAreRoots) {
  const auto result = order({6, 3}, {});
  check_forest(result, {6, 3}, {});
  LONGS_EQUAL(2, result.node_count);
  LONGS_EQUAL(kNone, result.nodes[0].parent);
  LONGS_EQUAL(kNone, result.nodes[1].parent);
}

// A constraint to the world has no block of its own to begin with, so it comes last.
TEST(MaximalOrder, AConstraintToTheWorldIsTheRoot) {
  const std::vector<Link> links = {{1, 0, 5}, {kWorld, 1, 3}};
  const auto result = order({6, 6}, links);
  check_forest(result, {6, 6}, links);
  LONGS_EQUAL(3, result.constraint_node[1]);
  LONGS_EQUAL(2, result.body_node[1]);
  LONGS_EQUAL(1, result.constraint_node[0]);
  LONGS_EQUAL(0, result.body_node[0]);
}

TEST(MaximalOrder, FurtherConstraintsToTheWorldJoinTheirBodies) {
  const std::vector<Link> links = {{kWorld, 0, 5}, {0, 1, 1}, {1, kWorld, 3}, {1, kWorld, 1}};
  const auto result = order({6, 6}, links);
  check_forest(result, {6, 6}, links);
  LONGS_EQUAL(4, result.node_count);
  const NodeShape& pair = result.nodes[static_cast<std::size_t>(result.body_node[1])];
  CHECK(pair.kind == NodeKind::kPair);
  LONGS_EQUAL(10, pair.dimension);
  LONGS_EQUAL(6, result.constraint_row[2]);
  LONGS_EQUAL(9, result.constraint_row[3]);
  LONGS_EQUAL(0, result.auxiliary_rows);
}

TEST(MaximalOrder, ABranchingForest) {
  const std::vector<Link> links = {{0, 1, 3}, {1, 2, 1}, {1, 3, 2}, {5, 4, 6}, {kWorld, 5, 1}};
  check_forest(order({6, 9, 3, 7, 6, 6}, links), {6, 9, 3, 7, 6, 6}, links);
}

// A loop is cut where that leaves the fewest rows.
TEST(MaximalOrder, WhatClosesALoopIsAuxiliary) {
  const std::vector<Link> links = {{kWorld, 0, 3}, {0, 1, 5}, {0, 2, 5}, {1, 3, 2}, {2, 3, 4}};
  const auto result = order({6, 6, 6, 6}, links);
  check_forest(result, {6, 6, 6, 6}, links);
  LONGS_EQUAL(kNone, result.constraint_node[3]);
  LONGS_EQUAL(0, result.constraint_row[3]);
  LONGS_EQUAL(2, result.auxiliary_rows);
  LONGS_EQUAL(8, result.node_count);
  LONGS_EQUAL(1, order({6, 6}, {{0, 1, 1}, {1, 0, 3}}).auxiliary_rows);
}

// A chain that is held at both ends by hinges: the second leaves its body less than its joint
// needs.
TEST(MaximalOrder, WhatHoldsAChainAgainIsAuxiliary) {
  const std::vector<Link> links = {{kWorld, 0, 5}, {0, 1, 5}, {1, kWorld, 5}};
  const auto result = order({6, 6}, links);
  check_forest(result, {6, 6}, links);
  LONGS_EQUAL(5, result.auxiliary_rows);
}

TEST(MaximalOrder, BodiesMustExist) {
  CHECK_TRUE(Status::kBadConstraint == order({6}, {{0, 1, 1}}).status);
  CHECK_TRUE(Status::kBadConstraint == order({6}, {{-2, 0, 1}}).status);
  CHECK_TRUE(Status::kBadConstraint == order({6}, {{kWorld, kWorld, 1}}).status);
  CHECK_TRUE(Status::kBadConstraint == order({6}, {{0, 0, 1}}).status);
}

// A constraint whose child cannot follow it comes last, with two children.
TEST(MaximalOrder, AConstraintBetweenBodiesCanBeTheRoot) {
  std::vector<Link> links = {{0, 1, 1}, {1, 2, 1}, {kWorld, 0, 1}};
  links[1].standing = maximal::Standing::kRoot;
  const auto result = order({3, 3, 3}, links);
  check_forest(result, {3, 3, 3}, links);
  LONGS_EQUAL(0, result.auxiliary_rows);
  LONGS_EQUAL(4, result.constraint_node[1]);
  LONGS_EQUAL(4, result.nodes[static_cast<std::size_t>(result.body_node[1])].parent);
  LONGS_EQUAL(4, result.nodes[static_cast<std::size_t>(result.body_node[2])].parent);
}

// Its bodies need not follow it, so that they can be held as far as they can be at all.
TEST(MaximalOrder, BodiesBelowATwoSidedRootShareNodesWithTheWorld) {
  std::vector<Link> links = {{0, 1, 1}, {kWorld, 0, 2}, {kWorld, 1, 2}};
  LONGS_EQUAL(2, order({3, 3}, links).auxiliary_rows);
  links[0].standing = maximal::Standing::kRoot;
  const auto result = order({3, 3}, links);
  check_forest(result, {3, 3}, links);
  LONGS_EQUAL(0, result.auxiliary_rows);
  LONGS_EQUAL(result.body_node[0], result.constraint_node[1]);
  LONGS_EQUAL(result.body_node[1], result.constraint_node[2]);
}

// An auxiliary one cuts its tree in two, each with a root of its own.
TEST(MaximalOrder, AConstraintCanBeAuxiliary) {
  std::vector<Link> links = {{0, 1, 1}, {1, 2, 1}, {kWorld, 2, 3}, {kWorld, 0, 2}};
  links[1].standing = maximal::Standing::kAuxiliary;
  const auto result = order({3, 3, 6}, links);
  check_forest(result, {3, 3, 6}, links);
  LONGS_EQUAL(1, result.auxiliary_rows);
  LONGS_EQUAL(kNone, result.constraint_node[1]);
  for (const std::size_t root : {2U, 3U}) {
    LONGS_EQUAL(kNone, result.nodes[static_cast<std::size_t>(result.constraint_node[root])].parent);
  }
}

// Of a body on springs to the world each is a leaf, however many there are and whatever else holds
// it, but for those beside its root.
TEST(MaximalOrder, WhatYieldsToTheWorldIsALeaf) {
  const Link spring = {.a = kWorld, .b = 0, .dimension = 1, .softness = {.stiffness = 1}};
  const auto hold = [](int dimension) { return Link{.a = kWorld, .b = 0, .dimension = dimension}; };
  const std::vector<Link> alone(8, spring);
  auto result = order({6}, alone);
  check_forest(result, {6}, alone);
  LONGS_EQUAL(9, result.node_count);
  LONGS_EQUAL(6, result.nodes[8].dimension);
  LONGS_EQUAL(0, result.auxiliary_rows);

  const std::vector<Link> beside = {hold(2), spring, spring, hold(3), spring};
  result = order({6}, beside);
  check_forest(result, {6}, beside);
  LONGS_EQUAL(5, result.node_count);
  LONGS_EQUAL(result.body_node[0], result.constraint_node[0]);
  LONGS_EQUAL(4, result.constraint_node[3]);
  LONGS_EQUAL(0, result.auxiliary_rows);

  const std::vector<Link> rooted = {hold(5), spring, spring};
  result = order({6}, rooted);
  LONGS_EQUAL(2, result.node_count);
  LONGS_EQUAL(result.constraint_node[0], result.constraint_node[2]);
  LONGS_EQUAL(7, result.nodes[1].dimension);
}

TEST(MaximalOrder, WhatCannotYieldIsRefused) {
  const maximal::Softness spring = {.stiffness = 1}, damper = {.damping = 1};
  const auto status = [](const Link& own) {
    return order({6, 6}, {{.a = kWorld, .b = 0, .dimension = 1}, own}).status;
  };
  // a rate has no rest, and a sum yields as its first term says
  const Link rate = {.a = 0, .b = 1, .dimension = 1, .velocity_rows = 1, .softness = damper};
  CHECK_TRUE(Status::kOk == status(rate));
  CHECK_TRUE(Status::kBadConstraint ==
             status({.a = 0, .b = 1, .dimension = 1, .velocity_rows = 1, .softness = spring}));
  CHECK_TRUE(
      Status::kBadConstraint ==
      status({.a = 0, .b = 1, .dimension = 1, .joins = true, .summed = true, .softness = damper}));
}
