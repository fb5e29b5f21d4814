#include "mechanism/pairs.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace lockstep::host {

std::vector<contact::ColliderPair> collider_pairs(const Mechanism& mechanism) {
  std::set<std::pair<int, int>> tied;
  for (const maximal::ConstraintRecord& record : mechanism.constraints) {
    tied.insert(std::minmax(record.a, record.b));
  }
  const auto is_particle = [&](int body) {
    return mechanism.bodies[maximal::at(body)].type ==
           static_cast<int>(maximal::BodyType::kParticle);
  };
  std::vector<contact::ColliderPair> pairs;
  for (std::size_t j = 0; j < mechanism.colliders.size(); ++j) {
    for (std::size_t i = 0; i < j; ++i) {
      const int a = mechanism.colliders[i].body, b = mechanism.colliders[j].body;
      if (a == b || (is_particle(a) && is_particle(b)) || tied.contains(std::minmax(a, b))) {
        continue;
      }
      pairs.push_back({static_cast<int>(i), static_cast<int>(j)});
    }
  }
  return pairs;
}

}  // namespace lockstep::host
