// Arm MPS3 with the AN547 image: Cortex-M55. The emulator calls it mps3-an547.
#include "boards/board.hpp"
#include "boards/cmsdk_uart.hpp"
#include "boards/cmsdk_watchdog.hpp"
#include "boards/emulator.hpp"

namespace lockstep::board {

using Uart = CmsdkUart<0x59303000, 33>;

const std::uint32_t kClockHz = 32'000'000;
// of a clock of its own, S32KCLK
using HardwareWatchdog = CmsdkWatchdog<0x5802E000, kEmulatedWatchdogSeconds * 32'000>;

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
