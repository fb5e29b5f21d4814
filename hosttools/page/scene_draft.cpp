#include "page/scene_draft.hpp"

#include <algorithm>

#include "mechanism/coupling.hpp"
#include "mesh/fit.hpp"
#include "page/encode.hpp"
#include "page/scene.hpp"
#include "text/finding.hpp"
#include "urdf/placement.hpp"

namespace lockstep::host {

namespace {

using contact::ShapeType;

const char* name_of(ShapeType type) {
  switch (type) {
    case ShapeType::kSphere: return "sphere";
    case ShapeType::kCapsule: return "capsule";
    case ShapeType::kBox: return "box";
    case ShapeType::kCylinder: return "cylinder";
    case ShapeType::kPoints: break;
  }
  return "mesh";
}

constexpr const char* kRemedy =
    "; give the file and the options (--base, --rotors) that the run was made with";

}  // namespace

std::string points_text(std::span<const std::array<double, 3>> points) {
  std::vector<float> numbers;
  for (const auto& p : points) {
    for (const double x : p) numbers.push_back(static_cast<float>(x));
  }
  return base64_floats(numbers);
}

Json shape_of(int body, const char* kind, const ShapeSize& size, const Placement<double>& X_BS) {
  return {{"body", body},         {"kind", kind},          {"type", name_of(size.type)},
          {"R", to_rows(X_BS.R)}, {"p", to_array(X_BS.p)}, {"half", size.half},
          {"radius", size.radius}};
}

Json end_of(int body, const Vec3<double>& p) { return {{"body", body}, {"p", to_array(p)}}; }

void SceneDraft::add_colliders(std::span<const contact::ColliderRecord> colliders,
                               std::span<const std::array<double, 3>> points) {
  for (const contact::ColliderRecord& own : colliders) {
    Json shape = shape_of(own.body, "collision", {own.type, own.half, own.radius},
                          to_placement(own.R_BS, own.p_BS));
    if (own.type == ShapeType::kPoints) {
      shape["mesh"] = meshes.size();
      meshes.push_back({{"triangles", false},
                        {"points", points_text(points.subspan(at(own.first), at(own.count)))}});
    }
    shapes.push_back(std::move(shape));
  }
}

void SceneDraft::add_inertia_box(int body, double mass, const Vec3<double>& com,
                                 const std::array<double, 6>& inertia) {
  const auto box = box_of_inertia(mass, inertia);
  if (!box) return;
  const Placement<double> X_BM = {kNoTurn, com};
  shapes.push_back(
      shape_of(body, "inertia", {box->type, to_array(box->half), box->radius}, X_BM * box->X_MS));
}

void SceneDraft::add_constraint(const constraint::ConstraintRecord& record) {
  if (is_coupling(record)) return;
  const double* numbers = record.numbers.data();
  const Vec3<double> a = constraint::load<Placement<double>>(numbers).p;
  const Vec3<double> b = constraint::load<Placement<double>>(numbers + 12).p;
  if (record.a != kWorld) lines.push_back({end_of(record.a, {}), end_of(record.a, a)});
  lines.push_back({end_of(record.a, a), end_of(record.b, b)});
  if (record.b != kWorld) lines.push_back({end_of(record.b, b), end_of(record.b, {})});
}

std::string SceneDraft::text(const char* kind) const {
  const Json json = {{"kind", kind},     {"weight", weight}, {"ground", ground}, {"bodies", bodies},
                     {"shapes", shapes}, {"meshes", meshes}, {"lines", lines}};
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::vector<std::size_t> find_coordinates(std::span<const RecordColumn> own,
                                          std::span<const std::size_t> sizes, char letter,
                                          std::span<const RecordColumn> columns) {
  std::vector<std::size_t> begins;
  std::size_t next = 0;
  for (const std::size_t size : sizes) {
    for (std::size_t k = 0; k < size; ++k, ++next) {
      const std::string wanted = header_of(own[next]);
      const auto column = find_column(columns, wanted);
      if (!column) throw RecordMismatch("the record has no column " + quote(wanted) + kRemedy);
      if (k == 0) begins.push_back(*column);
      if (*column != begins.back() + k) {
        throw RecordMismatch("the record's column " + quote(wanted) +
                             " is not beside the others of its joint; keep the order of columns");
      }
    }
  }
  const auto known = own.first(next);
  for (const RecordColumn& column : columns) {
    const std::string& name = column.name;
    if (name.starts_with(std::string(1, letter) + ".") &&
        std::ranges::find(known, name, &RecordColumn::name) == known.end()) {
      throw RecordMismatch("the record has a column " + quote(name) + " of something else" +
                           kRemedy);
    }
  }
  return begins;
}

}  // namespace lockstep::host
