// A run of a sweep: that of `lockstep sim` with what varies in it, to the same hash.
#pragma once

#include "sweep/question.hpp"

namespace lockstep::host::sweep {

// Unstable: gained energy that nothing put in. Broken off: there was no next state.
enum class Verdict : std::uint8_t { kOk = 0, kUnstable = 1, kBrokeOff = 2 };
const char* to_string(Verdict verdict);

struct Finished {
  std::uint64_t run = 0;
  Verdict verdict = Verdict::kOk;
  std::uint64_t steps = 0;          // that were taken
  std::uint64_t hash = 0;           // over every q and v
  std::vector<double> values = {};  // of the question's measures
};

// Throws Error that names the run, for what cannot be set or does not start.
Finished run_one(const Question& question, std::uint64_t run);

}  // namespace lockstep::host::sweep
