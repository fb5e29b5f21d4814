// How long ticks took, in the board's cycles.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace lockstep::firmware {

struct TickTimes {
  std::uint64_t ticks = 0;
  std::uint32_t shortest = std::numeric_limits<std::uint32_t>::max(), longest = 0;
  std::uint32_t overruns = 0;  // ticks that came while an earlier one was still at work

  void add(std::uint32_t cycles) {
    ++ticks;
    shortest = std::min(shortest, cycles);
    longest = std::max(longest, cycles);
  }
};

}  // namespace lockstep::firmware
