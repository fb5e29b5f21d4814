// How long ticks took, in the board's cycles: the shortest, the longest, the last few.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "lockstep/link/messages.hpp"

namespace lockstep::firmware {

struct TickTimes {
  using Last = decltype(link::TickTimesReply::cycles);

  std::uint64_t ticks = 0;
  std::uint32_t shortest = std::numeric_limits<std::uint32_t>::max(), longest = 0;
  std::uint32_t overruns = 0;  // ticks that came while an earlier one was still at work
  Last ring{};                 // tick n in place n modulo its size

  void add(std::uint32_t cycles) {
    ring[place_of(ticks)] = cycles;
    ++ticks;
    shortest = std::min(shortest, cycles);
    longest = std::max(longest, cycles);
  }
  // The latest first; zeros where there were fewer.
  Last last() const {
    Last cycles;
    for (std::size_t i = 0; i < cycles.size(); ++i) {
      cycles[i] = ring[place_of(ticks - 1 - i)];
    }
    return cycles;
  }

 private:
  static constexpr std::size_t place_of(std::uint64_t tick) {
    return static_cast<std::size_t>(tick % Last().size());
  }
};

}  // namespace lockstep::firmware
