// What robots stand on in a simulation: nothing, a level plane, or heights from a file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lockstep/contact/ground.hpp"

namespace lockstep::host::sim {

struct GroundData {
  enum class Kind { kNone, kPlane, kField };
  Kind kind = Kind::kNone;
  double height = 0;                 // m, of the plane
  double x = 0, y = 0, spacing = 1;  // m, of the field
  int columns = 0, rows = 0;
  std::vector<double> heights;  // m, row by row, x running fastest
  double friction = 0.8, restitution = 0;
};

// `text` is none, plane, a height in m, or a file: a line `x y spacing`, then rows of heights
// from low y to high, numbers apart by spaces or commas, # before remarks. Throws Error.
GroundData read_ground(const std::string& text);

// For the core, in a solver's scalar.
template <class T>
class AnyGround {
 public:
  contact::Material<T> material = {};

  AnyGround() = default;
  // `heights` are the data's in the scalar, and outlive the ground.
  AnyGround(const GroundData& data, std::span<const T> heights)
      : material{static_cast<T>(data.friction), static_cast<T>(data.restitution)},
        kind_(data.kind),
        plane_{.offset = static_cast<T>(data.height), .material = material},
        field_{.x = static_cast<T>(data.x),
               .y = static_cast<T>(data.y),
               .spacing = static_cast<T>(data.spacing),
               .columns = data.columns,
               .rows = data.rows,
               .heights = heights,
               .material = material} {}

  Status check() const {
    if (kind_ == GroundData::Kind::kField) return field_.check();
    return kind_ == GroundData::Kind::kPlane ? plane_.check() : Status::kOk;
  }
  std::optional<contact::Surface<T>> under(const Vec3<T>& point) const {
    if (kind_ == GroundData::Kind::kField) return field_.under(point);
    if (kind_ == GroundData::Kind::kPlane) return plane_.under(point);
    return {};
  }

 private:
  GroundData::Kind kind_ = GroundData::Kind::kNone;
  contact::Plane<T> plane_;
  contact::HeightField<T> field_;
};

}  // namespace lockstep::host::sim
