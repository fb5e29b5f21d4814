// A tree with the loops and couplings that close it, as peers get it. No Eigen here, as in
// candidate.hpp.
#pragma once

#include "candidate.hpp"
#include "lockstep/maximal/records.hpp"

namespace lockstep::bench {

struct ClosedRobot {
  std::span<const Body> bodies;
  std::span<const maximal::ConstraintRecord> loops;
  std::span<const Coupling> couplings;
  std::span<const CouplingTerm> terms;
};

inline constexpr int kWeldType = 6;  // maximal::ConstraintType::kFixed
inline bool is_weld(const maximal::ConstraintRecord& loop) { return loop.type == kWeldType; }

std::unique_ptr<Candidate> make_closed_mujoco(const ClosedRobot& robot);

}  // namespace lockstep::bench
