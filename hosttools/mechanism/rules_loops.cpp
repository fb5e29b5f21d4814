// Where bodies and constraints make no forest, which is solved fastest. The world is no node: what
// hangs on it at both ends is still a chain. Two constraints between the same bodies close a loop,
// unless one holds and the other yields.
#include <algorithm>
#include <numeric>
#include <set>

#include "mechanism/rules.hpp"
#include "urdf/disjoint_sets.hpp"
#include "urdf/names.hpp"

namespace lockstep::host {

namespace {

constexpr std::size_t kNoBody = static_cast<std::size_t>(-1);

class SpanningForest {
 public:
  explicit SpanningForest(std::size_t bodies) : edges_(bodies), trees_(bodies) {}

  // False if it would close a loop.
  bool join(std::size_t a, std::size_t b, std::size_t constraint) {
    if (!trees_.join(a, b)) return false;
    edges_[a].push_back({b, constraint});
    edges_[b].push_back({a, constraint});
    return true;
  }

  // The constraints on the way from a to b.
  std::vector<std::size_t> way(std::size_t a, std::size_t b) const {
    std::vector<Edge> from(edges_.size(), {kNoBody, 0});
    std::vector<std::size_t> open = {a};
    from[a] = {a, 0};
    for (std::size_t next = 0; next < open.size() && from[b].body == kNoBody; ++next) {
      for (const Edge& edge : edges_[open[next]]) {
        if (from[edge.body].body != kNoBody) continue;
        from[edge.body] = {open[next], edge.constraint};
        open.push_back(edge.body);
      }
    }
    std::vector<std::size_t> constraints;
    for (; b != a; b = from[b].body) constraints.push_back(from[b].constraint);
    std::ranges::reverse(constraints);
    return constraints;
  }

 private:
  struct Edge {
    std::size_t body, constraint;
  };
  std::vector<std::vector<Edge>> edges_;
  DisjointSets trees_;
};

}  // namespace

void check_loops(const DraftMechanism& draft, Findings& findings) {
  Findings silent;
  const Names bodies(draft.bodies, "body", silent);
  SpanningForest forest(draft.bodies.size());
  std::set<std::pair<std::size_t, std::size_t>> held;
  // those that yield come last, as in the order of elimination
  std::vector<std::size_t> order(draft.constraints.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {},
                           [&](std::size_t i) { return draft.constraints[i].soft.yields(); });
  for (const std::size_t i : order) {
    const DraftConstraint& constraint = draft.constraints[i];
    if (constraint.a.body.name.empty() || constraint.b.body.name.empty()) continue;
    const std::size_t a = bodies.at(constraint.a.body.name), b = bodies.at(constraint.b.body.name);
    const auto [first, second] = std::minmax(a, b);
    const std::pair<std::size_t, std::size_t> pair = {first, second};
    if (!constraint.soft.yields()) {
      held.insert(pair);
    } else if (held.contains(pair)) {
      continue;  // it shares their node
    }
    if (forest.join(a, b, i)) continue;
    const std::vector<std::size_t> way = forest.way(a, b);
    std::string others;
    for (const std::size_t other : way) {
      others += (others.empty() ? "" : ", ") + quote(draft.constraints[other].name);
    }
    findings.note(constraint.line, "loop", constraint.label() + ": closes a loop with " + others,
                  way.size() == 1 && !constraint.soft.yields()
                      ? "say both with one type, which is solved faster"
                      : "nothing, if it is meant; the rows of one of them are solved apart");
  }
}

}  // namespace lockstep::host
