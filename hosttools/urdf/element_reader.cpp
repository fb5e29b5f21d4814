#include "urdf/element_reader.hpp"

#include <cmath>

#include "text/number.hpp"
#include "text/suggest.hpp"

namespace lockstep::host {

using tinyxml2::XMLAttribute;
using tinyxml2::XMLElement;

namespace {

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

}  // namespace

const XMLElement* parse_root(const std::string& text, tinyxml2::XMLDocument& document,
                             const RootRule& expected, Findings& findings) {
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
  const std::string name = expected.element;
  if (!root || std::string_view(root->Name()) != name) {
    const std::string found = root ? root->Name() : "";
    findings.error(root ? root->GetLineNum() : 0, expected.rule,
                   "the outermost element is " + quote("<" + found + ">") + ", not <" + name + ">",
                   expected.remedy);
    return nullptr;
  }
  if (const XMLElement* second = root->NextSiblingElement()) {
    findings.error(second->GetLineNum(), expected.rule,
                   "there is a second element after </" + name + ">",
                   "put everything into one <" + name + ">");
    return nullptr;
  }
  return root;
}

std::string ElementReader::own_name(const XMLElement& element) {
  const XMLAttribute* attribute = element.FindAttribute("name");
  owner_ = element.Name();
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

const XMLElement* ElementReader::required(const XMLElement& element, const char* child) {
  const XMLElement* found = element.FirstChildElement(child);
  if (!found) {
    const std::string tag = std::string("<") + child + ">";
    findings_.error(element.GetLineNum(), "missing-element",
                    owner_ + ": <" + element.Name() + "> has no " + tag, "add a " + tag);
  }
  return found;
}

void ElementReader::missing(const XMLElement& element, const char* attribute) {
  findings_.error(element.GetLineNum(), "missing-attribute",
                  owner_ + ": <" + element.Name() + "> has no attribute " + attribute,
                  "write <" + std::string(element.Name()) + " " + attribute + "=\"...\"/>");
}

std::optional<double> ElementReader::required_number(const XMLElement& element, const char* name) {
  if (!element.Attribute(name)) missing(element, name);
  return number(element, name);
}

std::optional<double> ElementReader::number(const XMLElement& element, const char* name,
                                            double largest) {
  const XMLAttribute* attribute = element.FindAttribute(name);
  if (!attribute) return std::nullopt;
  return checked(element, *attribute, attribute->Value(), largest);
}

std::optional<Triple> ElementReader::required_triple(const XMLElement& element, const char* name) {
  if (!element.Attribute(name)) missing(element, name);
  return triple(element, name);
}

std::optional<Triple> ElementReader::triple(const XMLElement& element, const char* name) {
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

std::optional<double> ElementReader::checked(const XMLElement& element,
                                             const XMLAttribute& attribute, std::string_view text,
                                             double largest) {
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

std::string ElementReader::place(const XMLElement& element, const XMLAttribute& attribute) const {
  return owner_ + ": <" + element.Name() + " " + attribute.Name() + ">";
}

DraftPose ElementReader::pose(const XMLElement& element) {
  DraftPose pose;
  pose.line = element.GetLineNum();
  pose.xyz = triple(element, "xyz").value_or(Triple{});
  pose.rpy = triple(element, "rpy").value_or(Triple{});
  if (const XMLAttribute* quaternion = element.FindAttribute("quat_xyzw")) {
    findings_.error(quaternion->GetLineNum(), "quaternion",
                    owner_ + ": <" + element.Name() + "> gives its rotation as a quaternion",
                    "write it as rpy=\"roll pitch yaw\" in radians");
  }
  return pose;
}

DraftPose ElementReader::origin(const XMLElement& element) {
  const XMLElement* origin = element.FirstChildElement("origin");
  return origin ? pose(*origin) : DraftPose{};
}

DraftAxis ElementReader::axis(const XMLElement& element) {
  const XMLElement* axis = element.FirstChildElement("axis");
  if (!axis) return {};
  return {required_triple(*axis, "xyz"), axis->GetLineNum()};
}

Reference ElementReader::link(const XMLElement& element, const char* name) {
  if (const char* link = element.Attribute(name)) return {link, element.GetLineNum()};
  missing(element, name);
  return {};
}

DraftInertial ElementReader::inertial(const XMLElement& element,
                                      std::string_view required_moments) {
  DraftInertial result;
  result.origin = origin(element);
  if (const auto* mass = required(element, "mass")) {
    result.mass = required_number(*mass, "value");
    result.mass_line = mass->GetLineNum();
  }
  const auto* inertia = required_moments.empty() ? nullptr : required(element, "inertia");
  if (!inertia) return result;
  constexpr const char* kNames[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
  std::array<double, 6> moments = {};
  bool complete = true;
  for (std::size_t i = 0; i < moments.size(); ++i) {
    const bool needed = required_moments.find(kNames[i]) != std::string_view::npos;
    const auto value = needed ? required_number(*inertia, kNames[i]) : number(*inertia, kNames[i]);
    moments[i] = value.value_or(0);
    complete = complete && (value || (!needed && !inertia->Attribute(kNames[i])));
  }
  if (complete) result.inertia = moments;
  result.inertia_line = inertia->GetLineNum();
  return result;
}

void ElementReader::refuse_type(const XMLElement& element,
                                const std::vector<std::string_view>& known) {
  const std::string rule = std::string(element.Name()) + "-type";
  const XMLAttribute* attribute = element.FindAttribute("type");
  if (!attribute) {
    findings_.error(
        element.GetLineNum(), rule.c_str(), owner_ + ": no type",
        "give type=\"revolute\", \"fixed\" or another " + std::string(element.Name()) + " type");
    return;
  }
  const std::string_view near = nearest_word(attribute->Value(), known);
  std::string remedy = "did you mean " + quote(near) + "?";
  if (near.empty()) {
    remedy = "use ";
    for (std::size_t i = 0; i < known.size(); ++i) {
      remedy += (i == 0 ? "" : i + 1 == known.size() ? " or " : ", ") + std::string(known[i]);
    }
  }
  findings_.error(attribute->GetLineNum(), rule.c_str(),
                  owner_ + ": unknown type " + quote(attribute->Value()), remedy);
}

}  // namespace lockstep::host
