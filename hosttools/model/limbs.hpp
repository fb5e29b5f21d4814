// Finds what solvers may compute side by side: subtrees of one shape.
#pragma once

#include <vector>

#include "lockstep/limbs.hpp"
#include "model/tree.hpp"

namespace lockstep::host {

// Groups that do not overlap, chosen to leave as few bodies as possible to be computed one after
// another. Empty where no shape occurs twice.
std::vector<Limbs> find_limbs(const Tree& tree);

// A model at run time with its limbs found: what an emitted header holds as constants.
template <class T>
struct LimbLists {
  LimbLists(const Tree& tree, const std::vector<Limbs>& limbs) {
    for (const Body& body : tree.bodies) {
      bodies.push_back(to_body_data<T>(body, counts));
      counts.add(body.joint);
    }
    list_limbs<T>(
        bodies, limbs, [&](const LimbGroup& group) { groups.push_back(group); },
        [&](const BodyData<LimbLanesOf<T>>& body) { limb_bodies.push_back(body); },
        [&](const TrunkItem& item) { trunk.push_back(item); });
  }
  LimbPlan<T> plan() const { return {bodies, trunk, groups, limb_bodies}; }

  Counts counts;
  std::vector<BodyData<T>> bodies;
  std::vector<LimbGroup> groups;
  std::vector<BodyData<LimbLanesOf<T>>> limb_bodies;
  std::vector<TrunkItem> trunk;
};

}  // namespace lockstep::host
