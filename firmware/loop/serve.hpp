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
};

template <class Device>
[[noreturn]] void serve(Device& device) {
  // the clock runs from the start; besides, its ticks make the emulator look at its UART again
  board::start_ticking(board::kLongestPeriod);
  for (;;) {
    device.poll();
    const int byte = board::read();
    if (byte >= 0) device.receive(static_cast<std::uint8_t>(byte));
    if (!device.outgoing().empty()) {
      if (board::write(device.outgoing().front())) device.sent();
    } else if (byte < 0) {
      board::idle();
    }
  }
}

}  // namespace lockstep::firmware
