// <drivetrain> and <sensors> of a robot, as docs/files.md describes them.
#pragma once

#include "urdf/element_reader.hpp"

namespace lockstep::host {

DraftDrivetrain parse_drivetrain(const tinyxml2::XMLElement& element, ElementReader& read);
DraftSensors parse_sensors(const tinyxml2::XMLElement& element, ElementReader& read,
                           Findings& findings);

}  // namespace lockstep::host
