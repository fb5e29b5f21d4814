// From reset to main, for every RISC-V in machine mode: stack, FPU on, traps, .data and .bss,
// constructors, a painted stack, the board, the application.
#include <cstdint>

#include "boards/board.hpp"

namespace {

constexpr std::uint32_t kPaint = 0xC0FFEE5A;

}  // namespace

extern "C" {

extern std::uint32_t __stack_top, __paint_start, __data_start, __data_end, __data_load, __bss_start,
    __bss_end;
extern void (*__init_array_start[])();
extern void (*__init_array_end[])();

void reset_handler();
void trap_vectors();

// Apart from reset_handler: the compiler may use the stack and FPU registers here.
[[gnu::used, noreturn]] void run_image() {
  const std::uint32_t* from = &__data_load;
  for (std::uint32_t* to = &__data_start; to != &__data_end; ++to, ++from) *to = *from;
  for (std::uint32_t* to = &__bss_start; to != &__bss_end; ++to) *to = 0;
  for (auto construct = __init_array_start; construct != __init_array_end; ++construct) {
    (*construct)();
  }
  std::uint32_t* here = nullptr;
  asm volatile("mv %0, sp" : "=r"(here));
  for (std::uint32_t* word = &__paint_start; word < here; ++word) *word = kPaint;
  lockstep::board::start();
  lockstep::board::halt(lockstep::board::application());
}

// First in memory: where the CPU begins. mstatus.FS 1: FPU on; fcsr 0: round to nearest. Interrupts
// are off after reset; mtvec's lowest bit: a vector for each. Other harts wait for ever.
[[gnu::naked, gnu::section(".vectors"), gnu::used]] void reset_handler() {
  asm volatile(
      "csrr t0, mhartid\n"
      "1: bnez t0, 1b\n"
      "la sp, __stack_top\n"
      "li t0, 0x2000\n"
      "csrs mstatus, t0\n"
      "csrw fcsr, zero\n"
      "la t0, trap_vectors\n"
      "ori t0, t0, 1\n"
      "csrw mtvec, t0\n"
      "j run_image\n");
}
}

std::uint32_t lockstep::board::stack_bytes() {
  const volatile std::uint32_t* word = &__paint_start;
  while (word != &__stack_top && *word == kPaint) ++word;
  return static_cast<std::uint32_t>(&__stack_top - word) * sizeof(std::uint32_t);
}
