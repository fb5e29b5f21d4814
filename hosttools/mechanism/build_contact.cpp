#include "mechanism/build_contact.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "urdf/placement.hpp"
#include "urdf/rotation.hpp"

namespace lockstep::host {

namespace {

std::array<double, 12> numbers_of(const Placement<double>& X) {
  auto numbers = std::bit_cast<std::array<double, 12>>(X);
  add_zero(numbers);
  return numbers;
}

}  // namespace

void add_shapes(const DraftBody& body, int index, Mechanism& mechanism) {
  for (const DraftBodyShape& shape : body.collisions) {
    mechanism.colliders.push_back({.body = index,
                                   .type = *shape.type,
                                   .half = shape.half,
                                   .radius = shape.radius,
                                   .R_BS = to_rows(to_mat(rotation_from_rpy(shape.origin.rpy))),
                                   .p_BS = to_array(to_vec(shape.origin.xyz)),
                                   .friction = shape.material.friction,
                                   .restitution = shape.material.restitution});
  }
}

void add_pairs(Mechanism& mechanism) {
  std::set<std::pair<int, int>> tied;
  for (const auto& record : mechanism.constraints) tied.insert(std::minmax(record.a, record.b));
  const auto is_particle = [&](int body) {
    return body != kWorld && mechanism.bodies[maximal::at(body)].type ==
                                 static_cast<int>(maximal::BodyType::kParticle);
  };
  const auto count = static_cast<int>(mechanism.colliders.size());
  for (int i = 0; i < count; ++i) {
    for (int j = i + 1; j < count; ++j) {
      const auto &a = mechanism.colliders[maximal::at(i)], &b = mechanism.colliders[maximal::at(j)];
      const bool meet = contact::meets_others(a.type) && contact::meets_others(b.type);
      if (!meet || a.body == b.body || tied.contains(std::minmax(a.body, b.body))) continue;
      // cloths would have pairs without number
      if (is_particle(a.body) && is_particle(b.body)) continue;
      mechanism.collider_pairs.push_back({i, j});
    }
  }
}

maximal::GroundRecord to_ground(const DraftGround& ground) {
  const auto& [x, y, z] = ground.normal;
  const double length = std::sqrt(x * x + y * y + z * z);
  maximal::GroundRecord record = {.normal = {x / length, y / length, z / length},
                                  .offset = ground.offset,
                                  .friction = ground.material.friction,
                                  .restitution = ground.material.restitution};
  add_zero(record.normal);
  return record;
}

maximal::JointBoundRecord to_bound(const DraftConstraint& constraint, int a, int b,
                                   const Placement<double>& X_A, const Placement<double>& X_B) {
  maximal::JointBoundRecord bound = {.a = a,
                                     .b = b,
                                     .coordinate = *free_coordinate(constraint.type->type),
                                     .X_A = numbers_of(X_A),
                                     .X_B = numbers_of(X_B)};
  bound.lower = constraint.bound->lower.value_or(bound.lower);
  bound.upper = constraint.bound->upper.value_or(bound.upper);
  bound.restitution = constraint.bound->restitution;
  bound.force = constraint.bound->friction;
  return bound;
}

}  // namespace lockstep::host
