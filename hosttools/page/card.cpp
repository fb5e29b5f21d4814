#include "page/card.hpp"

#include <algorithm>
#include <limits>

#include "emit/header.hpp"
#include "emit/straight_line.hpp"
#include "mechanism/content_hash.hpp"
#include "mechanism/summary.hpp"
#include "model/content_hash.hpp"
#include "model/sizes.hpp"
#include "model/summary.hpp"
#include "text/number.hpp"

namespace lockstep::host {

namespace {

void add_count(CardLines& lines, const char* name, std::size_t count) {
  if (count != 0) lines.emplace_back(name, std::to_string(count));
}

std::string ground_text(const Bounds& bounds) {
  if (!bounds.has_ground()) return "none";
  const std::string where = bounds.field.heights.empty()
                                ? "plane at " + brief(bounds.height) + " m"
                                : std::to_string(bounds.field.columns) + " x " +
                                      std::to_string(bounds.field.rows) + " heights, " +
                                      brief(bounds.field.spacing) + " m apart";
  const std::string material = ", friction " + brief(bounds.ground_friction) + ", restitution " +
                               brief(bounds.ground_restitution);
  if (bounds.ground_stiffness == 0) return where + material;
  return where + material + ", stiffness " + brief(bounds.ground_stiffness) + " N/m, damping " +
         brief(bounds.ground_damping) + " N s/m";
}

}  // namespace

CardLines model_lines(const LoadOptions& load, const Tree& tree) {
  double mass = 0;
  for (const Body& body : tree.bodies) mass += body.mass;
  const auto is_limited = [](const Body& body) {
    return body.limits.lower != -std::numeric_limits<double>::infinity() ||
           body.limits.upper != std::numeric_limits<double>::infinity();
  };
  CardLines lines = {{"file", load.file},
                     {"size", summary(tree)},
                     {"mass", brief(mass, 6) + " kg, of what moves"}};
  add_count(lines, "loops", tree.loops.size());
  add_count(lines, "couplings", tree.couplings.size());
  add_count(lines, "shapes", tree.colliders.size());
  add_count(lines, "pairs", tree.collider_pairs.size());
  add_count(lines, "limited joints",
            static_cast<std::size_t>(std::ranges::count_if(tree.bodies, is_limited)));
  lines.emplace_back("model hash", hash_text(content_hash(tree)));
  return lines;
}

CardLines model_lines(const LoadOptions& load, const Mechanism& mechanism) {
  CardLines lines = {{"file", load.file}, {"size", summary(mechanism)}};
  add_count(lines, "shapes", mechanism.colliders.size());
  lines.emplace_back("model hash", hash_text(content_hash(mechanism)));
  return lines;
}

CardLines cost_lines(const Tree& tree) {
  CardLines lines;
  if (!tree.bodies.empty() && tree.bodies.size() <= kStraightLineBodies) {
    const StraightLine line = straight_line(tree);
    lines.emplace_back(
        "forward dynamics",
        std::to_string(line.additions) + " additions, " + std::to_string(line.multiplications) +
            " multiplications, " +
            counted(static_cast<std::size_t>(line.divisions), "division", "divisions"));
  }
  lines.emplace_back("bytes in float", to_text(sizes<float>(tree)));
  lines.emplace_back("bytes in double", to_text(sizes<double>(tree)));
  return lines;
}

CardLines bound_lines(const Tree& tree, const Bounds& bounds) {
  const Bounded bounded(tree, bounds);
  const std::string limits = std::string(bounds.position ? "position" : "") +
                             (bounds.position && bounds.velocity ? ", " : "") +
                             (bounds.velocity ? "velocity" : "");
  CardLines lines = {{"limits", limits.empty() ? "none" : limits},
                     {"dry friction", !bounds.friction          ? "left out"
                                      : bounded.rubbing.empty() ? "no joint has any"
                                                                : "acts"},
                     {"ground", ground_text(bounds)}};
  if (!bounded.touching.empty()) {
    lines.emplace_back("contacts at once", "at most " + std::to_string(bounds.contacts));
  }
  if (bounded.any()) {
    lines.emplace_back("solver of rows", name_of(bounds.solver));
  }
  return lines;
}

}  // namespace lockstep::host
