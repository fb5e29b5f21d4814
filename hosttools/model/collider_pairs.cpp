#include "model/collider_pairs.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <set>
#include <unordered_map>

#include "lockstep/contact/detect.hpp"
#include "model/tree_colliders.hpp"
#include "text/error.hpp"
#include "text/finding.hpp"
#include "urdf/placement.hpp"

namespace lockstep::host {

namespace {

using contact::ColliderPair;
using contact::ColliderRecord;
using Pose = Placement<double>;

// Where the bodies are when all coordinates are zero.
std::vector<Pose> zero_poses(const Tree& tree) {
  std::vector<Pose> X_WB;
  for (const Body& body : tree.bodies) {
    const Pose X_PJ = to_placement(body.R_PJ, body.p_PJ);
    X_WB.push_back(body.parent == kWorld ? X_PJ : X_WB[at(body.parent)] * X_PJ);
  }
  return X_WB;
}

// The surfaces' distance, negative where they overlap.
double distance(const contact::Collider<double>& a, const contact::Collider<double>& b,
                const std::vector<Pose>& X_WB) {
  using contact::detail::place;
  contact::ContactList<double, 4> near;
  contact::detail::touch_pair(a, place<double>(a, X_WB), b, place<double>(b, X_WB),
                              std::numeric_limits<double>::max(), near);
  double least = std::numeric_limits<double>::infinity();
  for (const contact::Contact<double>& own : near.span()) least = std::min(least, own.distance);
  return least;
}

bool is_loose(const Body& body) {
  return body.joint == JointType::kFloating || body.joint == JointType::kPlanar;
}

// Of each body, the one that no chain of joints leads beyond, but for those that let go of their
// place. Found once: a climb for each pair would be the cube of a chain.
std::vector<int> find_roots(const Tree& tree) {
  std::vector<int> roots;
  for (int i = 0; i < static_cast<int>(tree.bodies.size()); ++i) {
    const Body& body = tree.bodies[at(i)];
    roots.push_back(is_loose(body) || body.parent == kWorld ? i : roots[at(body.parent)]);
  }
  return roots;
}

// Whether no such chain holds them together.
bool are_separate(const Tree& tree, int root_a, int root_b) {
  const auto stands = [&](int body) { return body == kWorld || !is_loose(tree.bodies[at(body)]); };
  const bool beside_world = root_a == kWorld || root_b == kWorld;
  return root_a != root_b && !(beside_world && stands(root_a) && stands(root_b));
}

// Parent and child share a joint; one that lets go of its place holds nothing together.
bool are_neighbours(const Tree& tree, int a, int b) {
  const auto hangs_on = [&](int child, int parent) {
    if (child == kWorld) return false;
    const Body& body = tree.bodies[at(child)];
    return body.parent == parent && !is_loose(body);
  };
  return hangs_on(a, b) || hangs_on(b, a);
}

using Numbers = std::set<std::pair<int, int>>;

class Chooser {
 public:
  Chooser(const Description& robot, const Tree& tree) : robot_(robot), tree_(tree) {
    int number = 0;
    for (const LinkDescription& link : robot.links) {
      std::vector<int>& own = of_link_[link.name];
      for (std::size_t i = 0; i < link.collisions.size(); ++i) own.push_back(number++);
    }
  }

  ChosenPairs choose(int most) {
    const Numbers wanted = listed(robot_.contact_pairs, true);
    const Numbers banned = listed(robot_.disabled_pairs, false);
    ChosenPairs chosen;
    struct Candidate {
      double distance;
      std::pair<int, int> numbers;
      auto operator<=>(const Candidate&) const = default;
    };
    std::vector<Candidate> candidates;
    const std::vector<Pose> X_WB = zero_poses(tree_);
    const TreeColliders<double> shapes(tree_);
    const std::vector<int> roots = find_roots(tree_);
    const auto root = [&](int body) { return body == kWorld ? kWorld : roots[at(body)]; };
    const int count = static_cast<int>(tree_.colliders.size());
    for (int i = 0; i < count; ++i) {
      for (int k = i + 1; k < count; ++k) {
        const ColliderRecord &a = collider(i), &b = collider(k);
        if (!can_meet(a, b) || are_neighbours(tree_, a.body, b.body)) continue;
        if (wanted.contains({i, k}) || banned.contains({i, k})) continue;
        const bool separate = are_separate(tree_, root(a.body), root(b.body));
        if (!separate && !(contact::is_round(a.type) && contact::is_round(b.type))) continue;
        const double gap = distance(shapes.colliders()[at(i)], shapes.colliders()[at(k)], X_WB);
        // what is separate was not drawn together: its zero pose says nothing
        if (gap < 0 && !separate) {
          chosen.overlapping.push_back({i, k});
        } else {
          candidates.push_back({gap, {i, k}});
        }
      }
    }
    std::ranges::sort(candidates);
    const std::size_t kept = std::min(candidates.size(), at(std::max(0, most)));
    chosen.left_out = static_cast<int>(candidates.size() - kept);
    Numbers all;
    for (std::size_t i = 0; i < kept; ++i) all.insert(candidates[i].numbers);
    std::ranges::set_difference(wanted, banned, std::inserter(all, all.end()));
    for (const auto& [a, b] : all) chosen.pairs.push_back({a, b});
    return chosen;
  }

 private:
  const ColliderRecord& collider(int i) const { return tree_.colliders[at(i)]; }

  static bool can_meet(const ColliderRecord& a, const ColliderRecord& b) {
    return a.body != b.body && contact::meets_others(a.type) && contact::meets_others(b.type);
  }

  // The pairs of shapes that pairs of links stand for.
  Numbers listed(const std::vector<LinkPairDescription>& pairs, bool must_meet) {
    Numbers numbers;
    std::set<std::pair<std::string, std::string>> seen;
    for (const LinkPairDescription& pair : pairs) {
      if (!seen.emplace(pair.a, pair.b).second) continue;
      for (const int i : of_link_[pair.a]) {
        for (const int k : of_link_[pair.b]) {
          if (must_meet && collider(i).body == collider(k).body) refuse(pair);
          if (can_meet(collider(i), collider(k))) numbers.insert(std::minmax(i, k));
        }
      }
    }
    return numbers;
  }

  [[noreturn]] void refuse(const LinkPairDescription& pair) const {
    throw Error(robot_.file + ": <contact_pair> in line " + std::to_string(pair.line) + ": " +
                quote(pair.a) + " and " + quote(pair.b) +
                " are on one body; name two links with a moving joint between them");
  }

  const Description& robot_;
  const Tree& tree_;
  std::unordered_map<std::string, std::vector<int>> of_link_;
};

}  // namespace

ChosenPairs choose_pairs(const Description& robot, const Tree& tree, int most) {
  return Chooser(robot, tree).choose(most);
}

}  // namespace lockstep::host
