// Arm MPS2 with the AN386 image (Cortex-M4F) or AN500 (Cortex-M7), alike but for the CPU. The
// emulator calls them mps2-an386 and mps2-an500.
#include "boards/board.hpp"
#include "boards/cmsdk_uart.hpp"
#include "boards/cmsdk_watchdog.hpp"
#include "boards/emulator.hpp"

namespace lockstep::board {

using Uart = CmsdkUart<0x40004000, 0>;

const std::uint32_t kClockHz = 25'000'000;
using HardwareWatchdog = CmsdkWatchdog<0x40008000, kEmulatedWatchdogSeconds * 25'000'000>;

[[gnu::section(".vectors.interrupts"), gnu::used]] extern constexpr auto kInterruptVectors =
    Uart::vectors();

void start() { Uart::start(kClockHz, LOCKSTEP_BAUD); }
bool write(std::uint8_t byte) { return Uart::write(byte); }
int read() { return Uart::read(); }
LineErrors line_errors() { return Uart::line_errors(); }
void feed_watchdog() { HardwareWatchdog::feed(); }
void idle() { Uart::idle(); }
void halt(int exit_code) { end_emulation(exit_code); }

}  // namespace lockstep::board
