#include "options/bounds.hpp"

#include <algorithm>

#include "text/error.hpp"

namespace lockstep::host {

void add_bound_options(Command& command, BoundWords& words, const char* needed) {
  const auto add = [&](const char* name, auto& value, const char* help) {
    Option option = command.add(name, value, help);
    return needed == nullptr ? option : option.needs(needed);
  };
  add("--limits", words.limits,
      "What of the joints' limits acts; urdf: position,effort (default: urdf)")
      .list()
      .one_of({"urdf", "none", "position", "effort", "velocity"})
      .shown_as("urdf|none|position,effort,velocity");
  add("--friction", words.friction, "Dry friction of the joints, or none (default: urdf)")
      .one_of({"urdf", "none"});
  add("--ground", words.ground,
      "What the <collision> shapes stand on: nothing, z = 0, another height in m, or a file of "
      "heights (default: plane under robots that float, else none)")
      .shown_as("none|plane|Z|FILE");
  add("--ground-friction", words.ground_friction,
      "Its coefficient; a contact has the geometric mean of both sides' (default: 0.8)")
      .not_negative();
  add("--ground-restitution", words.ground_restitution,
      "0: no bounce, 1: as fast as it came; a contact has the larger (default: 0)")
      .within(0.0, 1.0);
  add("--ground-stiffness", words.ground_stiffness,
      "N/m: each contact yields along its normal as a spring does (default: rigid)")
      .positive();
  add("--ground-damping", words.ground_damping, "N s/m: of these springs (default: 0)")
      .not_negative()
      .needs("--ground-stiffness");
  add("--max-contacts", words.most_contacts,
      "The most points that may touch at once; the deepest act")
      .within(0, kHostRoom.contacts)
      .shows_default();
  add("--contact-solver", words.contact_solver,
      "newton: from the last step's forces on, in linear time; pivoting: exact, for few rows; "
      "gauss_seidel: sweeps (default: newton; of eval and of mechanisms with constraints: "
      "pivoting)")
      .one_of({"newton", "pivoting", "gauss_seidel"})
      .shown_as("newton|pivoting|gauss_seidel");
}

bool wants_limit(const BoundWords& words, const std::string& what) {
  const auto given = [&](const std::string& word) {
    return std::ranges::find(words.limits, word) != words.limits.end();
  };
  if (given("none") && words.limits.size() > 1) {
    throw Error("--limits: 'none' goes with no other word; leave it out");
  }
  return given(what) || (given("urdf") && what != "velocity");
}

Bounds make_bounds(const BoundWords& words, const std::string& file, const Tree& tree) {
  Bounds bounds;
  bounds.position = wants_limit(words, "position");
  bounds.velocity = wants_limit(words, "velocity");
  bounds.friction = words.friction == "urdf";
  if (words.contact_solver == "gauss_seidel") bounds.solver = RowSolver::kGaussSeidel;
  if (words.contact_solver == "pivoting") bounds.solver = RowSolver::kPivoting;
  bounds.contacts = words.most_contacts;
  const bool has_shapes = std::ranges::any_of(
      tree.colliders, [](const auto& collider) { return collider.body != kWorld; });
  if (!words.ground.empty() && words.ground != "none" && !has_shapes) {
    throw Error(
        file + ": no body that moves has a shape to touch --ground " + words.ground +
        " with; give the links a <collision>, meshes that are not there a --package-path or "
        "--mesh inertia, or leave out --ground");
  }
  const bool floats = std::ranges::any_of(
      tree.bodies, [](const Body& body) { return body.joint == JointType::kFloating; });
  const char* usual = has_shapes && floats ? "plane" : "none";
  read_ground(words.ground.empty() ? usual : words.ground, bounds);
  bounds.ground_friction = words.ground_friction.value_or(bounds.ground_friction);
  bounds.ground_restitution = words.ground_restitution.value_or(bounds.ground_restitution);
  bounds.ground_stiffness = words.ground_stiffness.value_or(0);
  bounds.ground_damping = words.ground_damping.value_or(0);
  return bounds;
}

}  // namespace lockstep::host
