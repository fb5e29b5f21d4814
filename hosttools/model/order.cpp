#include "model/order.hpp"

namespace lockstep::host {

std::vector<Node> forward_order(const Tree& tree) {
  std::vector<Node> nodes;
  std::vector<int> node_of(tree.bodies.size());
  for (std::size_t i = tree.bodies.size(); i-- > 0;) {
    const int body = static_cast<int>(i);
    const int multipliers = multiplier_count(tree.bodies[i].joint);
    node_of[i] = static_cast<int>(nodes.size());
    const bool constrained = multipliers > 0;
    nodes.push_back({.kind = NodeKind::kBody,
                     .body = body,
                     .dimension = 6,
                     .parent = constrained ? node_of[i] + 1 : kNone});
    // a floating joint constrains nothing: its body is a root, whatever carries it
    if (constrained) {
      nodes.push_back({.kind = NodeKind::kConstraint, .body = body, .dimension = multipliers});
    }
  }
  for (Node& node : nodes) {
    const int parent = tree.bodies[at(node.body)].parent;
    if (node.kind == NodeKind::kConstraint && parent != kWorld) {
      node.parent = node_of[at(parent)];
    }
  }
  return nodes;
}

}  // namespace lockstep::host
