#include "hil/bounds.hpp"

#include <algorithm>

#include "emit/cpp_text.hpp"
#include "model/loop_rows.hpp"
#include "text/error.hpp"
#include "text/finding.hpp"

namespace lockstep::host::hil {

BoundWords usual_words() {
  BoundWords words;
  words.limits.clear();
  words.friction.clear();
  words.most_contacts = kUsualContacts;
  return words;
}

Bounds plant_bounds(const BoundWords& words, const std::string& file, const Tree& tree,
                    bool equipped) {
  BoundWords all = words;
  if (all.limits.empty()) all.limits = {"urdf"};
  if (all.friction.empty()) all.friction = "urdf";
  const Bounds bounds = make_bounds(all, file, tree);
  const bool asked =
      (!words.limits.empty() && (bounds.position || bounds.velocity)) || words.friction == "urdf";
  return is_closed(tree) || bounds.has_ground() || equipped || asked ? bounds : Bounds();
}

firmware::Bounds chip_bounds(const Bounds& all, const Tree& tree) {
  const Bounded bounded(tree, all);
  if (!bounded.any()) return {};
  firmware::Bounds bounds = {.position = all.position,
                             .velocity = all.velocity,
                             .friction = all.friction,
                             .solver = all.solver};
  if (!bounded.touching.empty()) {
    bounds.contacts =
        std::min(all.contacts, contact::most_contacts(tree.colliders, tree.collider_pairs));
  }
  int rows = row_count(tree) + contact::kRowsOfContact * bounds.contacts;
  for (const Body& body : tree.bodies) {
    if (dof_count(body.joint) != 1) continue;
    rows += firmware::most_rows(firmware::joint_bounds<double>(body, bounds));
  }
  if (rows > kHostRows) {
    throw Error("robot " + quote(tree.name) + ": a step may have " + std::to_string(rows) +
                " rows, and " + std::to_string(kHostRows) +
                " fit; give fewer --max-contacts, or --friction none");
  }
  if (bounds.contacts == 0 || !all.has_ground()) return bounds;
  bounds.ground = all.ground;
  bounds.height = all.height;
  bounds.field = all.field;
  bounds.ground_friction = all.ground_friction;
  bounds.ground_restitution = all.ground_restitution;
  bounds.ground_stiffness = all.ground_stiffness;
  bounds.ground_damping = all.ground_damping;
  return bounds;
}

std::string to_cpp(const firmware::Bounds& bounds) {
  if (bounds == firmware::Bounds()) return "";
  std::string text;
  const auto add = [&](const char* name, const std::string& value, const std::string& usual) {
    if (value != usual) text += (text.empty() ? "." : ", .") + std::string(name) + " = " + value;
  };
  const auto word = [](bool value) { return std::string(value ? "true" : "false"); };
  add("position", word(bounds.position), "false");
  add("velocity", word(bounds.velocity), "false");
  add("friction", word(bounds.friction), "false");
  const auto solver = [](RowSolver own) {
    return std::string("lockstep::RowSolver::") + (own == RowSolver::kNewton        ? "kNewton"
                                                   : own == RowSolver::kGaussSeidel ? "kGaussSeidel"
                                                                                    : "kPivoting");
  };
  add("solver", solver(bounds.solver), solver(firmware::Bounds().solver));
  add("contacts", std::to_string(bounds.contacts), "0");
  add("ground", word(bounds.ground), "false");
  const firmware::Bounds usual;
  add("height", number(bounds.height), number(usual.height));
  add("field", bounds.field.heights.empty() ? "" : "ground_field", "");
  add("ground_friction", number(bounds.ground_friction), number(usual.ground_friction));
  add("ground_restitution", number(bounds.ground_restitution), number(usual.ground_restitution));
  add("ground_stiffness", number(bounds.ground_stiffness), number(usual.ground_stiffness));
  add("ground_damping", number(bounds.ground_damping), number(usual.ground_damping));
  return "{" + text + "}";
}

std::string to_header(const firmware::Field& field) {
  std::vector<std::string> heights;
  for (const double height : field.heights) heights.push_back(number(height));
  const std::string begin = "inline constexpr double ground_heights[] = ";
  return "// What the robot stands on: -DLOCKSTEP_BOUNDS='{..., .field = ground_field}'.\n"
         "#pragma once\n\n" +
         begin + braced(heights, begin.size()) +
         ";  // m\ninline constexpr lockstep::firmware::Field ground_field = {.x = " +
         number(field.x) + ", .y = " + number(field.y) + ", .spacing = " + number(field.spacing) +
         ", .columns = " + std::to_string(field.columns) +
         ", .rows = " + std::to_string(field.rows) + ", .heights = ground_heights};\n";
}

std::string untold(const Tree& tree, const firmware::Bounds& bounds,
                   link::Application application) {
  std::string text;
  const auto add = [&](bool has, const char* what) {
    if (has) text += (text.empty() ? "" : ", ") + std::string(what);
  };
  add(!tree.rotors.empty(), "merged rotors");
  add(tree.rotors.empty() && std::ranges::any_of(tree.bodies, &Body::armature), "armatures");
  add(std::ranges::any_of(tree.bodies, &Body::stiffness), "springs");
  add(std::ranges::any_of(tree.bodies, &Body::leads), "tied joints");
  const bool closes = application != link::Application::kController;
  add(closes && is_closed(tree), "loops and couplings");
  add(bounds.position || bounds.velocity, "limits of joints");
  add(bounds.friction, "dry friction");
  add(bounds.contacts > 0, "contacts");
  return text;
}

}  // namespace lockstep::host::hil
