// All that differs from one board to the next; a port is one file that defines these, and a linker
// script with the memory map. What every Cortex-M has is in cortex_m.hpp, start_up.cpp, faults.cpp.
#pragma once

#include <cstdint>

namespace lockstep::board {

extern const std::uint32_t kClockHz;  // of the CPU and of its SysTick

void start();                           // clocks and UART; runs before the application
void write(std::uint8_t byte);          // to the UART; waits until there is room
int read();                             // a byte from the UART, or -1
[[noreturn]] void halt(int exit_code);  // 0: all is well. An emulator ends with this code

// Not the board's: where the image begins. What it returns goes to halt.
int application();

}  // namespace lockstep::board
