// XML -> Draft: reads names and numbers strictly and reports what it cannot read.
#pragma once

#include <tinyxml2.h>

#include "text/finding.hpp"
#include "urdf/draft.hpp"

namespace lockstep::host {

// Parses scanned text into `document`; the <robot> element, or null and a finding.
const tinyxml2::XMLElement* parse_robot(const std::string& text, tinyxml2::XMLDocument& document,
                                        Findings& findings);

Draft parse_draft(const tinyxml2::XMLElement& robot, Findings& findings);

}  // namespace lockstep::host
