// ST Nucleo-F446RE: STM32F446RE, Cortex-M4F at 180 MHz, USART2 through the ST-LINK to the host's
// USB. Registers after ST's reference manual RM0390.
#include <array>

#include "boards/board.hpp"
#include "boards/byte_ring.hpp"
#include "boards/cortex_m.hpp"

extern "C" void fault_handler();

namespace lockstep::board {

const std::uint32_t kClockHz = 180'000'000;

namespace {

constexpr std::uintptr_t kPower = 0x40007000, kPowerState = kPower + 0x04;
constexpr std::uintptr_t kFlashAccess = 0x40023C00;
constexpr std::uintptr_t kClock = 0x40023800, kPll = kClock + 0x04, kClockChoice = kClock + 0x08,
                         kAhb1Enable = kClock + 0x30, kApb1Enable = kClock + 0x40;
constexpr std::uintptr_t kPortA = 0x40020000, kPortAOutput = kPortA + 0x14,
                         kPortAFunction = kPortA + 0x20;
constexpr std::uintptr_t kUart = 0x40004400, kUartData = kUart + 0x04, kUartBaud = kUart + 0x08,
                         kUartControl = kUart + 0x0C;

constexpr std::uint32_t kReceived = 1u << 5, kMayTransmit = 1u << 7;
constexpr std::uint32_t kLed = 1u << 5;  // LD2 on PA5

constexpr std::uint32_t kUartClockHz = 45'000'000;  // APB1
constexpr std::uint32_t kBaudDivider = (kUartClockHz + LOCKSTEP_BAUD / 2) / LOCKSTEP_BAUD;
constexpr std::int64_t kBaudError = std::int64_t{kUartClockHz / kBaudDivider} - LOCKSTEP_BAUD;
static_assert(kBaudDivider >= 16 && kBaudError * 100 < LOCKSTEP_BAUD &&
                  kBaudError * -100 < LOCKSTEP_BAUD,
              "LOCKSTEP_BAUD: 45 MHz divided by a whole number does not come within 1 % of it");

constexpr std::uint32_t kUartInterrupt = 38, kInterrupts = 97;

ByteRing<1024> received;  // 11 ms at 921600 baud

// Reading the state and then the data also clears an overrun, which would ask for ever.
void take_byte() {
  const std::uint32_t state = register_at(kUart);
  const auto byte = static_cast<std::uint8_t>(register_at(kUartData));
  if ((state & kReceived) != 0) received.push(byte);
}

void set_bits(std::uintptr_t address, std::uint32_t bits) {
  register_at(address) = register_at(address) | bits;
}
// Reads back: a peripheral does not listen in the first cycles of its clock.
void enable_clock(std::uintptr_t address, std::uint32_t bits) {
  set_bits(address, bits);
  [[maybe_unused]] const std::uint32_t value = register_at(address);
}
// The field at `shift`, `width` bits wide.
void set_field(std::uintptr_t address, int shift, int width, std::uint32_t value) {
  const std::uint32_t mask = ((1u << width) - 1) << shift;
  register_at(address) = (register_at(address) & ~mask) | (value << shift);
}

// Waits for the hardware, which takes milliseconds at most; false: it never came.
[[gnu::noinline]] bool comes(std::uintptr_t address, std::uint32_t mask, std::uint32_t value) {
  for (int i = 0; i < 100'000; ++i) {
    if ((register_at(address) & mask) == value) return true;
  }
  return false;
}
void require(bool came) {
  if (!came) halt(1);
}

// 180 MHz from the 8 MHz of the ST-LINK, or, on boards that do not connect them, from the internal
// 16 MHz, which are exact to 1 %. More than 168 MHz need the over-drive mode; the order is that of
// the manual for entering it, and no peripheral may have its clock yet.
void start_clocks() {
  enable_clock(kApb1Enable, 1u << 28);  // of the power controller
  set_field(kPower, 14, 2, 3);          // voltage scale 1
  set_bits(kClock, 1u << 18);           // a clock from outside, not a crystal
  set_bits(kClock, 1u << 16);
  const bool external = comes(kClock, 1u << 17, 1u << 17);
  const std::uint32_t to_2_mhz = external ? 4 : 8;
  // x 180 / 2; the two other outputs are not used, and divided by what is allowed
  register_at(kPll) = (2u << 28) | (8u << 24) | (external ? 1u << 22 : 0u) | (180u << 6) | to_2_mhz;
  set_bits(kClock, 1u << 24);
  set_bits(kPower, 1u << 16);
  require(comes(kPowerState, 1u << 16, 1u << 16));
  set_bits(kPower, 1u << 17);
  require(comes(kPowerState, 1u << 17, 1u << 17));
  const std::uint32_t five_wait_states = 5, caches_and_prefetch = 7u << 8;
  register_at(kFlashAccess) = caches_and_prefetch | five_wait_states;
  require(comes(kFlashAccess, 15, five_wait_states));
  set_field(kClockChoice, 10, 3, 5);  // APB1: a quarter, at most 45 MHz
  set_field(kClockChoice, 13, 3, 4);  // APB2: a half, at most 90 MHz
  require(comes(kClock, 1u << 25, 1u << 25));
  set_field(kClockChoice, 0, 2, 2);
  require(comes(kClockChoice, 3u << 2, 2u << 2));
}

void start_uart() {
  enable_clock(kAhb1Enable, 1u << 0);     // port A
  enable_clock(kApb1Enable, 1u << 17);    // USART2
  set_field(kPortAFunction, 8, 8, 0x77);  // PA2 and PA3 are its pins
  set_field(kPortA, 4, 4, 0xA);
  register_at(kUartBaud) = kBaudDivider;
  register_at(kUartControl) = (1u << 13) | kReceived | (1u << 3) | (1u << 2);
  register_at(kInterruptEnable + 4 * (kUartInterrupt / 32)) = 1u << (kUartInterrupt % 32);
}

}  // namespace

// Behind the 16 entries that every Cortex-M has (sections.ld).
[[gnu::section(".vectors.interrupts"), gnu::used]] extern constexpr auto kInterruptVectors = [] {
  std::array<void (*)(), kInterrupts> vectors{};
  vectors.fill(fault_handler);
  vectors[kUartInterrupt] = take_byte;
  return vectors;
}();

void start() {
  start_clocks();
  start_uart();
}

bool write(std::uint8_t byte) {
  if ((register_at(kUart) & kMayTransmit) == 0) return false;
  register_at(kUartData) = byte;
  return true;
}

int read() { return received.pop(); }

// An interrupt is an event that is remembered: one that comes just before this instruction makes it
// return at once, where wfi would sleep through it.
void idle() { asm volatile("wfe" ::: "memory"); }

// LD2: on, all is well; five flashes a second, something is wrong; one in two seconds, the clocks
// did not start either.
void halt(int exit_code) {
  enable_clock(kAhb1Enable, 1u << 0);
  set_field(kPortA, 10, 2, 1);
  set_bits(kPortAOutput, kLed);
  start_counting();
  for (;;) {
    if (exit_code != 0 && counted_to_the_end()) {
      register_at(kPortAOutput) = register_at(kPortAOutput) ^ kLed;
    }
  }
}

}  // namespace lockstep::board
