#include "model/content_hash.hpp"

#include <algorithm>

#include <string_view>

#include "lockstep/hash.hpp"

namespace lockstep::host {

namespace {

void add(Hash& hash, const std::string& text) { hash.add(std::string_view(text)); }

void add(Hash& hash, const Body& body) {
  hash.add(body.parent);
  hash.add(static_cast<std::uint8_t>(body.joint));
  hash.add_all(body.R_PJ);
  hash.add_all(body.p_PJ);
  hash.add_all(body.R_LB);
  hash.add(body.mass);
  hash.add_all(body.h);
  hash.add_all(body.inertia);
  hash.add(body.damping);
  hash.add(body.friction);
  hash.add(body.limits.lower);
  hash.add(body.limits.upper);
  hash.add(body.limits.velocity);
  hash.add(body.limits.effort);
  hash.add(body.mimic.body);
  hash.add(body.mimic.multiplier);
  hash.add(body.mimic.offset);
}

void add(Hash& hash, const NamedFrame& frame) {
  hash.add(frame.body);
  hash.add_all(frame.R_BF);
  hash.add_all(frame.p_BF);
}

void add_loops(Hash& hash, const Tree& tree) {
  hash.add(static_cast<std::uint32_t>(tree.loops.size()));
  for (std::size_t i = 0; i < tree.loops.size(); ++i) {
    const maximal::ConstraintRecord& loop = tree.loops[i];
    add(hash, tree.loop_names[i]);
    hash.add(loop.type);
    hash.add(loop.a);
    hash.add(loop.b);
    hash.add_all(loop.numbers);
  }
  hash.add(static_cast<std::uint32_t>(tree.couplings.size()));
  for (std::size_t i = 0; i < tree.couplings.size(); ++i) {
    const Coupling& coupling = tree.couplings[i];
    add(hash, tree.coupling_names[i]);
    hash.add(coupling.offset);
    hash.add(coupling.count);
    for (int k = coupling.first; k < coupling.first + coupling.count; ++k) {
      hash.add(tree.terms[static_cast<std::size_t>(k)].body);
      hash.add(tree.terms[static_cast<std::size_t>(k)].coefficient);
    }
  }
}

void add_colliders(Hash& hash, const Tree& tree) {
  hash.add(static_cast<std::uint32_t>(tree.colliders.size()));
  for (std::size_t i = 0; i < tree.colliders.size(); ++i) {
    const contact::ColliderRecord& collider = tree.colliders[i];
    add(hash, tree.collider_names[i]);
    hash.add(collider.body);
    hash.add(static_cast<std::uint8_t>(collider.type));
    hash.add_all(collider.half);
    hash.add(collider.radius);
    hash.add_all(collider.R_BS);
    hash.add_all(collider.p_BS);
    hash.add(collider.friction);
    hash.add(collider.restitution);
    hash.add(collider.count);
    for (int k = collider.first; k < collider.first + collider.count; ++k) {
      hash.add_all(tree.collider_points[static_cast<std::size_t>(k)]);
    }
  }
  hash.add(static_cast<std::uint32_t>(tree.collider_pairs.size()));
  for (const contact::ColliderPair& pair : tree.collider_pairs) {
    hash.add(pair.a);
    hash.add(pair.b);
  }
}

void add_rotors(Hash& hash, const Tree& tree) {
  hash.add(static_cast<std::uint32_t>(tree.rotors.size()));
  for (std::size_t i = 0; i < tree.rotors.size(); ++i) {
    add(hash, tree.rotor_names[i]);
    hash.add(tree.rotors[i].body);
    hash.add(tree.rotors[i].ratio);
    hash.add(tree.rotors[i].offset);
  }
  for (const Body& body : tree.bodies) {
    hash.add(body.armature);
    hash.add_all(body.spin);
  }
}

void add_ties(Hash& hash, const Tree& tree) {
  for (const Body& body : tree.bodies) {
    hash.add(body.tie.leader);
    hash.add(body.tie.ratio);
  }
}

}  // namespace

std::uint64_t content_hash(const Tree& tree) {
  Hash hash;
  add(hash, tree.name);
  hash.add(static_cast<std::uint32_t>(tree.bodies.size()));
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    add(hash, tree.link_names[i]);
    add(hash, tree.joint_names[i]);
    add(hash, tree.bodies[i]);
  }
  hash.add(static_cast<std::uint32_t>(tree.frames.size()));
  for (std::size_t i = 0; i < tree.frames.size(); ++i) {
    add(hash, tree.frame_names[i]);
    add(hash, tree.frames[i]);
  }
  // a robot with nothing but a tree keeps the hash it has had
  if (!tree.loops.empty() || !tree.couplings.empty()) add_loops(hash, tree);
  if (!tree.colliders.empty()) add_colliders(hash, tree);
  if (!tree.rotors.empty()) add_rotors(hash, tree);
  if (std::ranges::any_of(tree.bodies, &Body::leads)) add_ties(hash, tree);
  return hash.value();
}

std::string hash_text(std::uint64_t hash) {
  std::string text = "0x";
  for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[hash >> shift & 15u];
  return text;
}

}  // namespace lockstep::host
