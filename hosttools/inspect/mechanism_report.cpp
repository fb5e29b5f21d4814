#include "inspect/mechanism_report.hpp"

#include <algorithm>
#include <cmath>

#include "emit/colliders.hpp"
#include "inspect/softness.hpp"
#include "mechanism/content_hash.hpp"
#include "mechanism/elimination.hpp"
#include "mechanism/parts.hpp"
#include "mechanism/summary.hpp"
#include "model/content_hash.hpp"
#include "text/finding.hpp"
#include "text/number.hpp"

namespace lockstep::host {

namespace {


std::string holder(const Mechanism& mechanism, int body) {
  return body == kWorld ? "the world" : quote(mechanism.body_names[maximal::at(body)]);
}

// Columns side by side, each as wide as its widest cell.
std::string table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += "  " + row[i] + std::string(widths[i] - row[i].size(), ' ');
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

}  // namespace

std::string to_text(const Mechanism& mechanism) {
  std::vector<std::vector<std::string>> shapes, bounds;
  const MechanismCounts counts = count(mechanism);
  const Elimination order = elimination(mechanism);
  const Split parts = split(mechanism);
  std::vector<std::vector<std::string>> bodies, constraints, part_rows;
  for (std::size_t i = 0; i < parts.colour_of.size(); ++i) {
    const auto own = std::ranges::count(parts.part_of, static_cast<int>(i));
    part_rows.push_back({std::to_string(i), "colour " + std::to_string(parts.colour_of[i]),
                         std::to_string(own) + (own == 1 ? " constraint" : " constraints"),
                         std::to_string(parts.unknowns[i]) + " unknowns"});
  }
  for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) {
    const maximal::BodyRecord& body = mechanism.bodies[i];
    bodies.push_back({std::to_string(i), quote(mechanism.body_names[i]), body_type_name(body.type),
                      write_number(body.numbers[0]) + " kg",
                      std::to_string(velocity_size(body)) + " velocities"});
  }
  for (std::size_t i = 0; i < mechanism.constraints.size(); ++i) {
    const maximal::ConstraintRecord& constraint = mechanism.constraints[i];
    const std::size_t rows = row_count(constraint);
    constraints.push_back(
        {std::to_string(i), quote(mechanism.constraint_names[i]),
         constraint_type_name(constraint.type), holder(mechanism, constraint.a),
         holder(mechanism, constraint.b),
         constraint.joins ? "in that row" : std::to_string(rows) + (rows == 1 ? " row" : " rows"),
         parts.part_of[i] == kNone ? "no part" : "part " + std::to_string(parts.part_of[i]),
         order.auxiliary[i] ? "auxiliary" : "", softness(constraint)});
  }
  for (std::size_t i = 0; i < mechanism.colliders.size(); ++i) {
    const contact::ColliderRecord& shape = mechanism.colliders[i];
    shapes.push_back({std::to_string(i), holder(mechanism, shape.body), shape_name(shape.type),
                      "friction " + write_number(shape.friction),
                      "restitution " + write_number(shape.restitution)});
  }
  for (std::size_t i = 0; i < mechanism.bounds.size(); ++i) {
    const maximal::JointBound<double>& bound = mechanism.bounds[i];
    const auto limit = [](double value) {
      return std::isfinite(value) ? write_number(value) : std::string("none");
    };
    bounds.push_back({std::to_string(i), quote(mechanism.bound_names[i]),
                      "from " + limit(bound.limits.lower), "to " + limit(bound.limits.upper),
                      "dry friction " + write_number(bound.limits.friction)});
  }
  std::vector<std::vector<std::string>> numbers = {
      {std::to_string(counts.coordinates), "of poses"},
      {std::to_string(counts.velocities), "velocities"},
      {std::to_string(counts.multipliers), "multipliers"},
      {std::to_string(order.auxiliary_rows),
       "of them auxiliary: of loops, of couplings, or of chains held twice"},
      {std::to_string(counts.yielding), "of them of rows that yield"},
      {std::to_string(counts.degrees_of_freedom), "degrees of freedom at the initial poses"},
      {std::to_string(parts.loops), "independent loops, where the world is a body"},
      {std::to_string(parts.colours()), "colours of acyclic parts"},
      {std::to_string(counts.components), "trees, where the world ties nothing together"}};
  if (counts.yielding == 0) numbers.erase(numbers.begin() + 4);
  if (!shapes.empty()) {
    const int most = contact::most_contacts(mechanism.colliders, mechanism.collider_pairs);
    numbers.push_back({std::to_string(most), "contacts at once, at most"});
  }
  std::string forward;
  for (const std::string& node : order.forward) forward += "  " + node + "\n";
  return quote(mechanism.name) + ": " + summary(mechanism) + ", hash " +
         hash_text(content_hash(mechanism)) + "\n\nBodies\n" + table(bodies) + "\nConstraints\n" +
         table(constraints) + (shapes.empty() ? "" : "\nShapes\n" + table(shapes)) +
         (bounds.empty() ? "" : "\nBounds\n" + table(bounds)) + "\nForward\n" + forward +
         "\nParts\n" + table(part_rows) + "\nNumbers\n" + table(numbers);
}

Json to_json(const Mechanism& mechanism) {
  const MechanismCounts counts = count(mechanism);
  const Elimination order = elimination(mechanism);
  const Split parts = split(mechanism);
  Json bodies = Json::array(), constraints = Json::array();
  Json shapes = Json::array(), bounds = Json::array();
  for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) {
    const maximal::BodyRecord& body = mechanism.bodies[i];
    bodies.push_back({{"index", i},
                      {"name", mechanism.body_names[i]},
                      {"type", body_type_name(body.type)},
                      {"mass", body.numbers[0]},
                      {"velocities", velocity_size(body)}});
  }
  for (std::size_t i = 0; i < mechanism.constraints.size(); ++i) {
    const maximal::ConstraintRecord& constraint = mechanism.constraints[i];
    constraints.push_back({{"index", i},
                           {"name", mechanism.constraint_names[i]},
                           {"type", constraint_type_name(constraint.type)},
                           {"a", constraint.a},
                           {"b", constraint.b},
                           {"multipliers", row_count(constraint)},
                           {"auxiliary", static_cast<bool>(order.auxiliary[i])},
                           {"part", parts.part_of[i]}});
    add_softness(constraint, constraints.back());
  }
  for (const contact::ColliderRecord& shape : mechanism.colliders) {
    shapes.push_back({{"body", shape.body},
                      {"type", shape_name(shape.type)},
                      {"friction", shape.friction},
                      {"restitution", shape.restitution}});
  }
  for (std::size_t i = 0; i < mechanism.bounds.size(); ++i) {
    const maximal::JointBound<double>& bound = mechanism.bounds[i];
    Json json = {{"constraint", mechanism.bound_names[i]}, {"friction", bound.limits.friction}};
    if (std::isfinite(bound.limits.lower)) json["lower"] = bound.limits.lower;
    if (std::isfinite(bound.limits.upper)) json["upper"] = bound.limits.upper;
    bounds.push_back(json);
  }
  return {{"name", mechanism.name},
          {"hash", hash_text(content_hash(mechanism))},
          {"coordinates", counts.coordinates},
          {"velocities", counts.velocities},
          {"degrees_of_freedom", counts.degrees_of_freedom},
          {"multipliers", counts.multipliers},
          {"auxiliary_multipliers", order.auxiliary_rows},
          {"components", counts.components},
          {"loops", parts.loops},
          {"parts", {{"colours", parts.colour_of}, {"unknowns", parts.unknowns}}},
          {"bodies", bodies},
          {"constraints", constraints},
          {"shapes", shapes},
          {"bounds", bounds},
          {"most_contacts", contact::most_contacts(mechanism.colliders, mechanism.collider_pairs)},
          {"forward", order.forward}};
}

}  // namespace lockstep::host
