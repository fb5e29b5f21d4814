#include "record/joint_columns.hpp"

#include "lockstep/model.hpp"

namespace lockstep::host {

namespace {

struct JointPart {
  std::string suffix;
  std::string unit;
  std::string effort_unit = "";  // of the torque or force that moves it
};

struct JointParts {
  std::vector<JointPart> q, v;
};

JointPart linear(const char* suffix) { return {suffix, "m/s", "N"}; }
JointPart angular(const char* suffix) { return {suffix, "rad/s", "N m"}; }

JointParts parts_of(JointType joint) {
  switch (joint) {
    case JointType::kRevolute: return {{{"", "rad"}}, {angular("")}};
    case JointType::kPrismatic: return {{{"", "m"}}, {linear("")}};
    case JointType::kBall:
      return {{{".qx", ""}, {".qy", ""}, {".qz", ""}, {".qw", ""}},
              {angular(".wx"), angular(".wy"), angular(".wz")}};
    case JointType::kPlanar:
      return {{{".x", "m"}, {".y", "m"}, {".angle", "rad"}},
              {linear(".vx"), linear(".vy"), angular(".wz")}};
    case JointType::kFloating:
      return {{{".x", "m"},
               {".y", "m"},
               {".z", "m"},
               {".qx", ""},
               {".qy", ""},
               {".qz", ""},
               {".qw", ""}},
              {linear(".vx"), linear(".vy"), linear(".vz"), angular(".wx"), angular(".wy"),
               angular(".wz")}};
  }
  return {};
}

}  // namespace

std::vector<RecordColumn> joint_columns(const Tree& tree) {
  std::vector<RecordColumn> columns;
  const auto add = [&](const char* letter, std::vector<JointPart> JointParts::*parts,
                       std::string JointPart::*unit) {
    for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
      const JointParts joint = parts_of(tree.bodies[i].joint);
      for (const JointPart& part : joint.*parts) {
        columns.push_back({letter + tree.joint_names[i] + part.suffix, part.*unit});
      }
    }
  };
  add("q.", &JointParts::q, &JointPart::unit);
  add("v.", &JointParts::v, &JointPart::unit);
  add("tau.", &JointParts::v, &JointPart::effort_unit);
  return columns;
}

CoordinateNames coordinate_names(const Tree& tree) {
  CoordinateNames names;
  for (const auto& [name, unit] : joint_columns(tree)) {
    if (name.starts_with("q.")) names.q.push_back(name.substr(2));
    if (name.starts_with("v.")) names.v.push_back(name.substr(2));
  }
  return names;
}

}  // namespace lockstep::host
