// How the solver goes through a mechanism: its nodes in Forward order, and the constraints that the
// forest of nodes cannot hold.
#pragma once

#include <string>
#include <vector>

#include "mechanism/mechanism.hpp"

namespace lockstep::host {

struct Elimination {
  std::vector<std::string> forward;  // names; "wheel + stop" where rows share their body's node
  std::vector<bool> auxiliary;       // of each constraint
  std::size_t auxiliary_rows = 0;
};

// Throws Error where a table cannot hold the mechanism.
Elimination elimination(const Mechanism& mechanism);

}  // namespace lockstep::host
