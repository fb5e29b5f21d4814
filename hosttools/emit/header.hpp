// Tree -> the static header of a robot: one struct of constexpr arrays that `Solver` takes as its
// model. The same tree and options give the same bytes, whatever the host, the time and the path;
// numbers are the shortest that read back to the same bits.
#pragma once

#include <string>

#include "model/tree.hpp"

namespace lockstep::host {

// Beyond this a straight line costs more in compile time and cache than it saves.
inline constexpr std::size_t kStraightLineBodies = 64;

struct EmitOptions {
  std::string struct_name;
  std::string source;          // base name of the file the robot was read from
  bool straight_line = false;  // with the robot's own operations written out
};

std::string emit_header(const Tree& tree, const EmitOptions& options);

}  // namespace lockstep::host
