// The UART of Arm's Cortex-M System Design Kit, which the MPS boards carry. It holds a single byte,
// so an interrupt takes each away.
#pragma once

#include <array>
#include <cstddef>

#include "boards/board.hpp"
#include "boards/byte_ring.hpp"
#include "boards/cortex_m.hpp"

extern "C" void fault_handler();

namespace lockstep::board {

template <std::uintptr_t kBase, std::uint32_t kInterrupt>
struct CmsdkUart {
  static void start(std::uint32_t clock_hz, std::uint32_t baud) {
    register_at(kBase + kBaudDivider) = clock_hz / baud;
    register_at(kBase + kControl) = kTransmit | kReceive | kReceiveInterrupt;
    register_at(kInterruptEnable + 4 * (kInterrupt / 32)) = 1u << (kInterrupt % 32);
  }
  static bool write(std::uint8_t byte) {
    if ((register_at(kBase + kState) & kTransmitFull) != 0) return false;
    register_at(kBase + kData) = byte;
    return true;
  }
  static int read() { return received.pop(); }

  // Masked interrupts wake the CPU all the same, and none can come in between.
  static void idle() {
    asm volatile("cpsid i" ::: "memory");
    if (received.is_empty()) asm volatile("wfi");
    asm volatile("cpsie i" ::: "memory");
  }

  static LineErrors line_errors() {
    return {.overruns = overruns, .framing = 0, .noise = 0, .dropped = received.dropped()};
  }

  // Behind the 16 entries that every Cortex-M has (sections.ld).
  static constexpr auto vectors() {
    std::array<void (*)(), kInterrupt + 1> handlers{};
    handlers.fill(fault_handler);
    handlers[kInterrupt] = take_byte;
    return handlers;
  }

 private:
  static constexpr std::uintptr_t kData = 0x00, kState = 0x04, kControl = 0x08, kClear = 0x0C,
                                  kBaudDivider = 0x10;
  static constexpr std::uint32_t kTransmitFull = 1, kReceiveFull = 2,
                                 kReceiveOverrun = 8;  // in the state
  static constexpr std::uint32_t kTransmit = 1, kReceive = 2, kReceiveInterrupt = 8;

  static void take_byte() {
    register_at(kBase + kClear) = kReceive;
    if ((register_at(kBase + kState) & kReceiveOverrun) != 0) {
      register_at(kBase + kState) = kReceiveOverrun;  // written to be cleared
      overruns = overruns + 1;
    }
    if ((register_at(kBase + kState) & kReceiveFull) == 0) return;
    received.push(static_cast<std::uint8_t>(register_at(kBase + kData)));
  }

  static inline ByteRing<256> received;
  static inline volatile std::uint32_t overruns = 0;
};

}  // namespace lockstep::board
