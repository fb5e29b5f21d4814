// The UART of Arm's Cortex-M System Design Kit, which the MPS boards carry. Polled.
#pragma once

#include "boards/cortex_m.hpp"

namespace lockstep::board {

template <std::uintptr_t kBase>
struct CmsdkUart {
  static void start(std::uint32_t clock_hz, std::uint32_t baud) {
    register_at(kBase + kBaudDivider) = clock_hz / baud;
    register_at(kBase + kControl) = kTransmit | kReceive;
  }
  static bool write(std::uint8_t byte) {
    if ((register_at(kBase + kState) & kTransmitFull) != 0) return false;
    register_at(kBase + kData) = byte;
    return true;
  }
  static int read() {
    if ((register_at(kBase + kState) & kReceiveFull) == 0) return -1;
    return static_cast<int>(register_at(kBase + kData) & 0xFF);
  }

 private:
  static constexpr std::uintptr_t kData = 0x00, kState = 0x04, kControl = 0x08, kBaudDivider = 0x10;
  static constexpr std::uint32_t kTransmitFull = 1, kReceiveFull = 2;  // in the state
  static constexpr std::uint32_t kTransmit = 1, kReceive = 2;          // in the control
};

}  // namespace lockstep::board
