#include "model/collider_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <queue>
#include <set>
#include <unordered_map>

#include "lockstep/contact/detect.hpp"
#include "model/near_pairs.hpp"
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
  Chooser(const Description& robot, const Tree& tree)
      : robot_(robot), tree_(tree), roots_(find_roots(tree)) {
    int number = 0;
    for (const LinkDescription& link : robot.links) {
      const int own = static_cast<int>(shapes_of_.size());
      links_.emplace(link.name, own);
      std::vector<int>& shapes = shapes_of_.emplace_back();
      for (std::size_t i = 0; i < link.collisions.size(); ++i) {
        shapes.push_back(number++);
        link_of_.push_back(own);
      }
    }
    for (const LinkPairDescription& pair : robot.disabled_pairs) {
      banned_.insert(std::minmax(links_.at(pair.a), links_.at(pair.b)));
    }
  }

  ChosenPairs choose(int most) {
    const Numbers wanted = asked_for();
    ChosenPairs chosen;
    using Candidate = std::pair<double, std::pair<int, int>>;  // distance, numbers
    std::priority_queue<Candidate> nearest;                    // the farthest of them on top
    const std::size_t room = at(std::max(0, most));
    const std::vector<Pose> X_WB = zero_poses(tree_);
    const TreeColliders<double> shapes(tree_);
    NearPairs near(boxes_around(shapes.colliders(), X_WB),
                   [&](const NearShapes& a, const NearShapes& b) { return may_meet(a, b); });
    // one more than there is room for tells that there are more
    const auto reach = [&] {
      return nearest.size() > room ? nearest.top().first : std::numeric_limits<double>::infinity();
    };
    while (const auto numbers = near.next(reach())) {
      chosen.gave_up = near.looks() > kMostLooks;
      if (chosen.gave_up) break;
      const auto [i, k] = *numbers;
      if (wanted.contains(*numbers) || is_banned(i, k)) continue;
      const double gap = distance(shapes.colliders()[at(i)], shapes.colliders()[at(k)], X_WB);
      // what is separate was not drawn together: its zero pose says nothing
      if (gap < 0 && !are_separate(tree_, root(collider(i).body), root(collider(k).body))) {
        chosen.overlapping.push_back({i, k});
        continue;
      }
      nearest.emplace(gap, *numbers);
      if (nearest.size() > room + 1) nearest.pop();
    }
    chosen.looks = near.looks();
    std::ranges::sort(chosen.overlapping, {}, [](ColliderPair p) { return std::pair(p.a, p.b); });
    chosen.more = nearest.size() > room;
    if (chosen.more) nearest.pop();
    Numbers all;
    for (; !nearest.empty(); nearest.pop()) all.insert(nearest.top().second);
    all.insert(wanted.begin(), wanted.end());
    for (const auto& [a, b] : all) chosen.pairs.push_back({a, b});
    return chosen;
  }

 private:
  // Only where everything overlaps: as many pairs as 1400 shapes have.
  static constexpr std::size_t kMostLooks = 1'000'000;

  const ColliderRecord& collider(int i) const { return tree_.colliders[at(i)]; }
  int root(int body) const { return body == kWorld ? kWorld : roots_[at(body)]; }

  // Around those that can meet others, at the zero pose.
  std::vector<NearShapes> boxes_around(std::span<const contact::Collider<double>> shapes,
                                       const std::vector<Pose>& X_WB) const {
    std::vector<NearShapes> boxes;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      const contact::Collider<double>& own = shapes[i];
      if (!own.shape.meets_others()) continue;
      const Pose X = contact::detail::place<double>(own, X_WB);
      const Vec3<double> h = own.shape.half;
      const double r = own.shape.radius;
      const auto reach = [&](double x, double y, double z) {
        return std::fabs(x) * h.x + std::fabs(y) * h.y + std::fabs(z) * h.z + r;
      };
      const Vec3<double> half = {reach(X.R.x.x, X.R.y.x, X.R.z.x), reach(X.R.x.y, X.R.y.y, X.R.z.y),
                                 reach(X.R.x.z, X.R.y.z, X.R.z.z)};
      boxes.push_back({static_cast<int>(i), own.body, root(own.body), own.shape.is_round(),
                       X.p - half, X.p + half});
    }
    return boxes;
  }

  // Of branches: whether any two of their shapes may.
  bool may_meet(const NearShapes& a, const NearShapes& b) const {
    const bool bodies = a.body != NearShapes::kSeveral && b.body != NearShapes::kSeveral;
    if (bodies && (a.body == b.body || are_neighbours(tree_, a.body, b.body))) return false;
    const bool roots = a.root != NearShapes::kSeveral && b.root != NearShapes::kSeveral;
    return (a.round && b.round) || !roots || are_separate(tree_, a.root, b.root);
  }

  bool is_banned(int i, int k) const {
    return banned_.contains(std::minmax(link_of_[at(i)], link_of_[at(k)]));
  }

  // The pairs of shapes that pairs of links stand for.
  Numbers asked_for() const {
    Numbers numbers;
    std::size_t looks = 0;
    for (const LinkPairDescription& pair : robot_.contact_pairs) {
      const auto [a, b] = std::minmax(links_.at(pair.a), links_.at(pair.b));
      const std::vector<int>&of_a = shapes_of_[at(a)], &of_b = shapes_of_[at(b)];
      if (of_a.empty() || of_b.empty()) continue;
      if (collider(of_a[0]).body == collider(of_b[0]).body) {
        refuse(pair, "are on one body; name two links with a moving joint between them");
      }
      if (banned_.contains({a, b})) continue;
      looks += of_a.size() * of_b.size();
      if (looks > kMostLooks) refuse(pair, "have too many shapes to meet each other; use fewer");
      for (const int i : of_a) {
        for (const int k : of_b) {
          const bool meet =
              contact::meets_others(collider(i).type) && contact::meets_others(collider(k).type);
          if (meet) numbers.insert(std::minmax(i, k));
        }
      }
    }
    return numbers;
  }

  [[noreturn]] void refuse(const LinkPairDescription& pair, const std::string& why) const {
    throw Error(robot_.file + ": <contact_pair> in line " + std::to_string(pair.line) + ": " +
                quote(pair.a) + " and " + quote(pair.b) + " " + why);
  }

  const Description& robot_;
  const Tree& tree_;
  const std::vector<int> roots_;
  std::unordered_map<std::string, int> links_;
  std::vector<std::vector<int>> shapes_of_;  // a link
  std::vector<int> link_of_;                 // a shape
  Numbers banned_;                           // links
};

}  // namespace

ChosenPairs choose_pairs(const Description& robot, const Tree& tree, int most) {
  return Chooser(robot, tree).choose(most);
}

}  // namespace lockstep::host
