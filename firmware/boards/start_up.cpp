// From reset to main, for every Cortex-M: FPU on, .data and .bss, constructors, the board, the
// application.
#include <cstdint>

#include "boards/board.hpp"
#include "boards/cortex_m.hpp"

extern "C" {

extern std::uint32_t __stack_top, __data_start, __data_end, __data_load, __bss_start, __bss_end;
extern void (*__init_array_start[])();
extern void (*__init_array_end[])();

void reset_handler();
void fault_handler();
}

namespace {

// Apart from reset_handler: the compiler may use FPU registers here.
[[gnu::noinline, noreturn]] void run() {
  const std::uint32_t* from = &__data_load;
  for (std::uint32_t* to = &__data_start; to != &__data_end; ++to, ++from) *to = *from;
  for (std::uint32_t* to = &__bss_start; to != &__bss_end; ++to) *to = 0;
  for (auto construct = __init_array_start; construct != __init_array_end; ++construct) {
    (*construct)();
  }
  lockstep::board::start();
  lockstep::board::halt(lockstep::board::application());
}

struct Vectors {
  std::uint32_t* stack_top;
  void (*reset)();
  void (*faults[14])();  // exceptions 2 to 15: whatever nobody asked for is a fault
};

}  // namespace

extern "C" void reset_handler() {
  lockstep::board::register_at(lockstep::board::kCoprocessorAccess) |= 0xFu << 20;
  asm volatile("dsb\n isb" ::: "memory");
  run();
}

extern "C" [[gnu::section(".vectors"), gnu::used]] const Vectors kVectors = {
    .stack_top = &__stack_top,
    .reset = reset_handler,
    .faults = {fault_handler, fault_handler, fault_handler, fault_handler, fault_handler,
               fault_handler, fault_handler, fault_handler, fault_handler, fault_handler,
               fault_handler, fault_handler, fault_handler, fault_handler},
};
