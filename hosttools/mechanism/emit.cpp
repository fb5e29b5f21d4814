#include "mechanism/emit.hpp"

#include <cmath>

#include "emit/colliders.hpp"
#include "emit/cpp_struct.hpp"
#include "mechanism/content_hash.hpp"
#include "mechanism/parts.hpp"
#include "mechanism/summary.hpp"
#include "model/content_hash.hpp"

namespace lockstep::host {

namespace {

std::vector<std::string> texts(std::span<const int> values) {
  std::vector<std::string> items;
  for (const int value : values) items.push_back(std::to_string(value));
  return items;
}

std::vector<std::string> texts(std::span<const double> values) {
  std::vector<std::string> items;
  for (const double value : values) items.push_back(number(value));
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
  return fields.a_line_each();
}

std::string bodies(const Mechanism& mechanism) {
  std::vector<Item> items;
  for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) {
    const maximal::BodyRecord& body = mechanism.bodies[i];
    items.push_back({std::to_string(i) + ": " + commented(mechanism.body_names[i]) + ", " +
                         body_type_name(body.type),
                     write(body)});
  }
  return array("lockstep::maximal::BodyRecord", "kBodies", items);
}

std::string constraints(const Mechanism& mechanism) {
  std::vector<Item> items;
  for (std::size_t i = 0; i < mechanism.constraints.size(); ++i) {
    const maximal::ConstraintRecord& constraint = mechanism.constraints[i];
    items.push_back({std::to_string(i) + ": " + commented(mechanism.constraint_names[i]) + ", " +
                         constraint_type_name(constraint.type),
                     write(constraint)});
  }
  return array("lockstep::maximal::ConstraintRecord", "kConstraints", items);
}

// Infinite: as if left out.
void add_bounded(Fields& fields, const char* name, double value) {
  if (std::isfinite(value)) fields.add(name, number(value));
}

constexpr const char* kCoordinateNames[] = {"kAngle", "kAlong", "kDistance"};

std::string colliders(const Mechanism& mechanism) {
  std::vector<Item> items;
  for (std::size_t i = 0; i < mechanism.colliders.size(); ++i) {
    const contact::ColliderRecord& own = mechanism.colliders[i];
    items.push_back({std::to_string(i) + ": on " + commented(mechanism.body_names[at(own.body)]),
                     write_collider(own)});
  }
  return array("lockstep::contact::ColliderRecord", "kColliders", items);
}

std::string bounds(const Mechanism& mechanism) {
  std::vector<Item> items;
  for (std::size_t i = 0; i < mechanism.bounds.size(); ++i) {
    const maximal::JointBoundRecord& own = mechanism.bounds[i];
    Fields fields;
    fields.add("a", write_holder(own.a));
    fields.add("b", write_holder(own.b));
    fields.add("coordinate", std::string("lockstep::maximal::Coordinate::") +
                                 kCoordinateNames[static_cast<std::size_t>(own.coordinate)]);
    fields.add("X_A", write_numbers(own.X_A, kItemIndent + 8));
    fields.add("X_B", write_numbers(own.X_B, kItemIndent + 8));
    add_bounded(fields, "lower", own.lower);
    add_bounded(fields, "upper", own.upper);
    fields.add("restitution", own.restitution, 0);
    fields.add("force", own.force, 0);
    fields.add("rate", own.rate, 0);
    items.push_back(
        {std::to_string(i) + ": of " + commented(mechanism.bound_names[i]), fields.a_line_each()});
  }
  return array("lockstep::maximal::JointBoundRecord", "kJointBounds", items);
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
  text += "#pragma once\n\n#include <array>\n#include <cstdint>\n#include <string_view>\n\n";
  text += "#include \"lockstep/maximal/catalogue.hpp\"\n";
  if (has_contacts(mechanism)) text += "#include \"lockstep/maximal/model_contacts.hpp\"\n";
  text += "\n";
  text += "struct " + options.struct_name + " {\n";
  text += "  template <class T>\n  using Types = lockstep::maximal::StandardTypes<T>;\n\n";
  text += "  static constexpr std::string_view kName = " + quoted(mechanism.name) + ";\n";
  text +=
      "  static constexpr std::uint64_t kHash = " + hash_text(content_hash(mechanism)) + "u;\n\n";
  text += bodies(mechanism) + names("kBodyNames", mechanism.body_names) + "\n";
  text += constraints(mechanism) + names("kConstraintNames", mechanism.constraint_names);
  const Split parts = split(mechanism);
  text += "\n  // Acyclic parts, for hosttools/methods/part_stepper.hpp.\n";
  text += plain_array("int", "kPartOfConstraint", texts(parts.part_of)) +
          plain_array("int", "kColourOfPart", texts(parts.colour_of));
  text += "\n  // The start, body after body: poses, velocities, constant forces. World axes.\n";
  text += numbers("kInitialPoses", mechanism.x0) + numbers("kInitialVelocities", mechanism.v0);
  text += numbers("kForces", mechanism.forces) + numbers("kGravity", mechanism.gravity);
  if (has_contacts(mechanism)) text += contacts(mechanism);
  return text + "};\n";
}

}  // namespace lockstep::host
