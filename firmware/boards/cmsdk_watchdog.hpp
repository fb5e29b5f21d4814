// The watchdog of Arm's Cortex-M System Design Kit, which the MPS boards carry: first the NMI, a
// fault whose record tells where the loop hung; if that does not end, a reset.
#pragma once

#include "boards/cortex_m.hpp"

namespace lockstep::board {

// So many counts of its clock; it runs from the first feed on.
template <std::uintptr_t kBase, std::uint32_t kCounts>
struct CmsdkWatchdog {
  static void feed() {
    register_at(WDOGLOAD) = kCounts;
    register_at(WDOGCONTROL) = WDOGCONTROL_INTEN | WDOGCONTROL_RESEN;
  }

 private:
  static constexpr std::uintptr_t WDOGLOAD = kBase, WDOGCONTROL = kBase + 0x08;
  static constexpr std::uint32_t WDOGCONTROL_INTEN = 1u << 0, WDOGCONTROL_RESEN = 1u << 1;
};

// Of virtual time: an emulated CPU is slow, and the longest steps of quadrupeds take 2 s there.
inline constexpr std::uint32_t kEmulatedWatchdogSeconds = 10;

}  // namespace lockstep::board
