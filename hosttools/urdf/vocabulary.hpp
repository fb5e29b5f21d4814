// The words of URDF: finds elements and attributes that nobody will read because they are misspelt,
// misplaced or repeated. Looks into what describes dynamics only; pictures, simulators' and
// controllers' elements are taken as they are.
#pragma once

#include <tinyxml2.h>

#include "urdf/finding.hpp"

namespace lockstep::host {

void check_vocabulary(const tinyxml2::XMLElement& robot, Findings& findings);

}  // namespace lockstep::host
