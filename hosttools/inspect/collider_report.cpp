#include "inspect/collider_report.hpp"

#include "emit/colliders.hpp"
#include "text/finding.hpp"
#include "text/number.hpp"

namespace lockstep::host {

namespace {

using contact::ColliderPair;
using contact::ColliderRecord;
using contact::ShapeType;
using Json = nlohmann::ordered_json;

std::string name(const Tree& tree, int collider) {
  return quote(tree.collider_names[static_cast<std::size_t>(collider)]);
}

std::string size(const ColliderRecord& collider) {
  const auto length = [](double half) { return brief(2 * half); };
  const std::string radius = "radius " + brief(collider.radius) + " m";
  switch (collider.type) {
    case ShapeType::kSphere: return radius;
    case ShapeType::kCapsule:
    case ShapeType::kCylinder: return radius + ", length " + length(collider.half[2]) + " m";
    case ShapeType::kBox:
      return length(collider.half[0]) + " x " + length(collider.half[1]) + " x " +
             length(collider.half[2]) + " m";
    case ShapeType::kPoints: break;
  }
  return std::to_string(collider.count);
}

std::string holder(const Tree& tree, int body) {
  return body == kWorld ? "the world" : quote(tree.link_names[static_cast<std::size_t>(body)]);
}

}  // namespace

std::string colliders_text(const Tree& tree) {
  if (tree.colliders.empty()) return "";
  std::string text = "\nShapes, for " +
                     std::to_string(contact::most_contacts(tree.colliders, tree.collider_pairs)) +
                     " contacts at most, " + std::to_string(tree.collider_pairs.size()) +
                     " pairs that may meet\n";
  for (std::size_t i = 0; i < tree.colliders.size(); ++i) {
    const ColliderRecord& collider = tree.colliders[i];
    text += "  " + quote(tree.collider_names[i]) + ": " + shape_name(collider.type) + " on " +
            holder(tree, collider.body) + ", " + size(collider) + ", friction " +
            brief(collider.friction);
    if (collider.restitution > 0) text += ", restitution " + brief(collider.restitution);
    text += "\n";
  }
  int last = kNone;
  for (const ColliderPair& pair : tree.collider_pairs) {
    if (pair.a == last) {
      text += ", ";
    } else {
      text += (last == kNone ? "  " : "\n  ") + name(tree, pair.a) + " may meet ";
    }
    text += name(tree, pair.b);
    last = pair.a;
  }
  return last == kNone ? text : text + "\n";
}

Json colliders_json(const Tree& tree) {
  Json shapes = Json::array(), pairs = Json::array();
  for (std::size_t i = 0; i < tree.colliders.size(); ++i) {
    const ColliderRecord& collider = tree.colliders[i];
    Json shape = {{"name", tree.collider_names[i]},    {"body", collider.body},
                  {"type", shape_name(collider.type)}, {"half", collider.half},
                  {"radius", collider.radius},         {"position", collider.p_BS},
                  {"friction", collider.friction},     {"restitution", collider.restitution}};
    Json points = Json::array();
    for (int k = collider.first; k < collider.first + collider.count; ++k) {
      points.push_back(tree.collider_points[static_cast<std::size_t>(k)]);
    }
    if (!points.empty()) shape["points"] = points;
    shapes.push_back(shape);
  }
  for (const ColliderPair& pair : tree.collider_pairs) {
    pairs.push_back(Json::array({pair.a, pair.b}));
  }
  return {{"shapes", shapes},
          {"pairs", pairs},
          {"most_contacts", contact::most_contacts(tree.colliders, tree.collider_pairs)}};
}

}  // namespace lockstep::host
