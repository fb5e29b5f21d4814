#include "sim/bound_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "text/error.hpp"

namespace lockstep::host::sim {

void add_bound_options(CLI::App& command, BoundWords& words) {
  command
      .add_option("--limits", words.limits,
                  "What of the joints' limits acts; urdf: position,effort (default: urdf)")
      ->delimiter(',')
      ->check(CLI::IsMember({"urdf", "none", "position", "effort", "velocity"}))
      ->option_text("urdf|none|position,effort,velocity");
  command
      .add_option("--friction", words.friction,
                  "Dry friction of the joints, or none (default: urdf)")
      ->check(CLI::IsMember({"urdf", "none"}));
  command
      .add_option("--ground", words.ground,
                  "What the <collision> shapes stand on: nothing, z = 0, another height in m, or a "
                  "file of heights (default: plane under robots that float, else none)")
      ->option_text("none|plane|Z|FILE");
  command
      .add_option("--ground-friction", words.ground_friction,
                  "Its coefficient; a contact has the geometric mean of both sides' (default: 0.8)")
      ->check(CLI::NonNegativeNumber);
  command
      .add_option("--ground-restitution", words.ground_restitution,
                  "0: no bounce, 1: as fast as it came; a contact has the larger (default: 0)")
      ->check(CLI::Range(0.0, 1.0));
  command
      .add_option("--max-contacts", words.most_contacts,
                  "The most points that may touch at once; the deepest act")
      ->check(CLI::Range(0, kHostRoom.contacts))
      ->capture_default_str();
  command
      .add_option("--contact-solver", words.contact_solver,
                  "pivoting: exact, friction in a pyramid; gauss_seidel: friction in a cone, "
                  "faster where many touch")
      ->check(CLI::IsMember({"pivoting", "gauss_seidel"}))
      ->capture_default_str();
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

BoundOptions make_bounds(const BoundWords& words, const std::string& file, const Tree& tree) {
  BoundOptions bounds = {.position = wants_limit(words, "position"),
                         .velocity = wants_limit(words, "velocity"),
                         .friction = words.friction == "urdf",
                         .gauss_seidel = words.contact_solver == "gauss_seidel",
                         .most_contacts = words.most_contacts};
  const bool has_shapes = std::ranges::any_of(
      tree.colliders, [](const auto& collider) { return collider.body != kWorld; });
  if (!words.ground.empty() && words.ground != "none" && !has_shapes) {
    throw Error(file + ": has no <collision> on a body that moves, and --ground " + words.ground +
                "; give the links shapes, or leave out --ground");
  }
  const bool floats = std::ranges::any_of(
      tree.bodies, [](const Body& body) { return body.joint == JointType::kFloating; });
  const char* usual = has_shapes && floats ? "plane" : "none";
  bounds.ground = read_ground(words.ground.empty() ? usual : words.ground);
  bounds.ground.friction = words.ground_friction.value_or(bounds.ground.friction);
  bounds.ground.restitution = words.ground_restitution.value_or(bounds.ground.restitution);
  return bounds;
}

}  // namespace lockstep::host::sim
