// All that differs from one board to the next; a port is one file that defines these, and a linker
// script with the memory map (docs/porting.md). What every Cortex-M has is written once:
// cortex_m.hpp, start_up.cpp, faults.cpp, and tick.cpp with the three functions of the tick.
#pragma once

#include <cstdint>

namespace lockstep::board {

extern const std::uint32_t kClockHz;  // what `cycles` counts

void start();                           // clocks and UART; runs before the application
bool write(std::uint8_t byte);          // to the UART; false when there is no room yet
int read();                             // a byte from the UART, or -1
void idle();                            // nothing to do until a byte or a tick; may return early
[[noreturn]] void halt(int exit_code);  // 0: all is well. An emulator ends with this code

// The tick: a hardware timer of the fixed rate.
void start_ticking(std::uint32_t period);  // in cycles, at most kLongestPeriod
std::uint32_t ticks();                     // that have come since then
std::uint32_t cycles();                    // that have passed since then; wraps
inline constexpr std::uint32_t kLongestPeriod = 1u << 24;

std::uint32_t stack_bytes();  // that were ever in use, of the last 64 KB; 0 where nobody knows

// Not the board's: where the image begins. What it returns goes to halt.
int application();

}  // namespace lockstep::board
