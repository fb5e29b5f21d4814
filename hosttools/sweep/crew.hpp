// Threads that take one run after the other. Which of them takes which enters no result.
#pragma once

#include <functional>
#include <vector>

#include "sweep/run.hpp"

namespace lockstep::host::sweep {

// Runs these, in ascending order, on so many threads; `finish` is called for each that is done, one
// at a time. Throws the Error of the first run, by number, that has one, when those that had begun
// are through: whatever the threads, the same.
void run_all(const Question& question, const std::vector<std::uint64_t>& runs, int threads,
             const std::function<void(const Finished&)>& finish);

}  // namespace lockstep::host::sweep
