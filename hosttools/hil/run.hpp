// Runs of a target against its twin: the plant, the controller or the dynamics on the target, the
// rest of the loop on the host, every answer compared bit for bit.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "hil/client.hpp"
#include "hil/difference.hpp"
#include "hil/plan.hpp"
#include "hil/recorder.hpp"
#include "hil/scenario.hpp"
#include "hil/servo_pair.hpp"

namespace lockstep::host::hil {

struct Outcome {
  std::uint64_t steps = 0;                       // that both took and agreed on
  std::uint64_t target_hash = 0, host_hash = 0;  // at the end
  std::optional<Difference> difference;
  link::ReportReply report;  // the target's own
  BoundedOutcome bounded;    // what bounds did, in the twin
  Balance balance;           // of its energy, frame by frame
  BalanceLine verdict;
  std::optional<ServoStory> servo;
  bool is_compared = true;                      // bit for bit, with a twin
  std::optional<link::LatenessReply> lateness;  // of its ticks, where the target knows
};

using Progress = std::function<void(std::uint64_t steps)>;

// With a target that has been introduced; `recorder` may be null. Throws Error.
template <class T>
Outcome run(Client& client, const Tree& tree, const Scenario& scenario, Plan<T>& plan,
            Recorder<T>* recorder, const Progress& progress);

}  // namespace lockstep::host::hil
