// A small mechanism as text, and findings about what is made of it.
#pragma once

#include <string>
#include <string_view>

#include "mechanism/read.hpp"

#include <CppUTest/TestHarness.h>

namespace lockstep::test {

inline constexpr std::string_view kDoor = R"(<mechanism name="door">
  <gravity xyz="0 0 -9.81"/>
  <body name="leaf" type="rigid">
    <mass value="2"/>
    <inertia ixx="0.3" iyy="0.2" izz="0.1"/>
    <origin xyz="0.4 0 0" rpy="0 0 0.5"/>
    <velocity linear="0 0 0"/>
  </body>
  <body name="knob" type="particle">
    <mass value="0.1"/>
    <origin xyz="0.8 0 0"/>
  </body>
  <constraint name="hinge" type="revolute">
    <a/>
    <b body="leaf"/>
    <at xyz="0 0 0"/>
  </constraint>
  <constraint name="screw" type="ball">
    <a body="leaf"/>
    <b body="knob"/>
    <at xyz="0.8 0 0"/>
  </constraint>
</mechanism>
)";

// The door with the first occurrence of `from` replaced.
inline std::string door_with(std::string_view from, std::string_view to) {
  std::string text(kDoor);
  const std::size_t at = text.find(from);
  CHECK_TRUE_TEXT(at != std::string::npos, std::string(from).c_str());
  return text.replace(at, from.size(), to);
}

inline host::Mechanism mechanism_of(const std::string& text) {
  const host::MechanismExamination examination = host::examine_mechanism_text(text, {});
  for (const host::Finding& finding : examination.findings) {
    FAIL(host::format_labelled("mechanism.xml", finding).c_str());
  }
  return examination.mechanism;
}

inline std::string model_file(const std::string& name) {
  return LOCKSTEP_MODELS_DIR "/mechanisms/" + name + ".xml";
}

inline host::Mechanism model(const std::string& name) {
  std::vector<host::Finding> warnings;
  return host::read_mechanism(model_file(name), {}, warnings);
}

}  // namespace lockstep::test
