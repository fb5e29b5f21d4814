#include "mechanism/emit.hpp"

#include <limits>

#include "emit/colliders.hpp"
#include "emit/cpp_struct.hpp"
#include "mechanism/content_hash.hpp"
#include "mechanism/parts.hpp"
#include "mechanism/summary.hpp"
#include "model/content_hash.hpp"

namespace lockstep::host {

namespace {

template <class Number>
std::vector<std::string> texts(std::span<const Number> values) {
  std::vector<std::string> items;
  for (const Number value : values) {
    items.push_back(std::is_same_v<Number, int> ? std::to_string(value) : number(value));
  }
  return items;
}

// Only the numbers that the type has; the rest of a record is zero.
std::string record_numbers(std::span<const double> values, std::size_t count) {
  return braced(texts(values.first(count)), kItemIndent + 12);
}

std::string write(const maximal::BodyRecord& body) {
  std::size_t count = 0;
  visit_body(body, [&]<class B>(const B&, std::size_t, std::size_t) {
    count = at(maximal::number_count<B>());
  });
  Fields fields;
  fields.add("type", std::to_string(body.type));
  fields.add("numbers", record_numbers(body.numbers, count));
  return fields.a_line_each();
}

std::string write(const maximal::ConstraintRecord& constraint) {
  std::size_t count = 0;
  visit_constraint(constraint, [&]<class C>(const C&) { count = at(maximal::number_count<C>()); });
  Fields fields;
  fields.add("type", std::to_string(constraint.type));
  fields.add("a", write_holder(constraint.a));
  fields.add("b", write_holder(constraint.b));
  fields.add("numbers", record_numbers(constraint.numbers, count));
  if (constraint.joins) fields.add("joins", "true");
  if (constraint.turn_parts != 0) fields.add("turn_parts", std::to_string(constraint.turn_parts));
  fields.add("stiffness", constraint.stiffness, 0);
  fields.add("damping", constraint.damping, 0);
  fields.add("armature", constraint.armature, 0);
  constexpr const char* kStandings[] = {"kOrdered", "kRoot", "kAuxiliary"};
  if (constraint.standing != maximal::Standing::kOrdered) {
    fields.add("standing", std::string("lockstep::maximal::Standing::") +
                               kStandings[static_cast<std::size_t>(constraint.standing)]);
  }
  return fields.a_line_each();
}

// A row of the text for each axis and the origin.
std::string write(const Placement<double>& X) {
  constexpr std::size_t kIndent = kItemIndent + 8;
  const auto vec = [](const Vec3<double>& v) {
    return braced_line({number(v.x), number(v.y), number(v.z)});
  };
  return braced_rows({braced_rows({vec(X.R.x), vec(X.R.y), vec(X.R.z)}, kIndent + 1, 1), vec(X.p)},
                     kIndent, 1);
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr const char* kCoordinateNames[] = {"kAngle", "kAlong", "kDistance"};

std::string write(const maximal::JointBound<double>& bound) {
  Fields fields;
  fields.add("a", write_holder(bound.a));
  fields.add("b", write_holder(bound.b));
  fields.add("coordinate", std::string("lockstep::maximal::Coordinate::") +
                               kCoordinateNames[static_cast<std::size_t>(bound.coordinate)]);
  fields.add("X_A", write(bound.X_A));
  fields.add("X_B", write(bound.X_B));
  Fields limits;
  limits.add("lower", bound.limits.lower, -kInfinity);
  limits.add("upper", bound.limits.upper, kInfinity);
  limits.add("friction", bound.limits.friction, 0);
  fields.add("limits", limits.on_one_line());
  fields.add("restitution", bound.restitution, 0);
  fields.add("rate", bound.rate, 0);
  return fields.a_line_each();
}

std::string write(const contact::ColliderRecord& collider) { return write_collider(collider); }

// Records, each under its number and what `about(record, number)` says.
template <class Record, class About>
std::string numbered(const std::string& type, const char* name, const std::vector<Record>& records,
                     About&& about) {
  std::vector<Item> items;
  for (std::size_t i = 0; i < records.size(); ++i) {
    items.push_back({std::to_string(i) + ": " + about(records[i], i), write(records[i])});
  }
  return array("lockstep::" + type, name, items);
}

std::string bodies(const Mechanism& mechanism) {
  const auto about = [&](const maximal::BodyRecord& body, std::size_t i) {
    return commented(mechanism.body_names[i]) + ", " + body_type_name(body.type);
  };
  return numbered("maximal::BodyRecord", "kBodies", mechanism.bodies, about);
}

std::string constraints(const Mechanism& mechanism) {
  const auto about = [&](const maximal::ConstraintRecord& constraint, std::size_t i) {
    return commented(mechanism.constraint_names[i]) + ", " + constraint_type_name(constraint.type);
  };
  return numbered("maximal::ConstraintRecord", "kConstraints", mechanism.constraints, about);
}

std::string colliders(const Mechanism& mechanism) {
  const auto about = [&](const contact::ColliderRecord& collider, std::size_t) {
    return "on " + commented(mechanism.body_names[at(collider.body)]);
  };
  return numbered("contact::ColliderRecord", "kColliders", mechanism.colliders, about);
}

std::string bounds(const Mechanism& mechanism) {
  const auto about = [&](const maximal::JointBound<double>&, std::size_t i) {
    return "of " + commented(mechanism.bound_names[i]);
  };
  return numbered("maximal::JointBound<double>", "kJointBounds", mechanism.bounds, about);
}

// Only of mechanisms that touch or have bounds.
std::string contacts(const Mechanism& mechanism) {
  std::vector<std::string> pairs;
  for (const contact::ColliderPair& pair : mechanism.collider_pairs) {
    pairs.push_back("{" + std::to_string(pair.a) + ", " + std::to_string(pair.b) + "}");
  }
  if (!pairs.empty()) pairs.front() = "{" + pairs.front(), pairs.back() += "}";
  const maximal::GroundRecord& ground = mechanism.ground;
  Fields fields;
  fields.add("normal", ground.normal, maximal::GroundRecord().normal);
  fields.add("offset", ground.offset, 0);
  fields.add("friction", ground.friction, 0);
  fields.add("restitution", ground.restitution, 0);
  return "\n  // What can touch, and where joints are bounded: "
         "lockstep/maximal/model_contacts.hpp.\n" +
         colliders(mechanism) +
         plain_array("lockstep::contact::ColliderPair", "kColliderPairs", pairs) +
         "  static constexpr lockstep::maximal::GroundRecord kGround = " + fields.on_one_line() +
         ";\n" + bounds(mechanism);
}

}  // namespace

std::string emit_mechanism(const Mechanism& mechanism, const EmitMechanismOptions& options) {
  const auto numbers = [](const char* name, std::span<const double> values) {
    return plain_array("double", name, texts(values));
  };
  std::string text =
      "// " + commented(mechanism.name) + ", from " + commented(options.source) + ".\n";
  text += "// " + summary(mechanism) + ".\n// Emitted by lockstep compile; do not edit.\n";
  text += kHeaderOpening;
  text += "#include \"lockstep/maximal/catalogue.hpp\"\n";
  if (has_contacts(mechanism)) text += "#include \"lockstep/maximal/model_contacts.hpp\"\n";
  text += "\n";
  text += "struct " + options.struct_name + " {\n";
  text += "  template <class T>\n  using Types = lockstep::maximal::StandardTypes<T>;\n\n";
  text += "  static constexpr std::string_view kName = " + cpp_quoted(mechanism.name) + ";\n";
  text +=
      "  static constexpr std::uint64_t kHash = " + hash_text(content_hash(mechanism)) + "u;\n\n";
  text += bodies(mechanism) + names("kBodyNames", mechanism.body_names) + "\n";
  text += constraints(mechanism) + names("kConstraintNames", mechanism.constraint_names);
  const Split parts = split(mechanism);
  text += "\n  // Acyclic parts, for hosttools/methods/part_stepper.hpp.\n";
  text += plain_array("int", "kPartOfConstraint", texts<int>(parts.part_of)) +
          plain_array("int", "kColourOfPart", texts<int>(parts.colour_of));
  text += "\n  // The start, body after body: poses, velocities, constant forces. World axes.\n";
  text += numbers("kInitialPoses", mechanism.x0) + numbers("kInitialVelocities", mechanism.v0);
  text += numbers("kForces", mechanism.forces) + numbers("kGravity", mechanism.gravity);
  if (has_contacts(mechanism)) text += contacts(mechanism);
  return text + "};\n" + kHeaderClosing;
}

}  // namespace lockstep::host
