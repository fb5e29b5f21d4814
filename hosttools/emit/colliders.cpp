#include "emit/colliders.hpp"

#include <cctype>

#include "emit/cpp_struct.hpp"

namespace lockstep::host {

namespace {

std::string points(const Tree& tree) {
  std::vector<Item> items;
  for (std::size_t i = 0; i < tree.colliders.size(); ++i) {
    const contact::ColliderRecord& collider = tree.colliders[i];
    for (int k = 0; k < collider.count; ++k) {
      const auto& p = tree.collider_points[static_cast<std::size_t>(collider.first + k)];
      items.push_back({commented(tree.collider_names[i]) + " " + std::to_string(k),
                       "{" + write_numbers(p, kItemIndent + 1) + "}"});
    }
  }
  return array("std::array<double, 3>", "kColliderPoints", items);
}

std::string pairs(const Tree& tree) {
  std::vector<Item> items;
  for (const contact::ColliderPair& pair : tree.collider_pairs) {
    const auto name = [&](int i) {
      return commented(tree.collider_names[static_cast<std::size_t>(i)]);
    };
    items.push_back({name(pair.a) + " and " + name(pair.b),
                     "{" + std::to_string(pair.a) + ", " + std::to_string(pair.b) + "}"});
  }
  return array("lockstep::contact::ColliderPair", "kColliderPairs", items);
}

}  // namespace

std::string write_collider(const contact::ColliderRecord& collider) {
  const contact::ColliderRecord standard;
  Fields fields;
  fields.add("body", write_holder(collider.body));
  std::string type = shape_name(collider.type);
  type.front() = static_cast<char>(std::toupper(type.front()));
  fields.add("type", "lockstep::contact::ShapeType::k" + type);
  fields.add("half", collider.half, standard.half);
  fields.add("radius", collider.radius, standard.radius);
  fields.add("R_BS", collider.R_BS, standard.R_BS);
  fields.add("p_BS", collider.p_BS, standard.p_BS);
  if (collider.count > 0) {
    fields.add("first", std::to_string(collider.first));
    fields.add("count", std::to_string(collider.count));
  }
  fields.add("friction", collider.friction, standard.friction);
  fields.add("restitution", collider.restitution, standard.restitution);
  return fields.a_line_each();
}

const char* shape_name(contact::ShapeType type) {
  constexpr std::array<const char*, contact::kShapeTypes> kNames = {"sphere", "capsule", "box",
                                                                    "cylinder", "points"};
  return kNames[static_cast<std::size_t>(type)];
}

std::string emit_colliders(const Tree& tree) {
  std::vector<Item> items;
  for (std::size_t i = 0; i < tree.colliders.size(); ++i) {
    items.push_back({std::to_string(i) + ": " + commented(tree.collider_names[i]) + ", " +
                         shape_name(tree.colliders[i].type),
                     write_collider(tree.colliders[i])});
  }
  return array("lockstep::contact::ColliderRecord", "kColliders", items) +
         names("kColliderNames", tree.collider_names) + points(tree) + pairs(tree);
}

}  // namespace lockstep::host
