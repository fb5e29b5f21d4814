#include "urdf/parse.hpp"

#include "urdf/element_reader.hpp"
#include "urdf/parse_collision.hpp"

namespace lockstep::host {

using tinyxml2::XMLAttribute;
using tinyxml2::XMLElement;

namespace {

class DraftParser {
 public:
  explicit DraftParser(Findings& findings) : findings_(findings), read_(findings) {}

  Draft parse(const XMLElement& robot) {
    Draft draft;
    draft.name = read_.own_name(robot);
    for (auto* child = robot.FirstChildElement(); child; child = child->NextSiblingElement()) {
      const std::string_view kind = child->Name();
      if (kind == "link") draft.links.push_back(link(*child));
      if (kind == "joint") draft.joints.push_back(joint(*child));
      if (kind == "loop") draft.loops.push_back(loop(*child));
      if (kind == "coupling") draft.couplings.push_back(coupling(*child));
      if (kind == "contact_pair") draft.contact_pairs.push_back(parse_link_pair(*child, read_));
      if (kind == "disable_collisions")
        draft.disabled_pairs.push_back(parse_link_pair(*child, read_));
      if (const auto friction = kind == "gazebo" ? parse_gazebo(*child) : std::nullopt)
        draft.frictions.push_back(*friction);
    }
    return draft;
  }

 private:
  DraftLink link(const XMLElement& element) {
    DraftLink link;
    link.name = read_.own_name(element);
    link.line = element.GetLineNum();
    if (const auto* inertial = element.FirstChildElement("inertial"))
      link.inertial = read_.inertial(*inertial);
    link.collisions = parse_collisions(element, read_, findings_);
    return link;
  }

  DraftJoint joint(const XMLElement& element) {
    DraftJoint joint;
    joint.name = read_.own_name(element);
    joint.line = element.GetLineNum();
    if (const auto* row = read_.type(element, kJointTypeNames)) joint.type = row->type;
    joint.independent = independent(element);
    joint.parent = reference(element, "parent");
    joint.child = reference(element, "child");
    joint.origin = read_.origin(element);
    joint.axis = read_.axis(element);
    if (const auto* limit = element.FirstChildElement("limit")) {
      const auto bound = [&](const char* name) {
        return read_.number(*limit, name, ElementReader::kAnyFinite);
      };
      joint.limits = {bound("lower"), bound("upper"), bound("velocity"), bound("effort")};
      joint.limits_line = limit->GetLineNum();
    }
    if (const auto* dynamics = element.FirstChildElement("dynamics")) {
      joint.damping = read_.number(*dynamics, "damping").value_or(0);
      joint.friction = read_.number(*dynamics, "friction").value_or(0);
      joint.dynamics_line = dynamics->GetLineNum();
    }
    if (const auto* mimic = element.FirstChildElement("mimic")) {
      const char* leader = mimic->Attribute("joint");
      if (!leader) read_.missing(*mimic, "joint");
      joint.mimic = {leader ? leader : "", read_.number(*mimic, "multiplier").value_or(1),
                     read_.number(*mimic, "offset").value_or(0)};
      joint.mimic_line = mimic->GetLineNum();
    }
    return joint;
  }

  bool independent(const XMLElement& element) {
    const XMLAttribute* attribute = element.FindAttribute("independent");
    if (!attribute) return true;
    const std::string_view value = attribute->Value();
    const bool yes = value == "true" || value == "True";
    if (!yes && value != "false" && value != "False") {
      findings_.warning(attribute->GetLineNum(), "independent",
                        read_.owner() + ": independent is " + quote(value),
                        "write true or false; it is read as false");
    }
    return yes;
  }

  DraftLoop loop(const XMLElement& element) {
    DraftLoop loop;
    loop.name = read_.own_name(element);
    loop.line = element.GetLineNum();
    if (const auto* row = read_.type(element, kLoopTypeNames)) loop.type = row->type;
    loop.predecessor = loop_end(element, "predecessor");
    loop.successor = loop_end(element, "successor");
    loop.axis = read_.axis(element);
    if (const auto* length = element.FirstChildElement("length")) {
      loop.length = read_.required_number(*length, "value");
      loop.length_line = length->GetLineNum();
    }
    return loop;
  }

  DraftLoopEnd loop_end(const XMLElement& loop, const char* kind) {
    const XMLElement* element = read_.required(loop, kind);
    return element ? DraftLoopEnd{read_.link(*element), read_.origin(*element)} : DraftLoopEnd{};
  }

  DraftCoupling coupling(const XMLElement& element) {
    DraftCoupling coupling;
    coupling.name = read_.own_name(element);
    coupling.line = coupling.ratio_line = element.GetLineNum();
    coupling.predecessor = reference(element, "predecessor");
    coupling.successor = reference(element, "successor");
    if (const auto* ratio = element.FirstChildElement("ratio")) {
      coupling.ratio = read_.required_number(*ratio, "value").value_or(1);
      coupling.ratio_line = ratio->GetLineNum();
    }
    return coupling;
  }

  Reference reference(const XMLElement& owner, const char* kind) {
    const XMLElement* element = read_.required(owner, kind);
    return element ? read_.link(*element) : Reference{};
  }

  Findings& findings_;
  ElementReader read_;
};

}  // namespace

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
