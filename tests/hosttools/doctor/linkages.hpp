// Small mechanisms with loops, as text.
#pragma once

#include <string>

namespace lockstep::test {

inline std::string solid(const std::string& name) {
  return "<link name='" + name +
         "'><inertial><mass value='1'/>"
         "<inertia ixx='.1' ixy='0' ixz='0' iyy='.1' iyz='0' izz='.1'/></inertial></link>\n";
}

// A joint about z, `along` metres from the parent's origin.
inline std::string hinge(const std::string& parent, const std::string& child,
                         const std::string& along) {
  return solid(child) + "<joint name='to_" + child + "' type='continuous'><parent link='" + parent +
         "'/><child link='" + child + "'/><origin xyz='" + along +
         " 0 0'/><axis xyz='0 0 1'/></joint>\n";
}

inline std::string loop(const std::string& type, const std::string& predecessor,
                        const std::string& at_predecessor, const std::string& successor,
                        const std::string& at_successor) {
  return "<loop name='loop' type='" + type + "'><predecessor link='" + predecessor +
         "'><origin xyz='" + at_predecessor + "'/></predecessor><successor link='" + successor +
         "'><origin xyz='" + at_successor + "'/></successor><axis xyz='0 0 1'/></loop>\n";
}

inline std::string robot(const std::string& elements) {
  return "<robot name='r'><link name='base'/>\n" + elements + "</robot>";
}

// A crank of 0.3, a coupler of 0.7 and a rocker of 0.5 on a base of `base` metres.
inline std::string four_bar(const std::string& base, const std::string& type) {
  return robot(hinge("base", "crank", "0") + hinge("crank", "coupler", ".3") +
               hinge("base", "rocker", base) + loop(type, "coupler", ".7 0 0", "rocker", ".5 0 0"));
}

}  // namespace lockstep::test
