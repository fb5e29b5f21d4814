// The closed robots of the benchmark; CMake writes the list, it knows what is there.
#pragma once

#include "candidate.hpp"

namespace lockstep::bench {

struct ClosedEntry {
  const char* name;
  const char* file;  // a URDF, or a case of the conformance folder
  double peer;       // ns of the best peer where MuJoCo's mj_forward of ur5 takes kPeerUr5; 0: none
  double share;      // of it that is the goal
  bool floating;     // its base
  std::unique_ptr<Candidate> (*make_closed)();
  std::unique_ptr<Candidate> (*make_open)();  // the tree alone
};
inline constexpr double kPeerUr5 = 1781;  // ns

std::span<const ClosedEntry> closed_roster();

}  // namespace lockstep::bench
