#include "mechanism/content_hash.hpp"

#include <initializer_list>
#include <string_view>

#include "lockstep/hash.hpp"
#include "mechanism/coupling.hpp"

namespace lockstep::host {

namespace {

// Without shapes and bounds nothing is added.
void add_contacts(const Mechanism& mechanism, Hash& hash) {
  const auto add_all = [&](std::initializer_list<double> numbers) { hash.add_all(numbers); };
  hash.add(static_cast<std::uint32_t>(mechanism.colliders.size()));
  for (const contact::ColliderRecord& collider : mechanism.colliders) {
    hash.add(collider.body);
    hash.add(static_cast<std::uint8_t>(collider.type));
    hash.add_all(collider.half), hash.add_all(collider.R_BS), hash.add_all(collider.p_BS);
    add_all({collider.radius, collider.friction, collider.restitution});
  }
  hash.add(static_cast<std::uint32_t>(mechanism.collider_pairs.size()));
  for (const contact::ColliderPair& pair : mechanism.collider_pairs) {
    hash.add(pair.a), hash.add(pair.b);
  }
  const maximal::GroundRecord& ground = mechanism.ground;
  hash.add_all(ground.normal);
  add_all({ground.offset, ground.friction, ground.restitution});
  hash.add(static_cast<std::uint32_t>(mechanism.bounds.size()));
  for (const maximal::JointBoundRecord& bound : mechanism.bounds) {
    hash.add(bound.a), hash.add(bound.b);
    hash.add(static_cast<std::uint8_t>(bound.coordinate));
    hash.add_all(bound.X_A), hash.add_all(bound.X_B);
    add_all({bound.lower, bound.upper, bound.restitution, bound.force, bound.rate});
  }
}

}  // namespace

std::uint64_t content_hash(const Mechanism& mechanism) {
  Hash hash;
  hash.add(std::string_view(mechanism.name));
  hash.add(static_cast<std::uint32_t>(mechanism.bodies.size()));
  for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) {
    hash.add(std::string_view(mechanism.body_names[i]));
    hash.add(mechanism.bodies[i].type);
    hash.add_all(mechanism.bodies[i].numbers);
  }
  hash.add(static_cast<std::uint32_t>(mechanism.constraints.size()));
  for (std::size_t i = 0; i < mechanism.constraints.size(); ++i) {
    const maximal::ConstraintRecord& constraint = mechanism.constraints[i];
    hash.add(std::string_view(mechanism.constraint_names[i]));
    hash.add(constraint.type);
    hash.add(constraint.a);
    hash.add(constraint.b);
    hash.add_all(constraint.numbers);
    if (!is_coupling(constraint)) continue;
    hash.add(static_cast<std::uint8_t>(constraint.joins));
    hash.add(constraint.turn_parts);
  }
  hash.add_all(mechanism.x0);
  hash.add_all(mechanism.v0);
  hash.add_all(mechanism.forces);
  hash.add_all(mechanism.gravity);
  if (has_contacts(mechanism)) add_contacts(mechanism, hash);
  return hash.value();
}

}  // namespace lockstep::host
