// A mechanism in maximal coordinates: bodies and constraints as records of the core's catalogue
// (lockstep/maximal/catalogue.hpp), and the state it starts from. SI units, radians, world axes.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "lockstep/constraint/any_constraint.hpp"
#include "lockstep/maximal/catalogue.hpp"
#include "lockstep/maximal/model_contacts.hpp"

namespace lockstep::host {

struct Mechanism {
  std::string name;
  std::vector<maximal::BodyRecord> bodies;
  std::vector<std::string> body_names;
  std::vector<maximal::ConstraintRecord> constraints;
  std::vector<std::string> constraint_names;
  // what can touch, and where joints are bounded
  std::vector<contact::ColliderRecord> colliders;
  std::vector<contact::ColliderPair> collider_pairs;
  maximal::GroundRecord ground = maximal::kNoGround;
  std::vector<maximal::JointBound<double>> bounds;
  std::vector<std::string> bound_names;  // of their constraints
  // body after body
  std::vector<double> x0;      // the members of each type's Pose, in order
  std::vector<double> v0;      // velocities
  std::vector<double> forces;  // constant ones, like v0; weight is not among them
  std::array<double, 3> gravity = {0, 0, -9.81};
};

inline bool has_contacts(const Mechanism& mechanism) {
  return !mechanism.colliders.empty() || !mechanism.bounds.empty();
}

using HostTypes = maximal::StandardTypes<double>;

// f(body, size of its pose, of its velocity) with the record's own type.
template <class F>
void visit_body(const maximal::BodyRecord& record, F&& f) {
  maximal::visit_type(HostTypes::Bodies{}, record.type, [&]<class B>() {
    f(maximal::from_numbers<B>(record.numbers), sizeof(typename B::Pose) / sizeof(double),
      at(B::kDimension));
  });
}

// f(constraint), a Between.
template <class F>
void visit_constraint(const maximal::ConstraintRecord& record, F&& f) {
  maximal::visit_type(HostTypes::Constraints{}, record.type,
                      [&]<class C>() { f(maximal::from_numbers<C>(record.numbers)); });
}

inline std::size_t pose_size(const maximal::BodyRecord& record) {
  std::size_t size = 0;
  visit_body(record, [&](const auto&, std::size_t pose, std::size_t) { size = pose; });
  return size;
}

inline std::size_t velocity_size(const maximal::BodyRecord& record) {
  std::size_t size = 0;
  visit_body(record, [&](const auto&, std::size_t, std::size_t velocity) { size = velocity; });
  return size;
}

// Of its own: one that joins another has none.
inline std::size_t row_count(const maximal::ConstraintRecord& record) {
  return record.joins ? 0 : at(constraint::AnyConstraint<double>(record).dimension());
}

}  // namespace lockstep::host
