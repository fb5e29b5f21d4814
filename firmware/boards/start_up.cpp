// From reset to main, for every Cortex-M: FPU on and as IEEE 754 says, .data and .bss,
// constructors, a painted stack, the board, the application.
#include <cstdint>

#include "boards/board.hpp"
#include "boards/cortex_m.hpp"

extern "C" {

extern std::uint32_t __stack_top, __stack_limit, __paint_start, __data_start, __data_end,
    __data_load, __bss_start, __bss_end;
extern void (*__init_array_start[])();
extern void (*__init_array_end[])();

void reset_handler();
void fault_handler();
void tick_handler();
}

namespace {

constexpr std::uint32_t kPaint = 0xC0FFEE5A;

// What overflows the stack is a fault: by the stack limit register of Armv8-M, or by 512 bytes at
// its end that nobody may touch. Below them the RAM ends.
inline void guard_stack() {
#if __ARM_ARCH >= 8
  asm volatile("msr msplim, %0" ::"r"(&__stack_limit));
#else
  using namespace lockstep::board;
  if ((register_at(kMpuType) & 0xFF00) == 0) return;  // it has none
  constexpr std::uint32_t kNoAccessOf512 = 1u << 28 | 8u << 1 | 1;
  register_at(kMpuRegion) = 0;
  register_at(kMpuBase) = reinterpret_cast<std::uintptr_t>(&__stack_limit);
  register_at(kMpuAttributes) = kNoAccessOf512;
  register_at(kMpuControl) = 1u << 2 | 1;  // all else as without it; off in fault handlers
  asm volatile("dsb\n isb" ::: "memory");
#endif
}

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
  guard_stack();  // behind the paint
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
  // FPSCR, and FPDSCR for interrupts: round to nearest, no flush to zero, no default NaN. Start of
  // a loop checks by computing (loop/float_mode.hpp).
  constexpr std::uint32_t kExact = __ARM_ARCH >= 8 ? 4u << 16 : 0;  // LTPSIZE: no tails of loops
  register_at(kDefaultFloatState) = kExact;
  asm volatile("vmsr fpscr, %0" ::"r"(kExact));
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
