#include "mechanism/free_bodies.hpp"

#include <algorithm>

namespace lockstep::host {

bool are_free(const Mechanism& mechanism) {
  return mechanism.constraints.empty() &&
         std::ranges::all_of(mechanism.bodies, [](const maximal::BodyRecord& body) {
           return body.type == static_cast<int>(maximal::BodyType::kRigid);
         });
}

Tree floating_tree(const Mechanism& mechanism) {
  Tree tree;
  tree.name = mechanism.name;
  tree.link_names = tree.joint_names = mechanism.body_names;
  tree.colliders = mechanism.colliders;
  tree.collider_pairs = mechanism.collider_pairs;
  for (const maximal::BodyRecord& record : mechanism.bodies) {
    const auto body = maximal::from_numbers<maximal::RigidBody<double>>(record.numbers);
    const Sym3<double>& I = body.inertia;
    tree.bodies.push_back({.joint = JointType::kFloating,
                           .mass = body.mass,
                           .inertia = {I.xx, I.xy, I.xz, I.yy, I.yz, I.zz}});
  }
  return tree;
}

}  // namespace lockstep::host
