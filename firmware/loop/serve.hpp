// A device on its board: bytes to it, bytes from it, its ticks. The only file of the loop that
// calls the board; what it calls never waits.
#pragma once

#include <cstdint>

#include "boards/board.hpp"

namespace lockstep::firmware {

// The board as a Session wants it.
struct ThisBoard {
  static constexpr std::uint32_t kLongestPeriod = board::kLongestPeriod;
  static std::uint32_t clock_hz() { return board::kClockHz; }
  static void start_ticking(std::uint32_t period) { board::start_ticking(period); }
  static std::uint32_t ticks() { return board::ticks(); }
  static std::uint32_t cycles() { return board::cycles(); }
  static std::uint32_t stack_bytes() { return board::stack_bytes(); }
  static std::uint32_t build_id() { return board::kBuildId; }
  static link::ResetReason reset_reason() { return board::reset_reason(); }
  static board::LineErrors line_errors() { return board::line_errors(); }
  static link::LatenessReply lateness() { return board::lateness(); }
  static void feed_watchdog() { board::feed_watchdog(); }
  static const board::FaultRecord* fault() { return board::fault(); }
  static void forget_fault() { board::forget_fault(); }
  static void note_step(std::uint64_t step) { board::note_step(step); }
};

// A turn's: what a line brings in a long step, and no more, so that ticks are not kept waiting.
inline constexpr int kMostBytes = 256;

template <class Device>
[[noreturn]] void serve(Device& device) {
  // the clock runs from the start; besides, its ticks make the emulator look at its UART again
  board::start_ticking(board::kLongestPeriod);
  for (;;) {
    device.poll();
    if (board::is_line_closed() && !device.is_acting()) board::halt(0);
    // all that waits, up to one request: a byte a turn would fall behind where each turn is a step
    int count = 0;
    for (bool ended = false; count < kMostBytes && !ended; ++count) {
      const int byte = board::read();
      if (byte < 0) break;
      ended = device.receive(static_cast<std::uint8_t>(byte));
    }
    if (!device.outgoing().empty()) {
      if (board::write(device.outgoing().front())) device.sent();
    } else if (count == 0 && !device.is_busy()) {
      board::idle();
    }
  }
}

}  // namespace lockstep::firmware
