// All that differs from one board to the next; a port is one file that defines these, and a linker
// script with the memory map (docs/porting.md). What all have is written once: start_up.cpp,
// faults.cpp; what every Cortex-M has: cortex_m*, and tick.cpp with the three functions of the
// tick; what every RISC-V has: riscv*.
#pragma once

#include <cstdint>

#include "boards/faults.hpp"
#include "lockstep/link/messages.hpp"

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

// What a board may leave out: defaults.cpp stands in, and knows of nothing.
struct LineErrors {  // of the UART
  std::uint32_t overruns = 0, framing = 0, noise = 0, dropped = 0;
};
LineErrors line_errors();
link::LatenessReply lateness();  // of ticks, where an operating system is in between
bool is_line_closed();           // nobody will ever speak again: halts once nothing acts
link::ResetReason reset_reason();
void feed_watchdog();  // of the hardware; called after each punctual tick, and where none runs
const FaultRecord* fault();  // the last one, from before a reset too; null: there is none
void forget_fault();
void note_step(std::uint64_t step);  // for the record of a fault

extern const std::uint32_t kBuildId;  // of the sources

// Not the board's: where the image begins. What it returns goes to halt.
int application();

}  // namespace lockstep::board
