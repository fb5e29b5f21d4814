// A run of a sweep: that of `lockstep sim` with what varies in it, to the same hash.
#pragma once

#include "sim/joint_watch.hpp"
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

// A run that has not taken a step; it stays where it is.
struct StartedRun {
  std::uint64_t run = 0;
  sim::JointStart start;
  Devices devices = {};
};

// What its states leave. The run outlives it.
class RunWatch {
 public:
  RunWatch(const Question& question, const StartedRun& run);

  void add(const JointMoment& now);
  Finished finished(std::uint64_t steps, std::uint64_t hash, bool broke_off) const;

 private:
  const Question& question_;
  const StartedRun& run_;
  const JointRecord rows_;
  sim::JointWatch balanced_;
  Measured measured_;
};

// Each throws Error that names the run, for what cannot be set or does not start.
StartedRun start_run(const Question& question, std::uint64_t run);
Finished finish_run(const Question& question, StartedRun& run);

}  // namespace lockstep::host::sweep
