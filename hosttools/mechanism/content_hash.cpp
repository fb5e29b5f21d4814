#include "mechanism/content_hash.hpp"

#include <string_view>

#include "lockstep/hash.hpp"

namespace lockstep::host {

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
  }
  hash.add_all(mechanism.x0);
  hash.add_all(mechanism.v0);
  hash.add_all(mechanism.forces);
  hash.add_all(mechanism.gravity);
  // only where there are any: what cannot touch keeps its hash
  for (const contact::Collider<double>& collider : mechanism.colliders) {
    hash.add(collider.body);
    hash.add_all(std::array{collider.shape.radius, collider.material.friction,
                            collider.material.restitution});
  }
  if (mechanism.ground) {
    const contact::Plane<double>& ground = *mechanism.ground;
    hash.add_all(std::array{ground.normal.x, ground.normal.y, ground.normal.z, ground.offset,
                            ground.material.friction, ground.material.restitution});
  }
  return hash.value();
}

}  // namespace lockstep::host
