#include "urdf/parse.hpp"

#include <cmath>
#include <limits>

#include "urdf/number.hpp"
#include "urdf/suggest.hpp"

namespace lockstep::host {

using tinyxml2::XMLAttribute;
using tinyxml2::XMLElement;

namespace {

constexpr double kLargest = 1e12;  // beyond any robot; squares and cubes stay far from overflow
constexpr double kAnyFinite = std::numeric_limits<double>::max();  // "no limit" is written so

std::string explain(tinyxml2::XMLError error) {
  switch (error) {
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
      return "an element is not closed by its own end tag";
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE: return "an attribute is malformed or given twice";
    case tinyxml2::XML_ERROR_PARSING_ELEMENT: return "an element is malformed";
    case tinyxml2::XML_ERROR_PARSING_DECLARATION:
      return "the <?xml?> declaration is malformed or misplaced";
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT: return "there is no element";
    default: return "the text is not well-formed XML";
  }
}

class DraftParser {
 public:
  explicit DraftParser(Findings& findings) : findings_(findings) {}

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

  DraftPose origin(const XMLElement& element) {
    DraftPose pose;
    const XMLElement* origin = element.FirstChildElement("origin");
    if (!origin) return pose;
    pose.line = origin->GetLineNum();
    pose.xyz = triple(*origin, "xyz").value_or(Triple{});
    pose.rpy = triple(*origin, "rpy").value_or(Triple{});
    if (const XMLAttribute* quaternion = origin->FindAttribute("quat_xyzw")) {
      findings_.error(quaternion->GetLineNum(), "quaternion",
                      owner_ + ": <origin> gives its rotation as a quaternion",
                      "write it as rpy=\"roll pitch yaw\" in radians");
    }
    return pose;
  }

  // Takes the element's name and makes it the owner that messages speak of.
  std::string own_name(const XMLElement& element) {
    const XMLAttribute* attribute = element.FindAttribute("name");
    if (!attribute || !*attribute->Value()) {
      findings_.error(element.GetLineNum(), "missing-name", "<" + owner_ + "> has no name",
                      "give it a name=\"...\"");
      owner_ += " without a name";
      return {};
    }
    owner_ += " " + quote(attribute->Value());
    std::string_view rest = attribute->Value();
    while (const std::size_t length = printable_length(rest)) rest.remove_prefix(length);
    if (!rest.empty()) {
      findings_.error(attribute->GetLineNum(), "bad-name",
                      owner_ + ": the name holds control characters or is not UTF-8", "rename it");
    }
    return attribute->Value();
  }

  const XMLElement* required(const XMLElement& element, const char* child) {
    const XMLElement* found = element.FirstChildElement(child);
    if (!found) {
      const std::string tag = std::string("<") + child + ">";
      findings_.error(element.GetLineNum(), "missing-element",
                      owner_ + ": <" + element.Name() + "> has no " + tag, "add a " + tag);
    }
    return found;
  }

  void missing(const XMLElement& element, const char* attribute) {
    findings_.error(element.GetLineNum(), "missing-attribute",
                    owner_ + ": <" + element.Name() + "> has no attribute " + attribute,
                    "write <" + std::string(element.Name()) + " " + attribute + "=\"...\"/>");
  }

  std::optional<double> required_number(const XMLElement& element, const char* name) {
    if (!element.Attribute(name)) missing(element, name);
    return number(element, name);
  }

  std::optional<double> number(const XMLElement& element, const char* name,
                               double largest = kLargest) {
    const XMLAttribute* attribute = element.FindAttribute(name);
    if (!attribute) return std::nullopt;
    return checked(element, *attribute, attribute->Value(), largest);
  }

  std::optional<Triple> triple(const XMLElement& element, const char* name) {
    const XMLAttribute* attribute = element.FindAttribute(name);
    if (!attribute) return std::nullopt;
    const std::vector<std::string_view> words = words_of(attribute->Value());
    Triple values;
    if (words.size() != values.size()) {
      findings_.error(attribute->GetLineNum(), "wrong-count",
                      place(element, *attribute) + " is not three numbers",
                      "give three, separated by spaces");
      return std::nullopt;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::optional<double> value = checked(element, *attribute, words[i], kLargest);
      if (!value) return std::nullopt;
      values[i] = *value;
    }
    return values;
  }

  std::optional<double> checked(const XMLElement& element, const XMLAttribute& attribute,
                                std::string_view text, double largest) {
    const std::optional<double> value = parse_number(text);
    if (!value) {
      const bool xacro = text.find("${") != std::string_view::npos;
      findings_.error(attribute.GetLineNum(), "not-a-number",
                      place(element, attribute) + ": " + quote(text) + " is not a number",
                      xacro ? "expand the file with xacro first"
                            : "write a plain decimal such as 1.5, in SI units and radians");
    } else if (std::fabs(*value) > largest) {
      findings_.error(attribute.GetLineNum(), "out-of-range",
                      place(element, attribute) + ": " + quote(text) + " is beyond any robot",
                      "check the number; units are SI");
      return std::nullopt;
    }
    return value;
  }

  std::string place(const XMLElement& element, const XMLAttribute& attribute) const {
    return owner_ + ": <" + element.Name() + " " + attribute.Name() + ">";
  }

  Findings& findings_;
  std::string owner_;
};

}  // namespace

std::string DraftJoint::label() const { return "joint " + quote(name); }

const XMLElement* parse_robot(const std::string& text, tinyxml2::XMLDocument& document,
                              Findings& findings) {
  const tinyxml2::XMLError error = document.Parse(text.data(), text.size());
  if (error != tinyxml2::XML_SUCCESS) {
    const std::string_view details = document.ErrorStr();
    const std::size_t name = details.find("name=");
    const std::string element =
        name == std::string_view::npos ? "" : " at " + quote(details.substr(name + 5));
    findings.error(document.ErrorLineNum(), "xml-syntax", explain(error) + element,
                   "correct the XML here");
    return nullptr;
  }
  const XMLElement* root = document.RootElement();
  if (!root || std::string_view(root->Name()) != "robot") {
    const std::string name = root ? root->Name() : "";
    findings.error(root ? root->GetLineNum() : 0, "not-urdf",
                   "the outermost element is " + quote("<" + name + ">") + ", not <robot>",
                   "give a URDF file; convert SDF, MJCF or xacro first");
    return nullptr;
  }
  if (const XMLElement* second = root->NextSiblingElement()) {
    findings.error(second->GetLineNum(), "not-urdf", "there is a second element after </robot>",
                   "put everything into one <robot>");
    return nullptr;
  }
  return root;
}

Draft parse_draft(const XMLElement& robot, Findings& findings) {
  return DraftParser(findings).parse(robot);
}

}  // namespace lockstep::host
