#include "model/limbs.hpp"

#include <algorithm>
#include <map>
#include <string>

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

// Equal for subtrees with the same joints in the same places.
std::vector<int> shape(const std::vector<Body>& bodies, int root, int size) {
  std::vector<int> key;
  for (int i = root; i < root + size; ++i) {
    const Body& body = bodies[at(i)];
    key.push_back(static_cast<int>(body.joint) + (body.armature != 0 ? kJointTypes : 0));
    key.push_back(i == root ? kWorld : body.parent - root);
  }
  return key;
}

}  // namespace

std::vector<Limbs> find_limbs(const Tree& tree) {
  // leader and follower could be in two limbs
  if (std::ranges::any_of(tree.bodies, &Body::leads)) return {};
  const std::vector<int> sizes = subtree_sizes(tree.bodies);
  std::vector<bool> taken(tree.bodies.size(), false);
  std::vector<Limbs> found;
  while (true) {
    std::map<std::vector<int>, std::vector<int>> shapes;  // and the first bodies of that shape
    for (int i = 0; i < static_cast<int>(sizes.size()); ++i) {
      const int size = sizes[at(i)];
      const auto begin = taken.begin() + i;
      if (size == 0 || std::find(begin, begin + size, true) != begin + size) continue;
      std::vector<int>& roots = shapes[shape(tree.bodies, i, size)];
      if (static_cast<int>(roots.size()) < kLimbLanes) roots.push_back(i);
    }
    Limbs best;
    int gain = 0;  // bodies that need not be computed one after another
    for (const auto& [key, roots] : shapes) {
      const int size = static_cast<int>(key.size()) / 2;
      const int saved = size * (static_cast<int>(roots.size()) - 1);
      if (saved <= gain) continue;
      gain = saved;
      best.size = size;
      best.roots.fill(roots.front());
      std::ranges::copy(roots, best.roots.begin());
    }
    if (gain == 0) break;
    for (const int root : best.roots) std::fill_n(taken.begin() + root, best.size, true);
    found.push_back(best);
  }
  return found;
}

}  // namespace lockstep::host
