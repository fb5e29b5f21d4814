// What can touch has a shape and a material, and joints have bounds where they have a coordinate.
#include <cmath>

#include "lockstep/contact/contact_rows.hpp"
#include "lockstep/contact/detect.hpp"
#include "mechanism/rules.hpp"
#include "mechanism/state.hpp"
#include "text/number.hpp"

namespace lockstep::host {

namespace {

using maximal::BodyType;

// m, rad: a start deeper than this is told.
constexpr double kDeep = 1e-3;

void check_material(int line, const std::string& label, const DraftMaterial& material,
                    Findings& findings) {
  if (!(material.friction >= 0)) {
    findings.error(line, "negative-friction", label + ": the friction is negative",
                   "give a coefficient of zero or more");
  }
  if (!(material.restitution >= 0 && material.restitution <= 1)) {
    findings.error(line, "restitution", label + ": the restitution is not between 0 and 1",
                   "0 does not bounce, 1 comes back as fast");
  }
}

void check_shape(const DraftBody& body, const DraftBodyShape& shape, Findings& findings) {
  const std::string label = body.label() + ": collision";
  check_material(shape.line, label, shape.material, findings);
  if (!shape.type) {
    findings.error(shape.line, "no-shape", label + ": <geometry> has no shape",
                   "give a <sphere>, <box>, <capsule>, <cylinder> or <point>");
    return;
  }
  using contact::ShapeType;
  const bool long_one = *shape.type == ShapeType::kCapsule || *shape.type == ShapeType::kCylinder;
  bool sized = shape.is_point || *shape.type == ShapeType::kBox || shape.radius > 0;
  if (long_one) sized = sized && shape.half[2] > 0;
  if (*shape.type == ShapeType::kBox) {
    for (const double half : shape.half) sized = sized && half > 0;
  }
  if (!sized) {
    findings.error(shape.line, "not-positive", label + ": a size is not positive",
                   "give lengths in m");
  }
  if (body.type == BodyType::kScaling || body.type == BodyType::kStretching) {
    findings.error(shape.line, "out-of-reach", label + ": shapes do not grow with their body",
                   "make the body rigid, or leave the shape out");
  }
}

void check_bound(const DraftConstraint& constraint, Findings& findings) {
  const DraftBound& bound = *constraint.bound;
  const auto error = [&](const char* rule, const std::string& what, const char* remedy) {
    findings.error(bound.line, rule, constraint.label() + ": " + what, remedy);
  };
  if (constraint.type && !free_coordinate(constraint.type->type)) {
    error("no-coordinate",
          "a " + std::string(constraint.type->name) + " has no coordinate to bound",
          "remove <limit> and <dynamics>; revolute, pin, prismatic and flat_slider have one");
  }
  if (bound.lower && bound.upper && *bound.lower > *bound.upper) {
    error("limits", "lower is above upper", "exchange them");
  }
  if (!(bound.friction >= 0)) {
    error("negative-friction", "the friction is negative", "give N or N m, zero or more");
  }
  check_material(bound.line, constraint.label(), {.restitution = bound.restitution}, findings);
}

}  // namespace

void check_contact(const DraftMechanism& draft, Findings& findings) {
  if (draft.ground) {
    check_material(draft.ground->line, "ground", draft.ground->material, findings);
    if (draft.ground->normal == Triple{}) {
      findings.error(draft.ground->line, "zero-axis", "ground: the normal has zero length",
                     "give a non-zero normal=\"x y z\"");
    }
  }
  std::size_t shapes = 0;
  for (const DraftBody& body : draft.bodies) {
    for (const DraftBodyShape& shape : body.collisions) check_shape(body, shape, findings);
    shapes += body.collisions.empty() ? 0 : 1;
  }
  if (draft.ground && shapes == 0) {
    findings.warning(draft.ground->line, "nothing-touches", "ground: no body has a <collision>",
                     "give shapes to the bodies that shall touch it");
  }
  if (!draft.ground && shapes == 1) {
    findings.warning(0, "nothing-touches", "one body has a <collision>, and there is no ground",
                     "add a <ground>, or a shape to another body");
  }
  for (const DraftConstraint& constraint : draft.constraints) {
    if (constraint.bound) check_bound(constraint, findings);
  }
}

void check_contact_start(const DraftMechanism& draft, const Mechanism& mechanism,
                         Findings& findings) {
  const Offsets offsets(mechanism);
  std::vector<contact::Collider<double>> colliders;
  for (const auto& record : mechanism.colliders) {
    colliders.push_back(contact::to_collider<double>(record, {}));
  }
  std::vector<Placement<double>> poses;
  for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) {
    const auto own = contact::touching<double>({}).X_A;
    const auto frame = hold(mechanism, offsets, static_cast<int>(i), own).frame;
    poses.push_back({frame.R, frame.p});
  }
  contact::ContactList<double, 64> list;
  const Status status =
      contact::detect<double>(colliders, mechanism.collider_pairs, poses,
                              maximal::to_ground<double>(mechanism.ground), -kDeep, list);
  if (status != Status::kOk) return;
  for (const contact::Contact<double>& contact : list.span()) {
    const auto label = [&](int body) { return draft.bodies[at(body)].label(); };
    const std::string where = contact.b == kWorld ? "the ground" : label(contact.b);
    findings.warning(
        draft.bodies[at(contact.a)].line, "starts-inside",
        label(contact.a) + ": begins " + write_number(-contact.distance) + " m deep in " + where,
        "move it out; it would come out at once");
  }
  for (const DraftConstraint& constraint : draft.constraints) {
    // given in one place, the coordinate begins at zero
    const bool together =
        constraint.at || constraint.a.origin.has_value() != constraint.b.origin.has_value();
    if (!constraint.bound || !together) continue;
    const DraftBound& bound = *constraint.bound;
    if ((bound.lower && *bound.lower > kDeep) || (bound.upper && *bound.upper < -kDeep)) {
      findings.warning(bound.line, "starts-beyond",
                       constraint.label() + ": begins at zero, beyond its limits",
                       "widen them, or start elsewhere by giving both frames");
    }
  }
}

}  // namespace lockstep::host
