// The order of elimination of a mechanism (Baraff 1996, section 7.1, `ordermatrix` of appendix A):
// bodies and constraints as the nodes of a forest, children first. A constraint to the world has
// one neighbour and must not be eliminated before it: the tightest of a component becomes its root;
// others form one node with their body, if that leaves it more freedom than its joint takes. The
// rest is auxiliary (section 8): what closes a loop, what holds a chain at its other end. Rows that
// yield take no freedom and have pivots of their own: beside a joint, or the root, they share its
// node, and to the world they are leaves of their body. A constraint's Standing comes first.
// O(bodies * constraints), once a model; at compile time for a static one.
#pragma once

#include "lockstep/hide_macros.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "lockstep/factor.hpp"
#include "lockstep/maximal/records.hpp"

namespace lockstep::maximal {

// Of a constraint whose rows yield, as its record has it.
struct Softness {
  double stiffness = 0, damping = 0, armature = 0;

  constexpr bool yields() const { return stiffness != 0 || damping != 0 || armature != 0; }
  constexpr bool operator==(const Softness&) const = default;
};

// What is known of a constraint before it is ordered.
struct Link {
  int a = kWorld, b = kWorld;
  int dimension = 0;
  bool joins = false;   // its row is added to that of the one before
  bool summed = false;  // it joins, or is joined
  int turn_parts = 0;
  unsigned velocity_rows = 0;  // a bit for each
  Standing standing = Standing::kOrdered;
  Softness softness = {};

  constexpr int held() const { return softness.yields() ? 0 : dimension; }  // of freedom
};

// What is to be known of a constraint after those before it.
template <class Links>
constexpr void append_link(Links& links, std::size_t count, const ConstraintRecord& record,
                           int dimension, unsigned velocity_rows) {
  if (record.joins && count > 0) links[count - 1].summed = true;
  links[count] = {
      record.a,      record.b,        dimension,
      record.joins,  record.joins,    record.turn_parts,
      velocity_rows, record.standing, {record.stiffness, record.damping, record.armature}};
}

template <int kMaxBodies, int kMaxConstraints>
struct Order {
  Status status = Status::kOk;
  int node_count = 0;
  NodeSizes sizes;
  std::array<NodeShape, at(kMaxBodies + kMaxConstraints)> nodes{};  // the Forward order
  std::array<int, at(kMaxBodies)> body_node{};
  std::array<int, at(kMaxConstraints)> constraint_node{};  // kNone: auxiliary
  std::array<int, at(kMaxConstraints)> constraint_row{};   // in its node, or among auxiliary rows
  std::array<int, at(kMaxConstraints)> constraint_term{};  // among auxiliary ones
  int auxiliary_rows = 0;
  int auxiliary_terms = 0;  // rows over two bodies at the most, of which they are sums
};

namespace detail {

// Walks each component from its root, breadth first. Nodes are known as bodies 0 .., then
// constraints; they get their numbers from the end, in the order in which they are met.
template <int kMaxBodies, int kMaxConstraints>
class Walk {
 public:
  using Result = Order<kMaxBodies, kMaxConstraints>;

  constexpr Walk(std::span<const int> dimensions, std::span<const Link> links)
      : dimensions_(dimensions), links_(links) {}

  constexpr Result run() {
    const int bodies = static_cast<int>(dimensions_.size());
    const int constraints = static_cast<int>(links_.size());
    above_.fill(kUnmet);
    for (int j = 0; j < constraints; ++j) {
      const Link& link = links_[at(j)];
      const bool known = link.a < bodies && link.b < bodies && link.a >= kWorld && link.b >= kWorld;
      const bool sums = link.dimension == 1 && (j > 0 || !link.joins);
      // rates have no rest that a spring could pull to, and a sum's first term says how it yields
      const bool odd = link.softness.stiffness != 0 && link.velocity_rows != 0;
      const bool late = link.softness.yields() && link.joins;
      if (!known || link.a == link.b || (link.summed && !sums) || odd || late) {
        order_.status = Status::kBadConstraint;
      }
      if (link.summed || link.standing == Standing::kAuxiliary) above_[at(bodies + j)] = kAuxiliary;
    }
    if (order_.status != Status::kOk) return order_;
    for (int j = 0; j < constraints; ++j) {
      if (links_[at(j)].softness.yields() && is_unmet(bodies + j) && beside(j) != kNone) {
        above_[at(bodies + j)] = kShared;
      }
    }
    cut_loops();
    for (int j = 0; j < constraints; ++j) {
      if (links_[at(j)].standing == Standing::kRoot) walk_from(j);
    }
    // the tightest first: a body that its rows to the world leave no freedom could not bear others
    for (int dimension = kMostRows; dimension > 0; --dimension) {
      for (int j = 0; j < constraints; ++j) {
        if (is_unary(j) && links_[at(j)].held() == dimension) walk_from(j);
      }
    }
    for (int i = 0; i < bodies; ++i) {
      if (above_[at(i)] == kUnmet) walk(i);
    }
    for (int j = 0; j < constraints; ++j) {
      const bool shares = above_[at(bodies + j)] == kShared && is_unary(j);
      if (shares && above_[at(bodies + beside(j))] != kRoot) {
        meet(bodies + j, std::max(links_[at(j)].a, links_[at(j)].b));
      }
    }
    if (order_.status == Status::kOk) number();
    return order_;
  }

 private:
  static constexpr int kUnmet = -2, kRoot = -1, kAuxiliary = -3, kShared = -4, kMostRows = 6;

  constexpr bool is_unary(int j) const {
    return links_[at(j)].a == kWorld || links_[at(j)].b == kWorld;
  }

  // The constraint whose node a yielding one may share: the first that holds the same bodies.
  constexpr int beside(int j) const {
    const Link& own = links_[at(j)];
    for (int i = 0; i < static_cast<int>(links_.size()); ++i) {
      const Link& link = links_[at(i)];
      const bool same =
          (link.a == own.a && link.b == own.b) || (link.a == own.b && link.b == own.a);
      if (same && !link.softness.yields() && !link.summed) return i;
    }
    return kNone;
  }

  constexpr bool is_unmet(int node) const { return above_[at(node)] == kUnmet; }
  constexpr void meet(int node, int above) {
    above_[at(node)] = above;
    met_[at(met_count_++)] = node;
  }

  // A forest that holds as many rows as one can: loops are cut where that leaves the fewest.
  constexpr void cut_loops() {
    const int bodies = static_cast<int>(dimensions_.size());
    std::array<int, at(kMaxBodies)> component{};
    for (int i = 0; i < bodies; ++i) component[at(i)] = i;
    for (int held = kMostRows; held >= 0; --held) {
      for (int j = 0; j < static_cast<int>(links_.size()); ++j) {
        if (is_unary(j) || links_[at(j)].held() != held || !is_unmet(bodies + j)) continue;
        const int from = component[at(links_[at(j)].a)], to = component[at(links_[at(j)].b)];
        if (from == to) above_[at(bodies + j)] = kAuxiliary;
        std::replace(component.begin(), component.begin() + bodies, from, to);
      }
    }
  }

  // With this constraint as the root, unless it or one of its bodies is met: of a tree all are.
  constexpr void walk_from(int j) {
    const int bodies = static_cast<int>(dimensions_.size());
    const auto is_free = [&](int body) { return body == kWorld || is_unmet(body); };
    const bool free = is_unmet(bodies + j) && is_free(links_[at(j)].a) && is_free(links_[at(j)].b);
    if (free) walk(bodies + j);
  }
  constexpr void walk(int root) {
    const int bodies = static_cast<int>(dimensions_.size());
    int next = met_count_;
    meet(root, kRoot);
    if (root >= bodies) {
      const Link& link = links_[at(root - bodies)];
      if (link.a != kWorld) meet(link.a, root);
      if (link.b != kWorld) meet(link.b, root);
    }
    for (; next < met_count_; ++next) {
      if (met_[at(next)] < bodies) meet_neighbours(met_[at(next)]);
    }
  }

  constexpr void meet_neighbours(int body) {
    const int bodies = static_cast<int>(dimensions_.size());
    // the joint that carries it has to be followed, unless another body below can help
    const int joint = above_[at(body)] - bodies;  // negative if the body is a root
    const bool alone = joint >= 0 && (is_unary(joint) || above_[at(bodies + joint)] != kRoot);
    int freedom = dimensions_[at(body)] - (alone ? links_[at(joint)].held() : 0);
    for (int j = 0; j < static_cast<int>(links_.size()); ++j) {
      const Link& link = links_[at(j)];
      if ((link.a != body && link.b != body) || above_[at(bodies + j)] != kUnmet) continue;
      const int other = link.a == body ? link.b : link.a;
      if (other == kWorld && link.softness.yields()) {
        meet(bodies + j, body);
      } else if (other == kWorld && freedom > link.held()) {
        freedom -= link.held();
        above_[at(bodies + j)] = body;  // part of the body's node
      } else if (other != kWorld) {
        meet(bodies + j, body);
        meet(other, bodies + j);
      } else {
        above_[at(bodies + j)] = kAuxiliary;
      }
    }
  }

  constexpr void number() {
    const int bodies = static_cast<int>(dimensions_.size()), count = met_count_;
    order_.node_count = count;
    for (int i = 0; i < count; ++i) {
      const int node = met_[at(i)], number = count - 1 - i;
      if (node < bodies) {
        order_.body_node[at(node)] = number;
        order_.nodes[at(number)] = {.dimension = dimensions_[at(node)]};
      } else {
        order_.constraint_node[at(node - bodies)] = number;
        order_.nodes[at(number)] = {.kind = NodeKind::kConstraint,
                                    .dimension = links_[at(node - bodies)].dimension};
      }
    }
    for (int j = 0; j < static_cast<int>(links_.size()); ++j) {
      if (above_[at(bodies + j)] == kShared) share(j);
    }
    for (int i = 0; i < count; ++i) {  // own dimensions: before rows of the world join the bodies
      const int node = met_[at(i)], above = above_[at(node)];
      if (above == kRoot) continue;
      NodeShape& n = order_.nodes[at(count - 1 - i)];
      n.parent =
          above < bodies ? order_.body_node[at(above)] : order_.constraint_node[at(above - bodies)];
      n.columns = order_.nodes[at(n.parent)].dimension;
    }
    for (int j = 0; j < static_cast<int>(links_.size()); ++j) {
      const int above = above_[at(bodies + j)];
      if (above == kAuxiliary) {
        order_.constraint_node[at(j)] = kNone;
        if (!links_[at(j)].joins) {
          order_.constraint_row[at(j)] = order_.auxiliary_rows;
          order_.auxiliary_rows += links_[at(j)].dimension;
        } else {
          order_.constraint_row[at(j)] = order_.constraint_row[at(j - 1)];
        }
        order_.constraint_term[at(j)] = order_.auxiliary_terms;
        order_.auxiliary_terms += links_[at(j)].dimension;
      }
      if (!is_unary(j) || above < 0 || links_[at(j)].softness.yields()) continue;
      const int node = order_.body_node[at(above)];
      NodeShape& n = order_.nodes[at(node)];
      order_.constraint_node[at(j)] = node;
      order_.constraint_row[at(j)] = n.dimension;
      n.kind = NodeKind::kPair;
      n.dimension += links_[at(j)].dimension;
    }
    order_.sizes = place_nodes({order_.nodes.data(), at(count)});
  }

  // The rows of one that yields come after those beside it, wherever these are.
  constexpr void share(int j) {
    const int bodies = static_cast<int>(dimensions_.size()), i = beside(j);
    const int node = order_.constraint_node[at(i)];
    if (above_[at(bodies + i)] == kAuxiliary) {
      above_[at(bodies + j)] = kAuxiliary;
      return;
    }
    NodeShape& n = order_.nodes[at(node)];
    if (n.dimension + links_[at(j)].dimension > lockstep::detail::kMaxColumns) {
      above_[at(bodies + j)] = kAuxiliary;
      return;
    }
    order_.constraint_node[at(j)] = node;
    order_.constraint_row[at(j)] = n.dimension;
    n.dimension += links_[at(j)].dimension;
  }

  std::span<const int> dimensions_;
  std::span<const Link> links_;
  std::array<int, at(kMaxBodies + kMaxConstraints)> above_{}, met_{};
  int met_count_ = 0;
  Result order_;
};

}  // namespace detail

template <int kMaxBodies, int kMaxConstraints>
constexpr Order<kMaxBodies, kMaxConstraints> order_nodes(std::span<const int> body_dimensions,
                                                         std::span<const Link> constraints) {
  return detail::Walk<kMaxBodies, kMaxConstraints>(body_dimensions, constraints).run();
}

}  // namespace lockstep::maximal

#include "lockstep/restore_macros.hpp"
