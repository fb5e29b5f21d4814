// What to call the coordinates of a robot in logs and messages: "elbow" for a joint of one degree of
// freedom, "root_joint.qx" for the parts of others. docs/notation.md has their meaning.
#pragma once

#include <string>
#include <vector>

#include "model/tree.hpp"

namespace lockstep::host {

std::vector<std::string> config_names(const Tree& tree);  // of q
std::vector<std::string> dof_names(const Tree& tree);     // of v and tau

}  // namespace lockstep::host
