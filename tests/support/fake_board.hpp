// A board whose time is a number that tests set.
#pragma once

#include <cstdint>

#include "boards/board.hpp"

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
  static inline std::uint32_t cost = 7;  // of all that is timed
  static std::uint32_t cycles() { return now_cycles += cost; }
  static std::uint32_t stack_bytes() { return 321; }

  static inline board::FaultRecord record = {};  // of its fault, if it is marked valid
  static inline board::LineErrors errors = {};
  static inline std::uint32_t fed = 0;
  static inline std::uint64_t noted = 0;
  static std::uint32_t build_id() { return 0xB111D; }
  static link::ResetReason reset_reason() { return link::ResetReason::kWatchdog; }
  static board::LineErrors line_errors() { return errors; }
  static link::LatenessReply lateness() { return {.status = Status::kUnknownMessage}; }
  static void feed_watchdog() { ++fed; }
  static const board::FaultRecord* fault() {
    return record.mark == board::FaultRecord::kValid ? &record : nullptr;
  }
  static void forget_fault() { record = {}; }
  static void note_step(std::uint64_t step) { noted = step; }
};

}  // namespace lockstep::test
