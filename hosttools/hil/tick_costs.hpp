// What ticks of the target cost, for the rows of a record: asked for, with TickTimes, where a row
// tells of one. Of a plant that is the step that led to the row's state; of what else runs there
// the tick that gave the torques of the row, which holds until the next as they do.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "hil/client.hpp"
#include "hil/scenario.hpp"
#include "record/record.hpp"

namespace lockstep::host::hil {

struct TickUnit {
  double clock_hz = 1;            // of the target's cycles
  std::optional<int> shift = {};  // of an emulated chip: an instruction takes 2^shift ns
  RecordColumn column() const;    // `instructions`, or `tick_time [us]`
  double of(double cycles) const;
};

class TickCosts {
 public:
  // For the first row, the last, and those whose step `every` divides.
  TickCosts(Client& client, const TickUnit& unit, const Scenario& scenario, std::uint64_t every)
      : client_(client), unit_(unit), steps_(scenario.steps), every_(every) {}

  // Whether the cost of each row's step can be known: a target remembers its last ticks, which a
  // frame of more steps passes by, and one that runs by its own clock is not asked at each.
  static bool are_told(const Scenario& scenario);
  // False where the firmware is older than the question.
  static bool are_known_to(Client& client);

  RecordColumn column() const { return unit_.column(); }

  // Of so many steps of a plant, those to take before it is asked.
  std::uint32_t at_once(std::uint64_t step, std::uint32_t count) const;
  // A plant took so many steps from this one on.
  void after_steps(std::uint64_t step, std::uint32_t count);
  // Another ticked in this state; its torques act for so many steps.
  void after_tick(std::uint64_t step, std::uint64_t count);
  // There was none in this state.
  void no_tick(std::uint64_t step) { add(step, 0); }

  // Of the row of this step, a later one at each call; 0 before the first tick.
  double at(std::uint64_t step);

 private:
  struct Cost {
    std::uint64_t from;  // the first state that it is told of
    std::uint32_t cycles;
  };
  std::uint64_t next_row(std::uint64_t step) const;  // at this step or after
  link::TickTimesReply ask();
  void add(std::uint64_t from, std::uint32_t cycles) { costs_.push_back({from, cycles}); }

  Client& client_;
  TickUnit unit_;
  std::uint64_t steps_, every_;
  std::deque<Cost> costs_;
};

}  // namespace lockstep::host::hil
