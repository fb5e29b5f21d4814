#include "robot/maximal_columns.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace lockstep::host {

namespace {

struct StatePart {
  const char* name;
  const char* unit;
};

constexpr std::array<StatePart, 7> kPose = {
    {{"x", "m"}, {"y", "m"}, {"z", "m"}, {"qx", ""}, {"qy", ""}, {"qz", ""}, {"qw", ""}}};
constexpr std::array<StatePart, 6> kTwist = {
    {{"x", "m/s"}, {"y", "m/s"}, {"z", "m/s"}, {"wx", "rad/s"}, {"wy", "rad/s"}, {"wz", "rad/s"}}};

struct StateParts {
  std::vector<StatePart> x, v;
};

StateParts parts_of(maximal::BodyType type) {
  StateParts parts = {{kPose.begin(), kPose.end()}, {kTwist.begin(), kTwist.end()}};
  switch (type) {
    case maximal::BodyType::kParticle:
      parts.x.resize(3);
      parts.v.resize(3);
      break;
    case maximal::BodyType::kPlanar:
      return {{{"x", "m"}, {"y", "m"}, {"angle", "rad"}},
              {{"x", "m/s"}, {"y", "m/s"}, {"angle", "rad/s"}}};
    case maximal::BodyType::kRigid: break;
    case maximal::BodyType::kScaling:
      parts.x.push_back({"scale", ""});
      parts.v.push_back({"scale", "1/s"});
      break;
    case maximal::BodyType::kStretching:
      for (const char* name : {"scale_x", "scale_y", "scale_z"}) {
        parts.x.push_back({name, ""});
        parts.v.push_back({name, "1/s"});
      }
      break;
  }
  return parts;
}

// Of each type, in the catalogue's order. f: the row is a length, its multiplier a force; m: an
// angle and a moment.
constexpr std::string_view kRows[] = {"fff", "fffmm", "ffmmm", "ffmm",   "fffm",   "fmm", "fffmmm",
                                      "ff",  "f",     "fm",    "ffm",    "f",      "f",   "f",
                                      "m",   "fff",   "fff",   "fffmmm", "ffmmmf", "ffm", "f",
                                      "m",   "mmm",   "mm",    "m",      "m",      "f",   "f"};
static_assert([] {
  bool fits = std::size(kRows) == HostTypes::Constraints::kSize;
  for (int i = 0; fits && i < HostTypes::Constraints::kSize; ++i) {
    maximal::visit_type(HostTypes::Constraints{}, i,
                        [&]<class C>() { fits = std::size(kRows[at(i)]) == C::kDimension; });
  }
  return fits;
}());

}  // namespace

std::vector<RecordColumn> body_columns(const Mechanism& mechanism) {
  std::vector<RecordColumn> columns;
  const auto add = [&](const char* letter, std::vector<StatePart> StateParts::*member) {
    for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) {
      const StateParts parts = parts_of(static_cast<maximal::BodyType>(mechanism.bodies[i].type));
      for (const StatePart& part : parts.*member) {
        columns.push_back({letter + mechanism.body_names[i] + "." + part.name, part.unit});
      }
    }
  };
  add("x.", &StateParts::x);
  add("v.", &StateParts::v);
  return columns;
}

namespace {

std::vector<RecordColumn> multiplier_columns(
    const std::vector<maximal::ConstraintRecord>& constraints,
    const std::vector<std::string>& names) {
  std::vector<RecordColumn> columns;
  for (std::size_t i = 0; i < constraints.size(); ++i) {
    if (constraints[i].joins) continue;
    std::string_view rows = kRows[at(constraints[i].type)];
    for (std::size_t j = i + 1; j < constraints.size() && constraints[j].joins; ++j) {
      if (constraints[j].type == static_cast<int>(maximal::ConstraintType::kAngleTerm)) rows = "m";
    }
    for (std::size_t row = 0; row < rows.size(); ++row) {
      const std::string number = rows.size() == 1 ? "" : "." + std::to_string(row + 1);
      columns.push_back({"lambda." + names[i] + number, rows[row] == 'f' ? "N" : "N m"});
    }
  }
  return columns;
}

}  // namespace

std::vector<RecordColumn> multiplier_columns(const Mechanism& mechanism) {
  return multiplier_columns(mechanism.constraints, mechanism.constraint_names);
}

std::vector<RecordColumn> multiplier_columns(const Tree& tree) {
  std::vector<RecordColumn> columns = multiplier_columns(tree.loops, tree.loop_names);
  for (std::size_t i = 0; i < tree.couplings.size(); ++i) {
    const bool slides =
        std::ranges::all_of(terms_of(tree, tree.couplings[i]), [&](const CouplingTerm& term) {
          return tree.bodies[at(term.body)].joint == JointType::kPrismatic;
        });
    columns.push_back({"lambda." + tree.coupling_names[i], slides ? "N" : "N m"});
  }
  return columns;
}

std::vector<RecordColumn> contact_columns(const Mechanism& mechanism) {
  std::vector<RecordColumn> columns;
  if (!has_contacts(mechanism)) return columns;
  for (std::size_t i = 0; i < mechanism.bodies.size(); ++i) {
    // forces where the velocities are linear, moments where they turn
    const StateParts parts = parts_of(static_cast<maximal::BodyType>(mechanism.bodies[i].type));
    for (const StatePart& part : parts.v) {
      columns.push_back({"contact." + mechanism.body_names[i] + "." + part.name,
                         std::string_view(part.unit) == "m/s" ? "N" : "N m"});
    }
  }
  for (std::size_t i = 0; i < mechanism.bounds.size(); ++i) {
    const bool angle = mechanism.bounds[i].coordinate == maximal::Coordinate::kAngle;
    columns.push_back({"limit." + mechanism.bound_names[i], angle ? "N m" : "N"});
  }
  return columns;
}

RecordColumn energy_column() { return {"energy", "J"}; }

std::vector<RecordColumn> balance_columns() {
  return {energy_column(),
          {"constraint_error.position", "m or rad"},
          {"constraint_error.velocity", "m/s or rad/s"}};
}

}  // namespace lockstep::host
