// The registers that every Cortex-M shares (Armv7-M and Armv8-M system control space).
#pragma once

#include <cstdint>

namespace lockstep::board {

inline volatile std::uint32_t& register_at(std::uintptr_t address) {
  return *reinterpret_cast<volatile std::uint32_t*>(address);
}

inline constexpr std::uintptr_t kSysTickControl = 0xE000E010;
inline constexpr std::uintptr_t kSysTickReload = 0xE000E014;
inline constexpr std::uintptr_t kSysTickValue = 0xE000E018;  // counts down
inline constexpr std::uint32_t kSysTickRange = 1u << 24;
inline constexpr std::uint32_t kSysTickEnable = 1u << 0, kSysTickInterrupt = 1u << 1;
inline constexpr std::uint32_t kSysTickOfCpu = 1u << 2;         // CLKSOURCE
inline constexpr std::uint32_t kSysTickReachedZero = 1u << 16;  // COUNTFLAG

inline constexpr std::uintptr_t kInterruptEnable = 0xE000E100;  // ISER: 32 a register

// The memory protection unit of Armv7-M.
inline constexpr std::uintptr_t kMpuType = 0xE000ED90, kMpuControl = 0xE000ED94,
                                kMpuRegion = 0xE000ED98, kMpuBase = 0xE000ED9C,
                                kMpuAttributes = 0xE000EDA0;  // RASR
inline constexpr std::uint32_t kMpuTypeRegions = 0xFF00;      // DREGION
inline constexpr std::uint32_t kMpuControlEnable = 1u << 0;
inline constexpr std::uint32_t kMpuControlBackground = 1u << 2;  // PRIVDEFENA
inline constexpr std::uint32_t kMpuRegionEnable = 1u << 0, kMpuNeverExecute = 1u << 28;
inline constexpr int kMpuSize = 1;  // a field: 2^(n + 1) bytes

inline constexpr std::uintptr_t kApplicationInterrupt = 0xE000ED0C;  // AIRCR
inline constexpr std::uint32_t kVectorKey = 0x05FA0000, kSystemReset = 1u << 2;
inline constexpr std::uintptr_t kDefaultFloatState = 0xE000EF3C;  // FPDSCR
inline constexpr std::uintptr_t kCoprocessorAccess = 0xE000ED88;  // CPACR
inline constexpr std::uint32_t kFullAccessToFpu = 0xFu << 20;     // CP10, CP11
inline constexpr std::uintptr_t kConfigurableFault = 0xE000ED28;  // CFSR
inline constexpr std::uintptr_t kHardFault = 0xE000ED2C;          // HFSR
inline constexpr std::uintptr_t kMemoryFaultAddress = 0xE000ED34;
inline constexpr std::uintptr_t kBusFaultAddress = 0xE000ED38;

// SysTick as a free-running counter of the CPU clock, without an interrupt.
inline void start_counting() {
  register_at(kSysTickReload) = kSysTickRange - 1;
  register_at(kSysTickValue) = 0;
  register_at(kSysTickControl) = kSysTickOfCpu | kSysTickEnable;
}
inline void restart_counting() { register_at(kSysTickValue) = 0; }  // the next tick reloads it
inline bool counted_to_the_end() {
  return (register_at(kSysTickControl) & kSysTickReachedZero) != 0;
}

}  // namespace lockstep::board
