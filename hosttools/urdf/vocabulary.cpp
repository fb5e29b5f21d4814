#include "urdf/vocabulary.hpp"

#include <algorithm>
#include <set>

#include "urdf/number.hpp"
#include "urdf/suggest.hpp"

namespace lockstep::host {

using tinyxml2::XMLElement;

namespace {

// An element whose words are checked. `once` and `many` are children; the others of their kind
// that occur in published robots but mean nothing to dynamics stand in `ignored`.
struct Element {
  std::string_view name;
  std::string_view attributes;
  std::string_view once;
  std::string_view many;
  std::string_view ignored;
};

constexpr Element kElements[] = {
    {"robot", "name version", "", "link joint loop coupling material",
     "transmission gazebo sensor ros2_control frame mujoco group"},
    {"link", "name type", "inertial", "visual collision",
     "gazebo sensor contact collision_checking self_filter verbose material"},
    {"inertial", "", "origin mass inertia", "", ""},
    {"origin", "xyz rpy quat_xyzw", "", "", ""},
    {"mass", "value", "", "", ""},
    {"inertia", "ixx ixy ixz iyy iyz izz", "", "", ""},
    {"joint", "name type independent",
     "origin parent child axis limit dynamics mimic calibration safety_controller", "",
     "gazebo joint_properties hardwareInterface"},
    {"parent", "link", "", "", ""},
    {"child", "link", "", "", ""},
    {"axis", "xyz", "", "", ""},
    {"limit", "lower upper effort velocity acceleration deceleration jerk", "", "", ""},
    {"dynamics",
     "damping friction D K mu_coulomb mu_viscous spring_stiffness spring_reference rotor_inertia "
     "armature",
     "", "", ""},
    {"mimic", "joint multiplier offset", "", "", ""},
    {"loop", "name type", "predecessor successor axis", "", ""},
    {"coupling", "name type", "predecessor successor ratio", "", ""},
    {"predecessor", "link", "origin", "", ""},
    {"successor", "link", "origin", "", ""},
    {"ratio", "value", "", "", ""},
};

const Element* find_element(std::string_view name) {
  const auto* found = std::find_if(std::begin(kElements), std::end(kElements),
                                   [&](const Element& e) { return e.name == name; });
  return found == std::end(kElements) ? nullptr : found;
}

bool lists(std::string_view words, std::string_view word) {
  const auto list = words_of(words);
  return std::find(list.begin(), list.end(), word) != list.end();
}

std::string_view home_of(std::string_view child) {
  const auto* found =
      std::find_if(std::begin(kElements), std::end(kElements),
                   [&](const Element& e) { return lists(e.once, child) || lists(e.many, child); });
  return found == std::end(kElements) ? std::string_view() : found->name;
}

std::string tag(std::string_view name) {
  const std::string quoted = quote(name);
  return "<" + quoted.substr(1, quoted.size() - 2) + ">";
}

std::string label(const XMLElement& element) {
  const char* name = element.Attribute("name");
  return element.Name() + (name ? " " + quote(name) : std::string());
}

class Checker {
 public:
  explicit Checker(Findings& findings) : findings_(findings) {}

  // The elements of the table nest four deep and never within themselves.
  void check(const XMLElement& element, const Element& known, const std::string& owner) {
    check_attributes(element, known, owner);
    std::set<std::string_view> seen;
    for (const auto* node = element.FirstChild(); node; node = node->NextSibling()) {
      if (node->ToText()) {
        findings_.warning(node->GetLineNum(), "stray-text",
                          owner + ": text " + quote(node->Value()) + " in " + tag(known.name),
                          "remove it; URDF writes values as attributes");
      }
      const XMLElement* child = node->ToElement();
      if (!child) continue;
      const std::string_view name = child->Name();
      const bool top = known.name == "robot";
      if (lists(known.once, name) && !seen.insert(name).second) {
        findings_.warning(child->GetLineNum(), "repeated-element",
                          owner + ": a second " + tag(name) + " in " + tag(known.name),
                          "remove one; the first is used");
      } else if (lists(known.once, name) || lists(known.many, name)) {
        const Element* next = find_element(name);
        if (next) check(*child, *next, top ? label(*child) : owner);
      } else if (!lists(known.ignored, name)) {
        unknown_element(*child, known, owner);
      }
    }
  }

 private:
  void check_attributes(const XMLElement& element, const Element& known, const std::string& owner) {
    for (const auto* a = element.FirstAttribute(); a; a = a->Next()) {
      const std::string_view name = a->Name();
      if (name.find(':') != std::string_view::npos || name == "xmlns") continue;
      if (lists(known.attributes, name)) continue;
      const std::string what = owner + ": attribute " + quote(name) + " of " + tag(known.name);
      const std::string_view near = nearest_word(name, words_of(known.attributes));
      if (near.empty()) {
        findings_.note(a->GetLineNum(), "unknown-attribute", what + " is not URDF",
                       "it is ignored");
      } else {
        findings_.warning(a->GetLineNum(), "misspelt-attribute", what + " is not URDF",
                          "did you mean " + quote(near) + "? It is ignored");
      }
    }
  }

  void unknown_element(const XMLElement& child, const Element& known, const std::string& owner) {
    const std::string_view name = child.Name();
    const int line = child.GetLineNum();
    const std::string what = owner + ": " + tag(name) + " in " + tag(known.name);
    if (name.starts_with("xacro:")) {
      findings_.error(line, "xacro", what + " is a macro, not URDF",
                      "expand the file with xacro first");
      return;
    }
    if (name.find(':') != std::string_view::npos) return;

    auto known_here = words_of(known.once);
    const auto many = words_of(known.many);
    known_here.insert(known_here.end(), many.begin(), many.end());
    const std::string_view near = nearest_word(name, known_here);
    if (!home_of(name).empty()) {
      findings_.warning(line, "misplaced-element", what + " is in the wrong place",
                        "it belongs in " + tag(home_of(name)) + "; here it is ignored");
    } else if (!near.empty()) {
      findings_.warning(line, "misspelt-element", what + " is not URDF",
                        "did you mean " + tag(near) + "? It is ignored");
    } else {
      findings_.note(line, "unknown-element", what + " is not URDF", "it is ignored");
    }
  }

  Findings& findings_;
};

}  // namespace

void check_vocabulary(const XMLElement& robot, Findings& findings) {
  Checker(findings).check(robot, *find_element("robot"), label(robot));
}

}  // namespace lockstep::host
