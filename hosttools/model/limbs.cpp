#include "model/limbs.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace lockstep::host {

namespace {

// Bodies below each body, itself included; 0 where they do not stand one after another.
std::vector<int> subtree_sizes(const std::vector<Body>& bodies) {
  std::vector<int> sizes(bodies.size(), 1), last(bodies.size());
  for (std::size_t i = bodies.size(); i-- > 0;) {
    last[i] = std::max(last[i], static_cast<int>(i));
    if (bodies[i].parent == kWorld) continue;
    const auto parent = at(bodies[i].parent);
    sizes[parent] += sizes[i];
    last[parent] = std::max(last[parent], last[i]);
  }
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (last[i] - static_cast<int>(i) + 1 != sizes[i]) sizes[i] = 0;
  }
  return sizes;
}

int kind(const Body& body) {
  return static_cast<int>(body.joint) + (body.armature != 0 ? kJointTypes : 0);
}

// A number for each body, equal for subtrees with the same joints in the same places: it stands for
// the body's own joint, and for place and number of each child.
std::vector<int> shapes_of(const std::vector<Body>& bodies) {
  std::vector<std::vector<int>> keys(bodies.size());
  std::vector<int> shapes(bodies.size());
  std::map<std::vector<int>, int> known;
  for (int i = static_cast<int>(bodies.size()) - 1; i >= 0; --i) {
    std::vector<int>& key = keys[at(i)];
    key.push_back(kind(bodies[at(i)]));
    const auto found = known.emplace(std::move(key), static_cast<int>(known.size())).first;
    shapes[at(i)] = found->second;
    if (bodies[at(i)].parent == kWorld) continue;
    std::vector<int>& above = keys[at(bodies[at(i)].parent)];
    above.insert(above.end(), {i - bodies[at(i)].parent, shapes[at(i)]});
  }
  return shapes;
}

// Which of two subtrees of one size comes first: by the first body that differs.
bool comes_before(const std::vector<Body>& bodies, int a, int b, int size) {
  for (int i = 0; i < size; ++i) {
    const auto key = [&](int root) {
      return std::pair(kind(bodies[at(root + i)]),
                       i == 0 ? kWorld : bodies[at(root + i)].parent - root);
    };
    if (key(a) != key(b)) return key(a) < key(b);
  }
  return false;
}

class Search {
 public:
  explicit Search(const std::vector<Body>& bodies)
      : bodies_(bodies), sizes_(subtree_sizes(bodies)), blocked_(bodies.size(), false) {
    const std::vector<int> shapes = shapes_of(bodies);
    std::vector<std::vector<int>> roots(bodies.size());
    for (std::size_t i = bodies.size(); i-- > 0;) {
      if (sizes_[i] > 0) roots[at(shapes[i])].push_back(static_cast<int>(i));
    }
    for (std::vector<int>& of_shape : roots) add(std::move(of_shape));
  }

  // Always the limbs that save most; none are left that save anything.
  std::vector<Limbs> find() {
    std::vector<Limbs> found;
    while (!candidates_.empty()) {
      Candidate best = std::move(candidates_.extract(candidates_.begin()).value());
      const std::vector<int> roots = take_free(best.roots);
      if (saved(roots) != best.saved) {
        best.roots.insert(best.roots.end(), roots.rbegin(), roots.rend());
        add(std::move(best.roots));
        continue;
      }
      Limbs limbs;
      limbs.size = sizes_[at(roots.front())];
      limbs.roots.fill(roots.front());
      std::ranges::copy(roots, limbs.roots.begin());
      for (const int root : roots) block(root);
      found.push_back(limbs);
      add(std::move(best.roots));
    }
    return found;
  }

 private:
  struct Candidate {
    int saved, size, first;
    std::vector<int> roots;  // of one shape, descending
  };

  // Bodies that need not be computed one after another.
  int saved(const std::vector<int>& roots) const {
    return roots.empty() ? 0 : sizes_[at(roots.front())] * (static_cast<int>(roots.size()) - 1);
  }

  // The first roots that nothing has taken, as many as there are lanes.
  std::vector<int> take_free(std::vector<int>& roots) const {
    std::vector<int> taken;
    while (!roots.empty() && static_cast<int>(taken.size()) < kLimbLanes) {
      if (!blocked_[at(roots.back())]) taken.push_back(roots.back());
      roots.pop_back();
    }
    return taken;
  }

  void add(std::vector<int> roots) {
    const std::vector<int> next = take_free(roots);
    roots.insert(roots.end(), next.rbegin(), next.rend());
    if (saved(next) == 0) return;
    candidates_.insert({saved(next), sizes_[at(next.front())], next.front(), std::move(roots)});
  }

  // Nothing that holds one of these bodies, or is held by it, is a limb any more.
  void block(int root) {
    std::fill_n(blocked_.begin() + root, sizes_[at(root)], true);
    for (int i = bodies_[at(root)].parent; i != kWorld && !blocked_[at(i)];
         i = bodies_[at(i)].parent) {
      blocked_[at(i)] = true;
    }
  }

  // Shapes are compared as sequences of joint and parent; one that begins another comes first.
  struct Better {
    const std::vector<Body>& bodies;
    bool operator()(const Candidate& a, const Candidate& b) const {
      if (a.saved != b.saved) return a.saved > b.saved;
      if (comes_before(bodies, a.first, b.first, std::min(a.size, b.size))) return true;
      if (comes_before(bodies, b.first, a.first, std::min(a.size, b.size))) return false;
      return a.size < b.size;
    }
  };

  const std::vector<Body>& bodies_;
  std::vector<int> sizes_;
  std::vector<bool> blocked_;
  std::set<Candidate, Better> candidates_{Better{bodies_}};
};

}  // namespace

std::vector<Limbs> find_limbs(const Tree& tree) {
  // leader and follower could be in two limbs
  if (std::ranges::any_of(tree.bodies, &Body::leads)) return {};
  return Search(tree.bodies).find();
}

}  // namespace lockstep::host
