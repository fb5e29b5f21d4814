// A small sound robot, and ways to break it.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "urdf/read.hpp"

namespace lockstep::test {

inline constexpr std::string_view kArm = R"(<robot name="arm">
  <link name="base"/>
  <link name="upper">
    <inertial>
      <origin xyz="0 0 0.1" rpy="0 0 0"/>
      <mass value="2"/>
      <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.025" iyz="0" izz="0.01"/>
    </inertial>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/>
    <child link="upper"/>
    <origin xyz="0 0 0.3" rpy="0 0 0"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1.5" upper="1.25" effort="10" velocity="2"/>
    <dynamics damping="0.1" friction="0.2"/>
  </joint>
  <link name="fore">
    <inertial>
      <mass value="1"/>
      <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/>
    </inertial>
  </link>
  <joint name="elbow" type="continuous">
    <parent link="upper"/>
    <child link="fore"/>
    <mimic joint="shoulder" multiplier="0.5" offset="0.1"/>
  </joint>
</robot>
)";

// The arm with the first occurrence of `from` replaced.
inline std::string arm_with(std::string_view from, std::string_view to) {
  std::string text(kArm);
  const std::size_t at = text.find(from);
  if (at == std::string::npos) throw std::logic_error("the arm does not say " + std::string(from));
  return text.replace(at, from.size(), to);
}

inline std::vector<host::Finding> findings_of(const std::string& text) {
  return host::examine_text(text, {}).findings;
}

inline host::Description read(const std::string& text) {
  std::vector<host::Finding> warnings;
  return host::read_urdf_text(text, "arm.urdf", {}, warnings);
}

}  // namespace lockstep::test
