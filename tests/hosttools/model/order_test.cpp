#include "model/order.hpp"

#include <map>
#include <set>

#include "hosttools/model/robots.hpp"

#include <CppUTest/TestHarness.h>

using namespace lockstep;
using namespace lockstep::test;
using host::forward_order;
using host::Tree;

namespace {

// H's graph from the joints alone: unknowns (true, body) for a body, (false, body) for the
// constraint that carries it, an edge where H has a block.
using Unknown = std::pair<bool, int>;
std::map<Unknown, std::set<Unknown>> graph_of(const Tree& tree) {
  std::map<Unknown, std::set<Unknown>> graph;
  const auto connect = [&](const Unknown& a, const Unknown& b) {
    graph[a].insert(b);
    graph[b].insert(a);
  };
  for (int i = 0; i < static_cast<int>(tree.bodies.size()); ++i) {
    const Body& body = tree.bodies[static_cast<std::size_t>(i)];
    graph[{true, i}];
    if (body.joint == JointType::kFloating) continue;
    connect({true, i}, {false, i});
    if (body.parent != kWorld) connect({false, i}, {true, body.parent});
  }
  return graph;
}

Unknown unknown_of(const Node& node) { return {node.kind == NodeKind::kBody, node.body}; }

}  // namespace

TEST_GROUP(Order){};

// Baraff, section 7.1: when a node is eliminated, only its parent still shares a block with it.
TEST(Order, EliminationInForwardOrderCreatesNoFillIn) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Tree tree = random_robot(seed, 60).floating();
    const std::vector<Node> forward = forward_order(tree);
    auto graph = graph_of(tree);
    LONGS_EQUAL(graph.size(), forward.size());
    for (const Node& node : forward) {
      const std::set<Unknown> left = graph.at(unknown_of(node));
      CHECK_TRUE(left.size() <= 1);
      CHECK_EQUAL(node.parent == kNone, left.empty());
      if (!left.empty()) {
        CHECK_TRUE(unknown_of(forward.at(static_cast<std::size_t>(node.parent))) == *left.begin());
        graph.at(*left.begin()).erase(unknown_of(node));
      }
      graph.erase(unknown_of(node));
    }
    CHECK_TRUE(graph.empty());
    CHECK_TRUE(children_come_first(forward));
  }
}

TEST(Order, DimensionsAreSixForBodiesAndWhatTheJointRemovesForConstraints) {
  const Tree tree = random_robot(11, 60).floating();
  for (const Node& node : forward_order(tree)) {
    const JointType joint = tree.bodies[static_cast<std::size_t>(node.body)].joint;
    LONGS_EQUAL(node.kind == NodeKind::kBody ? 6 : multiplier_count(joint), node.dimension);
    CHECK_TRUE(node.dimension > 0);
  }
}

TEST(Order, RobotWithoutBodiesHasNoNodes) { CHECK_TRUE(forward_order(Tree{}).empty()); }
