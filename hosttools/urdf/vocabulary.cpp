#include "urdf/vocabulary.hpp"

#include <algorithm>
#include <set>

#include "text/number.hpp"
#include "text/suggest.hpp"

namespace lockstep::host {

using tinyxml2::XMLElement;

namespace {

constexpr ElementWords kElements[] = {
    {"robot", "name version", "sensors",
     "link joint loop coupling material contact_pair disable_collisions drivetrain",
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
    {"loop", "name type stiffness damping", "predecessor successor axis length", "", ""},
    {"coupling", "name type stiffness damping", "predecessor successor ratio", "", ""},
    {"predecessor", "link", "origin", "", ""},
    {"successor", "link", "origin", "", ""},
    {"ratio", "value", "", "", ""},
    {"length", "value", "", "", ""},
    {"collision", "name group", "origin geometry contact", "",
     "material verbose contact_coefficients surface max_contacts laser_retro"},
    {"geometry", "", "sphere box cylinder capsule mesh", "", ""},
    {"sphere", "radius", "", "", ""},
    {"box", "size", "", "", ""},
    {"cylinder", "radius length", "", "", ""},
    {"capsule", "radius length", "", "", ""},
    {"mesh", "filename scale", "", "", ""},
    {"contact", "friction restitution", "", "", ""},
    {"contact_pair", "link1 link2", "", "", ""},
    {"disable_collisions", "link1 link2 reason", "", "", ""},
    {"drivetrain", "joint delay", "motor gear friction spring", "", ""},
    {"motor",
     "torque_constant resistance voltage current inertia time_constant friction viscous", "", "",
     ""},
    {"gear", "ratio efficiency backlash", "", "", ""},
    {"friction", "coulomb stiction stribeck_velocity viscous", "", "", ""},
    {"spring", "stiffness damping", "", "", ""},
    {"sensors", "seed", "", "encoder imu force_torque", ""},
    {"encoder", "joint side counts resolution offset noise velocity time_constant", "", "", ""},
    {"imu",
     "name link acceleration_noise rate_noise acceleration_resolution rate_resolution "
     "acceleration_offset rate_offset",
     "origin", "", ""},
    {"force_torque", "joint force_noise torque_noise force_resolution torque_resolution", "", "",
     ""},
};

bool lists(std::string_view words, std::string_view word) {
  const auto list = words_of(words);
  return std::find(list.begin(), list.end(), word) != list.end();
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
  Checker(const Vocabulary& vocabulary, Findings& findings)
      : vocabulary_(vocabulary), findings_(findings) {}

  void check(const XMLElement& root) { check(root, vocabulary_.elements.front(), label(root)); }

 private:
  // The elements of a table nest five deep and never within themselves.
  void check(const XMLElement& element, const ElementWords& known, const std::string& owner) {
    check_attributes(element, known, owner);
    std::set<std::string_view> seen;
    for (const auto* node = element.FirstChild(); node; node = node->NextSibling()) {
      if (node->ToText()) {
        findings_.warning(node->GetLineNum(), "stray-text",
                          owner + ": text " + quote(node->Value()) + " in " + tag(known.name),
                          "remove it; values are attributes");
      }
      const XMLElement* child = node->ToElement();
      if (!child) continue;
      const std::string_view name = child->Name();
      const bool top = &known == &vocabulary_.elements.front();
      if (lists(known.once, name) && !seen.insert(name).second) {
        findings_.warning(child->GetLineNum(), "repeated-element",
                          owner + ": a second " + tag(name) + " in " + tag(known.name),
                          "remove one; the first is used");
      } else if (lists(known.once, name) || lists(known.many, name)) {
        const ElementWords* next = find_element(name);
        if (next) check(*child, *next, top ? label(*child) : owner);
      } else if (!lists(known.ignored, name)) {
        unknown_element(*child, known, owner);
      }
    }
  }

  void check_attributes(const XMLElement& element, const ElementWords& known,
                        const std::string& owner) {
    for (const auto* a = element.FirstAttribute(); a; a = a->Next()) {
      const std::string_view name = a->Name();
      if (name.find(':') != std::string_view::npos || name == "xmlns") continue;
      if (lists(known.attributes, name)) continue;
      const std::string what = owner + ": attribute " + quote(name) + " of " + tag(known.name);
      const std::string_view near = nearest_word(name, words_of(known.attributes));
      if (near.empty()) {
        findings_.note(a->GetLineNum(), "unknown-attribute", what + " is not " + vocabulary_.name,
                       "it is ignored");
      } else {
        findings_.warning(a->GetLineNum(), "misspelt-attribute",
                          what + " is not " + vocabulary_.name,
                          "did you mean " + quote(near) + "? It is ignored");
      }
    }
  }

  void unknown_element(const XMLElement& child, const ElementWords& known,
                       const std::string& owner) {
    const std::string_view name = child.Name();
    const int line = child.GetLineNum();
    const std::string what = owner + ": " + tag(name) + " in " + tag(known.name);
    if (name.starts_with("xacro:")) {
      findings_.error(line, "xacro", what + " is a macro, not " + vocabulary_.name,
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
      findings_.warning(line, "misspelt-element", what + " is not " + vocabulary_.name,
                        "did you mean " + tag(near) + "? It is ignored");
    } else {
      findings_.note(line, "unknown-element", what + " is not " + vocabulary_.name,
                     "it is ignored");
    }
  }

  const ElementWords* find_element(std::string_view name) const {
    const auto found = std::ranges::find(vocabulary_.elements, name, &ElementWords::name);
    return found == vocabulary_.elements.end() ? nullptr : &*found;
  }

  std::string_view home_of(std::string_view child) const {
    const auto found = std::ranges::find_if(vocabulary_.elements, [&](const ElementWords& e) {
      return lists(e.once, child) || lists(e.many, child);
    });
    return found == vocabulary_.elements.end() ? std::string_view() : found->name;
  }

  const Vocabulary& vocabulary_;
  Findings& findings_;
};

}  // namespace

void check_words(const XMLElement& root, const Vocabulary& vocabulary, Findings& findings) {
  Checker(vocabulary, findings).check(root);
}

void check_vocabulary(const XMLElement& robot, Findings& findings) {
  check_words(robot, {"URDF", kElements}, findings);
}

}  // namespace lockstep::host
