// The board that the emulator calls virt, for RISC-V of 32 and 64 bits: a 16550 UART, the timer of
// a SiFive CLINT at 10 MHz, a PLIC, and a register that ends the emulation. Bytes that come while a
// step is computed wait in the UART's queue of 16, and before it in the emulator, which loses none.
#include "boards/board.hpp"
#include "boards/fault_handler.hpp"
#include "boards/riscv.hpp"

namespace lockstep::board {

const std::uint32_t kClockHz = 10'000'000;
extern const std::uintptr_t kTimer = 0x0200BFF8, kTimerCompare = 0x02004000;

namespace {

// 16550: registers of a byte
constexpr std::uintptr_t kData = 0x10000000, kInterruptEnable = kData + 1, kFifoControl = kData + 2,
                         kLineControl = kData + 3, kLineState = kData + 5;
constexpr std::uint8_t kByteReceived = 1, kOverrun = 2, kFramingError = 8, kRoomToSend = 0x20;

// PLIC, for hart 0 in machine mode
constexpr std::uint32_t kUart = 10;
constexpr std::uintptr_t kPriority = 0x0C000000, kEnable = 0x0C002000, kThreshold = 0x0C200000,
                         kClaim = 0x0C200004;

constexpr std::uintptr_t kEnd = 0x00100000;  // the emulator's test device
constexpr std::uint32_t kPassed = 0x5555, kFailed = 0x3333, kReset = 0x7777;

LineErrors errors;

// Reading it clears the errors.
std::uint8_t line_state() {
  const std::uint8_t state = byte_at(kLineState);
  if ((state & kOverrun) != 0) ++errors.overruns;
  if ((state & kFramingError) != 0) ++errors.framing;
  return state;
}

}  // namespace

void start() {
  byte_at(kLineControl) = 3;  // 8 bits, no parity; the emulator's line has no baud rate
  byte_at(kFifoControl) = 7;  // on, and empty
  byte_at(kInterruptEnable) = kByteReceived;
  word_at(kPriority + 4 * kUart) = 1;
  word_at(kThreshold) = 0;
  word_at(kEnable) = 1u << kUart;
}

bool write(std::uint8_t byte) {
  if ((line_state() & kRoomToSend) == 0) return false;
  byte_at(kData) = byte;
  return true;
}

int read() { return (line_state() & kByteReceived) != 0 ? byte_at(kData) : -1; }
LineErrors line_errors() { return errors; }

// What is pending wakes the CPU though it is masked, and none can come in between. A byte that
// waits is an interrupt for as long as it waits; nobody ever takes it but here.
void idle() {
  interrupts_off();
  enable(kExternalInterrupt);
  asm volatile("wfi");
  disable(kExternalInterrupt);
  word_at(kClaim) = word_at(kClaim);  // claimed and completed
  interrupts_on();
}

void reset() {
  word_at(kEnd) = kReset;
  for (;;) {
  }
}

void halt(int exit_code) {
  const auto code = static_cast<std::uint32_t>(exit_code);
  word_at(kEnd) = code == 0 ? kPassed : code << 16 | kFailed;
  for (;;) {
  }
}

}  // namespace lockstep::board
