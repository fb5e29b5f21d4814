// The parts of a scene while it is put together, for robots and mechanisms alike.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "lockstep/constraint/records.hpp"
#include "lockstep/contact/records.hpp"
#include "lockstep/spatial.hpp"
#include "record/record.hpp"
#include "system/json_file.hpp"

namespace lockstep::host {

inline constexpr double kGravity = 9.81;  // m/s^2: arrows are measured by the robot's weight

struct ShapeSize {
  contact::ShapeType type = contact::ShapeType::kBox;
  std::array<double, 3> half = {};
  double radius = 0;
};

// `kind` is visual, collision or inertia.
Json shape_of(int body, const char* kind, const ShapeSize& size, const Placement<double>& X_BS);

// A point of a body, or of the world.
Json end_of(int body, const Vec3<double>& p);

std::string points_text(std::span<const std::array<double, 3>> points);

struct SceneDraft {
  Json bodies = Json::array(), shapes = Json::array(), meshes = Json::array();
  Json lines = Json::array(), ground = nullptr;
  double weight = 0;  // N

  void add_colliders(std::span<const contact::ColliderRecord> colliders,
                     std::span<const std::array<double, 3>> points);
  // `inertia`, xx xy xz yy yz zz, is about `com`.
  void add_inertia_box(int body, double mass, const Vec3<double>& com,
                       const std::array<double, 6>& inertia);
  // From where a constraint takes hold of one body to where it takes hold of the other.
  void add_constraint(const constraint::ConstraintRecord& record);

  std::string text(const char* kind) const;
};

// Where the coordinates of joints or bodies begin in a record, if `sizes` of them belong together;
// `own` has the names that they have, which all begin with this letter. Throws RecordMismatch
// if one is missing, apart from the others of its joint, or of no joint.
std::vector<std::size_t> find_coordinates(std::span<const RecordColumn> own,
                                          std::span<const std::size_t> sizes, char letter,
                                          std::span<const RecordColumn> columns);

}  // namespace lockstep::host
