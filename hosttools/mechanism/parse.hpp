// XML -> DraftMechanism: reads names and numbers strictly and reports what it cannot read.
#pragma once

#include <string>

#include "mechanism/draft.hpp"

namespace lockstep::host {

DraftMechanism parse_mechanism(const std::string& text, Findings& findings);

}  // namespace lockstep::host
