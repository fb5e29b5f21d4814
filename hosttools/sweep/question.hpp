// All that a sweep asks: a robot, how its runs go, what varies, what is measured.
#pragma once

#include "robot/devices.hpp"
#include "sim/joint_start.hpp"
#include "sweep/measure.hpp"
#include "sweep/plan.hpp"

namespace lockstep::host::sweep {

struct Question {
  sim::SimOptions options;  // of the runs, but for what varies
  Plan plan;
  Description description;
  bool has_devices = false;
  std::uint64_t steps = 0, every = 1;  // of a run, and between two states that are looked at
  std::vector<RecordColumn> varied;    // with units
  std::vector<RecordColumn> columns;   // of a run's record
  std::vector<Measure> measures;
  bool in_lanes = false;   // as far as the first run tells
  std::uint64_t hash = 0;  // of all that the answer depends on
};

// Reads the files; warnings go to standard error. Throws Error.
Question ask(sim::SimOptions options, const std::string& sweep, std::uint64_t every);

}  // namespace lockstep::host::sweep
