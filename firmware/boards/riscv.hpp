// What every RISC-V of one hart in machine mode shares, of the privileged architecture 1.10 and on.
// The timer (mtime, mtimecmp) is memory that the board places.
#pragma once

#include <cstdint>

namespace lockstep::board {

inline volatile std::uint32_t& word_at(std::uintptr_t address) {
  return *reinterpret_cast<volatile std::uint32_t*>(address);
}
inline volatile std::uint8_t& byte_at(std::uintptr_t address) {
  return *reinterpret_cast<volatile std::uint8_t*>(address);
}

// Where the board has mtime, of kClockHz, and the mtimecmp of hart 0.
extern const std::uintptr_t kTimer, kTimerCompare;

inline constexpr std::uintptr_t kInterruptsOn = 1u << 3;        // in mstatus
inline constexpr std::uintptr_t kTimerInterrupt = 1u << 7;      // in mie
inline constexpr std::uintptr_t kExternalInterrupt = 1u << 11;  // in mie

inline void interrupts_off() { asm volatile("csrc mstatus, %0" ::"r"(kInterruptsOn) : "memory"); }
inline void interrupts_on() { asm volatile("csrs mstatus, %0" ::"r"(kInterruptsOn) : "memory"); }
inline void enable(std::uintptr_t source) { asm volatile("csrs mie, %0" ::"r"(source) : "memory"); }
inline void disable(std::uintptr_t source) {
  asm volatile("csrc mie, %0" ::"r"(source) : "memory");
}

}  // namespace lockstep::board
