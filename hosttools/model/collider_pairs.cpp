#include "model/collider_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>
#include <unordered_map>

#include "error.hpp"
#include "lockstep/contact/segments.hpp"
#include "model/placement.hpp"
#include "urdf/finding.hpp"

namespace lockstep::host {

namespace {

using contact::ColliderPair;
using contact::ColliderRecord;
using Pose = Placement<double>;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

Pose pose(const std::array<double, 9>& R, const std::array<double, 3>& p) {
  return {from_rows(R), {p[0], p[1], p[2]}};
}

// Where the bodies are when all coordinates are zero.
std::vector<Pose> zero_poses(const Tree& tree) {
  std::vector<Pose> X_WB;
  for (const Body& body : tree.bodies) {
    const Pose X_PJ = pose(body.R_PJ, body.p_PJ);
    X_WB.push_back(body.parent == kWorld ? X_PJ : X_WB[at(body.parent)] * X_PJ);
  }
  return X_WB;
}

// The surfaces' distance, negative where they overlap.
double distance(const ColliderRecord& a, const ColliderRecord& b, const std::vector<Pose>& X_WB) {
  const auto axis = [&](const ColliderRecord& collider) -> contact::Segment<double> {
    const Pose X_BS = pose(collider.R_BS, collider.p_BS);
    const Pose X = collider.body == kWorld ? X_BS : X_WB[at(collider.body)] * X_BS;
    return {X.p, X.R.z, collider.half[2]};
  };
  const contact::NearPoints<double> near = contact::near_points(axis(a), axis(b));
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < near.count; ++i) {
    const Vec3<double> d = near.pairs[at(i)].on_A - near.pairs[at(i)].on_B;
    least = std::min(least, std::sqrt(dot(d, d)));
  }
  return least - (a.radius + b.radius);
}

// Parent and child share a joint; one that lets go of its place holds nothing together.
bool are_neighbours(const Tree& tree, int a, int b) {
  const auto hangs_on = [&](int child, int parent) {
    if (child == kWorld) return false;
    const Body& body = tree.bodies[at(child)];
    const bool loose = body.joint == JointType::kFloating || body.joint == JointType::kPlanar;
    return body.parent == parent && !loose;
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
    const int count = static_cast<int>(tree_.colliders.size());
    for (int i = 0; i < count; ++i) {
      for (int k = i + 1; k < count; ++k) {
        const ColliderRecord &a = collider(i), &b = collider(k);
        if (!can_meet(a, b) || are_neighbours(tree_, a.body, b.body)) continue;
        if (wanted.contains({i, k}) || banned.contains({i, k})) continue;
        const double gap = distance(a, b, X_WB);
        if (gap < 0) {
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
    return a.body != b.body && contact::is_round(a.type) && contact::is_round(b.type);
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
