// What robots stand on: nothing, a level plane, or heights from a file.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lockstep/contact/ground.hpp"
#include "loop/bounds.hpp"

namespace lockstep::host {

// What bounds a robot's motion, as on a chip. Copies share the heights that `field` looks into.
struct Bounds : firmware::Bounds {
  std::shared_ptr<const std::vector<double>> heights = {};

  bool has_ground() const { return ground || !field.heights.empty(); }
};

// `text` is none, plane, a height in m, or a file: a line `x y spacing`, then rows of heights
// from low y to high, numbers apart by spaces or commas, # before remarks. Throws Error.
void read_ground(const std::string& text, Bounds& bounds);

// For the core, in a solver's scalar.
template <class T>
class AnyGround {
 public:
  contact::Material<T> material = {};

  AnyGround() = default;
  // `heights` are the field's in the scalar, and outlive the ground.
  AnyGround(const Bounds& bounds, std::span<const T> heights)
      : material{static_cast<T>(bounds.ground_friction), static_cast<T>(bounds.ground_restitution)},
        has_plane_(bounds.ground),
        plane_{.offset = static_cast<T>(bounds.height), .material = material},
        field_{.x = static_cast<T>(bounds.field.x),
               .y = static_cast<T>(bounds.field.y),
               .spacing = static_cast<T>(bounds.field.spacing),
               .columns = bounds.field.columns,
               .rows = bounds.field.rows,
               .heights = heights,
               .material = material} {}

  explicit AnyGround(const contact::Plane<T>& plane)
      : material{plane.material}, has_plane_(true), plane_(plane) {}

  Status check() const {
    if (!field_.heights.empty()) return field_.check();
    return has_plane_ ? plane_.check() : Status::kOk;
  }
  std::optional<contact::Surface<T>> under(const Vec3<T>& point) const {
    if (!field_.heights.empty()) return field_.under(point);
    return has_plane_ ? plane_.under(point) : std::nullopt;
  }

 private:
  bool has_plane_ = false;
  contact::Plane<T> plane_;
  contact::HeightField<T> field_;
};

}  // namespace lockstep::host
