// Shapes have a size, materials are of this world, and pairs are of links that can meet.
#include <algorithm>
#include <unordered_map>

#include "text/number.hpp"
#include "urdf/rules.hpp"

namespace lockstep::host {

namespace {

constexpr std::size_t kMaxCollisions = 100000;

class Collisions {
 public:
  Collisions(const Draft& draft, Findings& findings) : draft_(draft), findings_(findings) {}

  void check() {
    std::size_t count = 0;
    for (const DraftLink& link : draft_.links) {
      owner_ = "link " + quote(link.name);
      count += link.collisions.size();
      if (count > kMaxCollisions) {
        findings_.error(link.line, "many-collisions",
                        owner_ + ": the robot has more than " + std::to_string(kMaxCollisions) +
                            " <collision> elements",
                        "is it a robot description?");
        return;
      }
      for (const DraftCollision& collision : link.collisions) check(collision);
    }
    for (const DraftLink& link : draft_.links) link_.emplace(link.name, &link);
    for (const DraftLinkPair& pair : draft_.contact_pairs) check(pair);
  }

 private:
  void check(const DraftCollision& collision) {
    if (collision.origin.line > 0)
      check_place(owner_ + ": a <collision>", collision.origin, findings_);
    const int line = collision.geometry_line;
    positive(line, "radius", collision.radius);
    positive(line, "length", collision.length);
    if (collision.size) {
      for (const double side : *collision.size) positive(line, "side of the box", side);
    }
    if (std::ranges::count(collision.scale, 0.0) > 0) {
      findings_.error(line, "collision-size", owner_ + ": the mesh's scale is zero",
                      "give three numbers other than zero");
    }
    const double friction = collision.friction.value_or(0);
    const double restitution = collision.restitution.value_or(0);
    if (friction < 0) {
      findings_.error(collision.contact_line, "contact-material",
                      owner_ + ": friction is " + brief(friction),
                      "give a coefficient of zero or more");
    }
    if (restitution < 0 || restitution > 1) {
      findings_.error(collision.contact_line, "contact-material",
                      owner_ + ": restitution is " + brief(restitution),
                      "give a number from 0, no bounce, to 1, a perfect one");
    }
  }

  void positive(int line, const char* what, std::optional<double> size) {
    if (!size || *size > 0) return;
    findings_.error(line, "collision-size",
                    owner_ + ": the " + what + " of a <collision> is " + brief(*size),
                    "give a positive length in metres, or remove the <collision>");
  }

  void check(const DraftLinkPair& pair) {
    for (const Reference& end : {pair.a, pair.b}) {
      const auto link = link_.find(end.name);
      if (link == link_.end()) continue;  // the structure's finding
      const auto may_meet = [](const DraftCollision& collision) {
        return collision.geometry != Geometry::kBox && collision.geometry != Geometry::kCylinder;
      };
      if (std::ranges::any_of(link->second->collisions, may_meet)) continue;
      findings_.warning(pair.line, "contact-pair",
                        "<contact_pair>: link " + quote(end.name) +
                            " has no sphere and no capsule, so it meets the ground only",
                        "give it one, or remove the pair");
    }
  }

  const Draft& draft_;
  Findings& findings_;
  std::string owner_;
  std::unordered_map<std::string_view, const DraftLink*> link_;
};

}  // namespace

void check_collisions(const Draft& draft, Findings& findings) {
  Collisions(draft, findings).check();
}

}  // namespace lockstep::host
