#include "mechanism/content_hash.hpp"

#include "mechanism/coupling.hpp"
#include "model/add_to_hash.hpp"

namespace lockstep::host {

namespace {

// Without shapes and bounds nothing is added.
void add_contacts(const Mechanism& mechanism, Hash& hash) {
  add(hash, mechanism.colliders.size());
  for (const contact::ColliderRecord& own : mechanism.colliders) {
    add(hash, own.body, own.type, own.half, own.R_BS, own.p_BS);
    add(hash, own.radius, own.friction, own.restitution);
  }
  add(hash, mechanism.collider_pairs.size());
  for (const contact::ColliderPair& pair : mechanism.collider_pairs) add(hash, pair.a, pair.b);
  const maximal::GroundRecord& ground = mechanism.ground;
  add(hash, ground.normal, ground.offset, ground.friction, ground.restitution);
  add(hash, mechanism.bounds.size());
  const auto numbers = [](const Placement<double>& X) {
    return std::bit_cast<std::array<double, 12>>(X);
  };
  for (const maximal::JointBound<double>& own : mechanism.bounds) {
    add(hash, own.a, own.b, own.coordinate, numbers(own.X_A), numbers(own.X_B));
    add(hash, own.limits.lower, own.limits.upper, own.restitution, own.limits.friction, own.rate);
  }
}

}  // namespace

std::uint64_t content_hash(const Mechanism& mechanism) {
  Hash hash;
  add(hash, mechanism.name, mechanism.bodies.size());
  for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) {
    const maximal::BodyRecord& body = mechanism.bodies[i];
    add(hash, mechanism.body_names[i], body.type, body.numbers);
  }
  add(hash, mechanism.constraints.size());
  for (std::size_t i = 0; i < mechanism.constraints.size(); ++i) {
    const maximal::ConstraintRecord& own = mechanism.constraints[i];
    add(hash, mechanism.constraint_names[i], own.type, own.a, own.b, own.numbers);
    if (is_coupling(own)) add(hash, own.joins, own.turn_parts);
    if (yields(own)) add(hash, own.stiffness, own.damping, own.armature);
    if (own.standing != constraint::Standing::kOrdered) {
      add(hash, static_cast<int>(own.standing));
    }
  }
  add(hash, mechanism.x0, mechanism.v0, mechanism.forces, mechanism.gravity);
  if (has_contacts(mechanism)) add_contacts(mechanism, hash);
  return hash.value();
}

}  // namespace lockstep::host
