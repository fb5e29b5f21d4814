// ST Nucleo-F446RE: STM32F446RE, Cortex-M4F at 180 MHz, USART2 through the ST-LINK to the host's
// USB, by interrupts both ways. Registers and bits have the names of ST's reference manual RM0390.
// A failing clock (NMI) and a low supply (exception 17) are faults; the independent watchdog
// resets.
#include <array>

#include "boards/board.hpp"
#include "boards/byte_ring.hpp"
#include "boards/cortex_m.hpp"

extern "C" void fault_handler();

namespace lockstep::board {

const std::uint32_t kClockHz = 180'000'000;

namespace {

constexpr std::uintptr_t PWR_CR = 0x40007000, PWR_CSR = PWR_CR + 0x04;
constexpr std::uint32_t PWR_CR_PVDE = 1u << 4, PWR_CR_ODEN = 1u << 16, PWR_CR_ODSWEN = 1u << 17;
constexpr int PWR_CR_PLS = 5, PWR_CR_VOS = 14;
constexpr std::uint32_t PWR_CSR_ODRDY = 1u << 16, PWR_CSR_ODSWRDY = 1u << 17;

constexpr std::uintptr_t FLASH_ACR = 0x40023C00;
constexpr std::uint32_t FLASH_ACR_LATENCY = 15, FLASH_ACR_PRFTEN = 1u << 8,
                        FLASH_ACR_ICEN = 1u << 9, FLASH_ACR_DCEN = 1u << 10;

constexpr std::uintptr_t RCC_CR = 0x40023800, RCC_PLLCFGR = RCC_CR + 0x04, RCC_CFGR = RCC_CR + 0x08,
                         RCC_AHB1ENR = RCC_CR + 0x30, RCC_APB1ENR = RCC_CR + 0x40,
                         RCC_APB2ENR = RCC_CR + 0x44, RCC_CSR = RCC_CR + 0x74;
constexpr std::uint32_t RCC_CR_HSEON = 1u << 16, RCC_CR_HSERDY = 1u << 17, RCC_CR_HSEBYP = 1u << 18,
                        RCC_CR_CSSON = 1u << 19, RCC_CR_PLLON = 1u << 24, RCC_CR_PLLRDY = 1u << 25;
constexpr int RCC_PLLCFGR_PLLN = 6, RCC_PLLCFGR_PLLQ = 24, RCC_PLLCFGR_PLLR = 28;
constexpr std::uint32_t RCC_PLLCFGR_PLLSRC = 1u << 22;
constexpr int RCC_CFGR_SW = 0, RCC_CFGR_SWS = 2, RCC_CFGR_PPRE1 = 10, RCC_CFGR_PPRE2 = 13;
constexpr std::uint32_t RCC_AHB1ENR_GPIOAEN = 1u << 0, RCC_APB1ENR_USART2EN = 1u << 17,
                        RCC_APB1ENR_PWREN = 1u << 28, RCC_APB2ENR_SYSCFGEN = 1u << 14;
constexpr std::uint32_t RCC_CSR_RMVF = 1u << 24, RCC_CSR_BORRSTF = 1u << 25,
                        RCC_CSR_PINRSTF = 1u << 26, RCC_CSR_PORRSTF = 1u << 27,
                        RCC_CSR_SFTRSTF = 1u << 28, RCC_CSR_IWDGRSTF = 1u << 29,
                        RCC_CSR_WWDGRSTF = 1u << 30;

constexpr std::uintptr_t IWDG_KR = 0x40003000, IWDG_PR = IWDG_KR + 0x04, IWDG_RLR = IWDG_KR + 0x08;
constexpr std::uint32_t kIwdgAccess = 0x5555, kIwdgReload = 0xAAAA, kIwdgStart = 0xCCCC;
// The clock of the watchdog, LSI, has 17 to 47 kHz: 128 counts of 64 cycles are 174 to 482 ms,
// which is longer than any tick (kLongestPeriod: 93 ms).
constexpr std::uint32_t kIwdgBy64 = 4, kIwdgCounts = 128;

constexpr std::uintptr_t EXTI_IMR = 0x40013C00, EXTI_RTSR = EXTI_IMR + 0x08;
constexpr std::uint32_t kPvdLine = 1u << 16;
constexpr std::uintptr_t GPIOA_MODER = 0x40020000, GPIOA_ODR = GPIOA_MODER + 0x14,
                         GPIOA_AFRL = GPIOA_MODER + 0x20;
constexpr std::uint32_t kLed = 1u << 5;  // LD2 on PA5

constexpr std::uintptr_t USART2_SR = 0x40004400, USART2_DR = USART2_SR + 0x04,
                         USART2_BRR = USART2_SR + 0x08, USART2_CR1 = USART2_SR + 0x0C;
constexpr std::uint32_t USART_SR_FE = 1u << 1, USART_SR_NF = 1u << 2, USART_SR_ORE = 1u << 3,
                        USART_SR_RXNE = 1u << 5, USART_SR_TXE = 1u << 7;
constexpr std::uint32_t USART_CR1_RE = 1u << 2, USART_CR1_TE = 1u << 3, USART_CR1_RXNEIE = 1u << 5,
                        USART_CR1_TXEIE = 1u << 7, USART_CR1_UE = 1u << 13;

constexpr std::uint32_t kUartClockHz = 45'000'000;  // APB1
constexpr std::uint32_t kBaudDivider = (kUartClockHz + LOCKSTEP_BAUD / 2) / LOCKSTEP_BAUD;
constexpr std::int64_t kBaudError = std::int64_t{kUartClockHz / kBaudDivider} - LOCKSTEP_BAUD;
static_assert(kBaudDivider >= 16 && kBaudError * 100 < LOCKSTEP_BAUD &&
                  kBaudError * -100 < LOCKSTEP_BAUD,
              "LOCKSTEP_BAUD: 45 MHz divided by a whole number does not come within 1 % of it");

constexpr std::uint32_t kPvdInterrupt = 1, kUartInterrupt = 38, kInterrupts = 97;

ByteRing<1024> received;  // 11 ms at 921600 baud
ByteRing<64> sending;
volatile std::uint32_t overruns, framing, noise;
link::ResetReason reason = link::ResetReason::kUnknown;

void set_bits(std::uintptr_t address, std::uint32_t bits) {
  register_at(address) = register_at(address) | bits;
}
void clear_bits(std::uintptr_t address, std::uint32_t bits) {
  register_at(address) = register_at(address) & ~bits;
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
void enable_interrupt(std::uint32_t number) {
  register_at(kInterruptEnable + 4 * (number / 32)) = 1u << (number % 32);
}

// A byte came, or there is room for one. Reading the state and then the data also clears errors.
void uart_handler() {
  const std::uint32_t state = register_at(USART2_SR);
  if ((state & (USART_SR_RXNE | USART_SR_ORE)) != 0) {
    const auto byte = static_cast<std::uint8_t>(register_at(USART2_DR));
    overruns = overruns + ((state & USART_SR_ORE) != 0 ? 1 : 0);
    framing = framing + ((state & USART_SR_FE) != 0 ? 1 : 0);
    noise = noise + ((state & USART_SR_NF) != 0 ? 1 : 0);
    if ((state & USART_SR_RXNE) != 0) received.push(byte);
  }
  if ((state & USART_SR_TXE) != 0 && (register_at(USART2_CR1) & USART_CR1_TXEIE) != 0) {
    const int byte = sending.pop();
    if (byte >= 0) {
      register_at(USART2_DR) = static_cast<std::uint8_t>(byte);
    } else {
      clear_bits(USART2_CR1, USART_CR1_TXEIE);
    }
  }
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

// PINRSTF comes with every reset, and PORRSTF with BORRSTF: the rarest is asked for first.
void find_reset_reason() {
  using enum link::ResetReason;
  const std::uint32_t flags = register_at(RCC_CSR);
  reason = (flags & (RCC_CSR_IWDGRSTF | RCC_CSR_WWDGRSTF)) != 0 ? kWatchdog
           : (flags & RCC_CSR_SFTRSTF) != 0                     ? kSoftware
           : (flags & RCC_CSR_PORRSTF) != 0                     ? kPower
           : (flags & RCC_CSR_BORRSTF) != 0                     ? kBrownOut
           : (flags & RCC_CSR_PINRSTF) != 0                     ? kPin
                                                                : kUnknown;
  set_bits(RCC_CSR, RCC_CSR_RMVF);
}

// 180 MHz from the 8 MHz of the ST-LINK, or, on boards that do not connect them, from the internal
// 16 MHz, which are exact to 1 %. More than 168 MHz need the over-drive mode; the order is that of
// the manual for entering it, and no peripheral may have its clock yet. If the outer clock fails
// later, its security system switches to the internal one and raises the NMI: a fault.
void start_clocks() {
  enable_clock(RCC_APB1ENR, RCC_APB1ENR_PWREN);
  set_field(PWR_CR, PWR_CR_VOS, 2, 3);  // voltage scale 1
  set_bits(RCC_CR, RCC_CR_HSEBYP);      // a clock from outside, not a crystal
  set_bits(RCC_CR, RCC_CR_HSEON);
  const bool external = comes(RCC_CR, RCC_CR_HSERDY, RCC_CR_HSERDY);
  const std::uint32_t to_2_mhz = external ? 4 : 8;
  // x 180 / 2; the two other outputs are not used, and divided by what is allowed
  register_at(RCC_PLLCFGR) = (2u << RCC_PLLCFGR_PLLR) | (8u << RCC_PLLCFGR_PLLQ) |
                             (external ? RCC_PLLCFGR_PLLSRC : 0u) | (180u << RCC_PLLCFGR_PLLN) |
                             to_2_mhz;
  set_bits(RCC_CR, RCC_CR_PLLON);
  set_bits(PWR_CR, PWR_CR_ODEN);
  require(comes(PWR_CSR, PWR_CSR_ODRDY, PWR_CSR_ODRDY));
  set_bits(PWR_CR, PWR_CR_ODSWEN);
  require(comes(PWR_CSR, PWR_CSR_ODSWRDY, PWR_CSR_ODSWRDY));
  const std::uint32_t five_wait_states = 5;
  register_at(FLASH_ACR) = FLASH_ACR_DCEN | FLASH_ACR_ICEN | FLASH_ACR_PRFTEN | five_wait_states;
  require(comes(FLASH_ACR, FLASH_ACR_LATENCY, five_wait_states));
  set_field(RCC_CFGR, RCC_CFGR_PPRE1, 3, 5);  // APB1: a quarter, at most 45 MHz
  set_field(RCC_CFGR, RCC_CFGR_PPRE2, 3, 4);  // APB2: a half, at most 90 MHz
  require(comes(RCC_CR, RCC_CR_PLLRDY, RCC_CR_PLLRDY));
  set_field(RCC_CFGR, RCC_CFGR_SW, 2, 2);
  require(comes(RCC_CFGR, 3u << RCC_CFGR_SWS, 2u << RCC_CFGR_SWS));
  if (external) set_bits(RCC_CR, RCC_CR_CSSON);
}

// Below 2.9 V an interrupt that nobody handles: a fault, while there is voltage left to switch off.
void watch_supply() {
  enable_clock(RCC_APB2ENR, RCC_APB2ENR_SYSCFGEN);
  set_field(PWR_CR, PWR_CR_PLS, 3, 7);
  set_bits(PWR_CR, PWR_CR_PVDE);
  set_bits(EXTI_RTSR, kPvdLine);
  set_bits(EXTI_IMR, kPvdLine);
  enable_interrupt(kPvdInterrupt);
}

void start_uart() {
  enable_clock(RCC_AHB1ENR, RCC_AHB1ENR_GPIOAEN);
  enable_clock(RCC_APB1ENR, RCC_APB1ENR_USART2EN);
  set_field(GPIOA_AFRL, 8, 8, 0x77);  // PA2 and PA3 are its pins
  set_field(GPIOA_MODER, 4, 4, 0xA);
  register_at(USART2_BRR) = kBaudDivider;
  register_at(USART2_CR1) = USART_CR1_UE | USART_CR1_RXNEIE | USART_CR1_TE | USART_CR1_RE;
  enable_interrupt(kUartInterrupt);
}

void prepare_watchdog() {
  register_at(IWDG_KR) = kIwdgAccess;
  register_at(IWDG_PR) = kIwdgBy64;
  register_at(IWDG_RLR) = kIwdgCounts;
}

bool in_exception() {
  std::uint32_t ipsr = 0;
  asm volatile("mrs %0, ipsr" : "=r"(ipsr));
  return ipsr != 0;
}

}  // namespace

// Behind the 16 entries that every Cortex-M has (sections.ld).
[[gnu::section(".vectors.interrupts"), gnu::used]] extern constexpr auto kInterruptVectors = [] {
  std::array<void (*)(), kInterrupts> vectors{};
  vectors.fill(fault_handler);
  vectors[kUartInterrupt] = uart_handler;
  return vectors;
}();

void start() {
  find_reset_reason();
  start_clocks();
  watch_supply();
  start_uart();
  prepare_watchdog();
}

// In a fault handler no interrupt sends: byte by byte then, first those that wait.
bool write(std::uint8_t byte) {
  if (in_exception()) {
    if ((register_at(USART2_SR) & USART_SR_TXE) == 0) return false;
    const int first = sending.pop();
    register_at(USART2_DR) = first >= 0 ? static_cast<std::uint8_t>(first) : byte;
    return first < 0;
  }
  if (sending.is_full()) return false;
  asm volatile("cpsid i" ::: "memory");  // not in the middle of the handler
  if (sending.is_empty() && (register_at(USART2_SR) & USART_SR_TXE) != 0) {
    register_at(USART2_DR) = byte;  // the emulator has no interrupt for room
  } else {
    sending.push(byte);
    set_bits(USART2_CR1, USART_CR1_TXEIE);
  }
  asm volatile("cpsie i" ::: "memory");
  return true;
}

int read() { return received.pop(); }

LineErrors line_errors() {
  return {.overruns = overruns, .framing = framing, .noise = noise, .dropped = received.dropped()};
}
link::ResetReason reset_reason() { return reason; }
// It begins with the first time: a program that never feeds it has none.
void feed_watchdog() {
  register_at(IWDG_KR) = kIwdgStart;
  register_at(IWDG_KR) = kIwdgReload;
}

// An interrupt is an event that is remembered: one that comes just before this instruction makes it
// return at once, where wfi would sleep through it.
void idle() { asm volatile("wfe" ::: "memory"); }

// LD2: on, all is well; five flashes a second, something is wrong; one in two seconds, the clocks
// did not start either.
void halt(int exit_code) {
  enable_clock(RCC_AHB1ENR, RCC_AHB1ENR_GPIOAEN);
  set_field(GPIOA_MODER, 10, 2, 1);
  set_bits(GPIOA_ODR, kLed);
  start_counting();
  for (;;) {
    feed_watchdog();
    if (exit_code != 0 && counted_to_the_end()) {
      register_at(GPIOA_ODR) = register_at(GPIOA_ODR) ^ kLed;
    }
  }
}

}  // namespace lockstep::board
