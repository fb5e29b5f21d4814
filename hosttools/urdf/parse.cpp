#include "urdf/parse.hpp"

#include "urdf/element_reader.hpp"
#include "urdf/suggest.hpp"

namespace lockstep::host {

using tinyxml2::XMLAttribute;
using tinyxml2::XMLElement;

namespace {

class DraftParser : ElementReader {
 public:
  explicit DraftParser(Findings& findings) : ElementReader(findings) {}

  Draft parse(const XMLElement& robot) {
    Draft draft;
    owner_ = "robot";
    draft.name = own_name(robot);
    for (auto* child = robot.FirstChildElement(); child; child = child->NextSiblingElement()) {
      const std::string_view kind = child->Name();
      if (kind == "link") draft.links.push_back(link(*child));
      if (kind == "joint") draft.joints.push_back(joint(*child));
    }
    return draft;
  }

 private:
  DraftLink link(const XMLElement& element) {
    DraftLink link;
    owner_ = "link";
    link.name = own_name(element);
    link.line = element.GetLineNum();
    if (const auto* inertial = element.FirstChildElement("inertial"))
      link.inertial = this->inertial(*inertial);
    return link;
  }

  DraftInertial inertial(const XMLElement& element) {
    DraftInertial result;
    result.origin = origin(element);
    if (const auto* mass = required(element, "mass")) {
      result.mass = required_number(*mass, "value");
      result.mass_line = mass->GetLineNum();
    }
    if (const auto* inertia = required(element, "inertia")) {
      constexpr const char* kNames[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
      result.inertia.emplace();
      result.inertia_line = inertia->GetLineNum();
      bool complete = true;
      for (std::size_t i = 0; i < 6; ++i) {
        const std::optional<double> value = required_number(*inertia, kNames[i]);
        (*result.inertia)[i] = value.value_or(0);
        complete = complete && value;
      }
      if (!complete) result.inertia.reset();
    }
    return result;
  }

  DraftJoint joint(const XMLElement& element) {
    DraftJoint joint;
    owner_ = "joint";
    joint.name = own_name(element);
    joint.line = element.GetLineNum();
    joint.type = joint_type(element);
    joint.parent = reference(element, "parent");
    joint.child = reference(element, "child");
    joint.origin = origin(element);
    if (const auto* axis = element.FirstChildElement("axis")) {
      joint.axis = triple(*axis, "xyz");
      joint.axis_line = axis->GetLineNum();
      if (!axis->Attribute("xyz")) missing(*axis, "xyz");
    }
    if (const auto* limit = element.FirstChildElement("limit")) {
      joint.limits = {number(*limit, "lower", kAnyFinite), number(*limit, "upper", kAnyFinite),
                      number(*limit, "velocity", kAnyFinite), number(*limit, "effort", kAnyFinite)};
      joint.limits_line = limit->GetLineNum();
    }
    if (const auto* dynamics = element.FirstChildElement("dynamics")) {
      joint.damping = number(*dynamics, "damping").value_or(0);
      joint.friction = number(*dynamics, "friction").value_or(0);
      joint.dynamics_line = dynamics->GetLineNum();
    }
    if (const auto* mimic = element.FirstChildElement("mimic")) {
      const XMLAttribute* leader = mimic->FindAttribute("joint");
      if (!leader) missing(*mimic, "joint");
      joint.mimic = {leader ? leader->Value() : "", number(*mimic, "multiplier").value_or(1),
                     number(*mimic, "offset").value_or(0)};
      joint.mimic_line = mimic->GetLineNum();
    }
    return joint;
  }

  std::optional<UrdfJoint> joint_type(const XMLElement& element) {
    std::vector<std::string_view> known;
    for (const JointTypeName& row : kJointTypeNames) known.push_back(row.name);
    const XMLAttribute* attribute = element.FindAttribute("type");
    if (!attribute) {
      findings_.error(element.GetLineNum(), "joint-type", owner_ + ": no type",
                      "give type=\"revolute\", \"fixed\" or another joint type");
      return std::nullopt;
    }
    const std::string_view type = attribute->Value();
    for (const JointTypeName& row : kJointTypeNames) {
      if (type == row.name) return row.type;
    }
    const std::string_view near = nearest_word(type, known);
    findings_.error(attribute->GetLineNum(), "joint-type", owner_ + ": unknown type " + quote(type),
                    near.empty()
                        ? "use fixed, revolute, continuous, prismatic, planar, floating or ball"
                        : "did you mean " + quote(near) + "?");
    return std::nullopt;
  }

  Reference reference(const XMLElement& joint, const char* kind) {
    const XMLElement* element = required(joint, kind);
    if (!element) return {};
    const char* link = element->Attribute("link");
    if (!link) missing(*element, "link");
    return {link ? link : "", element->GetLineNum()};
  }
};

}  // namespace

std::string DraftJoint::label() const { return "joint " + quote(name); }

const XMLElement* parse_robot(const std::string& text, tinyxml2::XMLDocument& document,
                              Findings& findings) {
  constexpr RootRule kRobot = {"robot", "not-urdf",
                               "give a URDF file; convert SDF, MJCF or xacro first"};
  return parse_root(text, document, kRobot, findings);
}

Draft parse_draft(const XMLElement& robot, Findings& findings) {
  return DraftParser(findings).parse(robot);
}

}  // namespace lockstep::host
