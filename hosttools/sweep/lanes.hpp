// Runs of a sweep side by side in lanes, where nothing but forward dynamics of a tree moves them:
// the bits of each alone.
#pragma once

#include <span>

#include "sweep/run.hpp"

namespace lockstep::host::sweep {

// Whether such a run may go in lanes. Drives, limits, friction, ground, loops and the midpoint,
// which is found by repetition, want a run of their own.
bool goes_in_lanes(const Question& question, const sim::JointStart& start);

// In their order; the runs ascend. Throws Error as run_one does.
std::vector<Finished> run_side_by_side(const Question& question,
                                       std::span<const std::uint64_t> runs);

}  // namespace lockstep::host::sweep
