// A board whose time is a number that tests set.
#pragma once

#include <cstdint>

namespace lockstep::test {

struct FakeBoard {
  static constexpr std::uint32_t kLongestPeriod = 1u << 24;
  static inline std::uint32_t now_ticks, now_cycles, period;

  static std::uint32_t clock_hz() { return 1'000'000; }
  static void start_ticking(std::uint32_t cycles) {
    period = cycles;
    now_ticks = 0;
  }
  static std::uint32_t ticks() { return now_ticks; }
  static std::uint32_t cycles() { return now_cycles += 7; }  // all that is timed takes seven
  static std::uint32_t stack_bytes() { return 321; }
};

}  // namespace lockstep::test
