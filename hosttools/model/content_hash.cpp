#include "model/content_hash.hpp"

#include <algorithm>

#include "model/add_to_hash.hpp"

namespace lockstep::host {

namespace {

void add_body(Hash& hash, const Body& body) {
  add(hash, body.parent, body.joint, body.R_PJ, body.p_PJ, body.R_LB, body.mass, body.h);
  add(hash, body.inertia, body.damping, body.friction);
  add(hash, body.limits.lower, body.limits.upper, body.limits.velocity, body.limits.effort);
  add(hash, body.mimic.body, body.mimic.multiplier, body.mimic.offset);
}

void add_loops(Hash& hash, const Tree& tree) {
  add(hash, tree.loops.size());
  for (std::size_t i = 0; i < tree.loops.size(); ++i) {
    const maximal::ConstraintRecord& loop = tree.loops[i];
    add(hash, tree.loop_names[i], loop.type, loop.a, loop.b, loop.numbers);
  }
  add(hash, tree.couplings.size());
  for (std::size_t i = 0; i < tree.couplings.size(); ++i) {
    const Coupling& coupling = tree.couplings[i];
    add(hash, tree.coupling_names[i], coupling.offset, coupling.count);
    for (const auto& [body, coefficient] : terms_of(tree, coupling)) add(hash, body, coefficient);
  }
}

// Only of those that yield, so that others keep the hash they have had.
void add_soft_rows(Hash& hash, const Tree& tree) {
  std::size_t number = 0;
  const auto add_own = [&](const auto& records) {
    for (const auto& record : records) {
      if (yields(record)) add(hash, number, record.stiffness, record.damping);
      ++number;
    }
  };
  add_own(tree.loops);
  add_own(tree.couplings);
}

void add_colliders(Hash& hash, const Tree& tree) {
  add(hash, tree.colliders.size());
  for (std::size_t i = 0; i < tree.colliders.size(); ++i) {
    const contact::ColliderRecord& own = tree.colliders[i];
    add(hash, tree.collider_names[i], own.body, own.type, own.half, own.radius, own.R_BS);
    add(hash, own.p_BS, own.friction, own.restitution, own.count);
    for (int k = own.first; k < own.first + own.count; ++k) {
      add(hash, tree.collider_points[at(k)]);
    }
  }
  add(hash, tree.collider_pairs.size());
  for (const contact::ColliderPair& pair : tree.collider_pairs) add(hash, pair.a, pair.b);
}

void add_rotors(Hash& hash, const Tree& tree) {
  add(hash, tree.rotors.size());
  for (std::size_t i = 0; i < tree.rotors.size(); ++i) {
    const Rotor& rotor = tree.rotors[i];
    add(hash, tree.rotor_names[i], rotor.body, rotor.ratio, rotor.offset);
  }
  for (const Body& body : tree.bodies) add(hash, body.armature, body.spin);
}

}  // namespace

std::uint64_t content_hash(const Tree& tree) {
  Hash hash;
  add(hash, tree.name, tree.bodies.size());
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    add(hash, tree.link_names[i], tree.joint_names[i]);
    add_body(hash, tree.bodies[i]);
  }
  add(hash, tree.frames.size());
  for (std::size_t i = 0; i < tree.frames.size(); ++i) {
    const NamedFrame& frame = tree.frames[i];
    add(hash, tree.frame_names[i], frame.body, frame.R_BF, frame.p_BF);
  }
  // a robot with nothing but a tree keeps the hash it has had
  if (!tree.loops.empty() || !tree.couplings.empty()) add_loops(hash, tree);
  add_soft_rows(hash, tree);
  if (!tree.colliders.empty()) add_colliders(hash, tree);
  if (!tree.rotors.empty()) add_rotors(hash, tree);
  if (tree.rotors.empty() && std::ranges::any_of(tree.bodies, &Body::armature)) {
    for (const Body& body : tree.bodies) add(hash, body.armature);
  }
  if (std::ranges::any_of(tree.bodies, &Body::stiffness)) {
    for (const Body& body : tree.bodies) add(hash, body.stiffness, body.rest);
  }
  if (std::ranges::any_of(tree.bodies, &Body::leads)) {
    for (const Body& body : tree.bodies) add(hash, body.tie.leader, body.tie.ratio);
  }
  return hash.value();
}

std::string hash_text(std::uint64_t hash) {
  std::string text = "0x";
  for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[hash >> shift & 15u];
  return text;
}

}  // namespace lockstep::host
