// From reset to main, for every Cortex-M: FPU on and as IEEE 754 says, .data and .bss, constructors,
// a painted stack, the board, the application.
#include <cstdint>

#include "boards/board.hpp"
#include "boards/cortex_m.hpp"

extern "C" {

extern std::uint32_t __stack_top, __stack_limit, __paint_start, __data_start, __data_end, __data_load, __bss_start,
    __bss_end;
extern void (*__init_array_start[])();
extern void (*__init_array_end[])();

void reset_handler();
void fault_handler();
void tick_handler();
}

namespace {

constexpr std::uint32_t kPaint = 0xC0FFEE5A;

// Apart from reset_handler: the compiler may use FPU registers here.
[[gnu::noinline, noreturn]] void run() {
  const std::uint32_t* from = &__data_load;
  for (std::uint32_t* to = &__data_start; to != &__data_end; ++to, ++from) *to = *from;
  for (std::uint32_t* to = &__bss_start; to != &__bss_end; ++to) *to = 0;
  for (auto construct = __init_array_start; construct != __init_array_end; ++construct) {
    (*construct)();
  }
  std::uint32_t* here = nullptr;
  asm volatile("mov %0, sp" : "=r"(here));
  for (std::uint32_t* word = &__paint_start; word < here; ++word) *word = kPaint;
  lockstep::board::start();
  lockstep::board::halt(lockstep::board::application());
}

struct Vectors {
  std::uint32_t* stack_top;
  void (*reset)();
  void (*faults[13])();  // exceptions 2 to 14: whatever nobody asked for is a fault
  void (*tick)();
};

}  // namespace

std::uint32_t lockstep::board::stack_bytes() {
  const volatile std::uint32_t* word = &__paint_start;
  while (word != &__stack_top && *word == kPaint) ++word;
  return static_cast<std::uint32_t>(&__stack_top - word) * sizeof(std::uint32_t);
}

extern "C" void reset_handler() {
  using namespace lockstep::board;
  register_at(kCoprocessorAccess) |= 0xFu << 20;
  asm volatile("dsb\n isb" ::: "memory");
#if __ARM_ARCH >= 8
  asm volatile("msr msplim, %0" ::"r"(&__stack_limit));
#endif
  // FPSCR, and FPDSCR for interrupts: round to nearest, no flush to zero, no default NaN. Start of
  // a loop checks by computing (loop/float_mode.hpp).
  register_at(kDefaultFloatState) = 0;
  asm volatile("vmsr fpscr, %0" ::"r"(0));
  run();
}

extern "C" [[gnu::section(".vectors"), gnu::used]] const Vectors kVectors = {
    .stack_top = &__stack_top,
    .reset = reset_handler,
    .faults = {fault_handler, fault_handler, fault_handler, fault_handler, fault_handler,
               fault_handler, fault_handler, fault_handler, fault_handler, fault_handler,
               fault_handler, fault_handler, fault_handler},
    .tick = tick_handler,
};
