// The reset of every Cortex-M: vectors, FPU on and as IEEE 754 says, a guard for the stack.
#include "boards/cortex_m.hpp"
#include "boards/start_up.hpp"

extern "C" void fault_handler();
extern "C" void tick_handler();

namespace {

struct Vectors {
  std::uint32_t* stack_top;
  void (*reset)();
  void (*faults[13])();  // exceptions 2 to 14: whatever nobody asked for is a fault
  void (*tick)();
};

}  // namespace

// By the stack limit register of Armv8-M, or a region of the MPU. Below the guard the RAM ends.
void lockstep::board::guard_stack() {
#if __ARM_ARCH >= 8
  asm volatile("msr msplim, %0" ::"r"(&__stack_limit));
#else
  if ((register_at(kMpuType) & kMpuTypeRegions) == 0) return;  // it has none
  constexpr std::uint32_t kNoAccessOf512 = kMpuNeverExecute | 8u << kMpuSize | kMpuRegionEnable;
  register_at(kMpuRegion) = 0;
  register_at(kMpuBase) = reinterpret_cast<std::uintptr_t>(&__stack_limit);
  register_at(kMpuAttributes) = kNoAccessOf512;
  // all else as without it; off in fault handlers
  register_at(kMpuControl) = kMpuControlBackground | kMpuControlEnable;
  asm volatile("dsb\n isb" ::: "memory");
#endif
}

extern "C" void reset_handler() {
  using namespace lockstep::board;
  register_at(kCoprocessorAccess) |= kFullAccessToFpu;
  asm volatile("dsb\n isb" ::: "memory");
  // FPSCR, and FPDSCR for interrupts: round to nearest, no flush to zero, no default NaN. Start of
  // a loop checks by computing (loop/float_mode.hpp).
  constexpr std::uint32_t kExact = __ARM_ARCH >= 8 ? 4u << 16 : 0;  // LTPSIZE: no tails of loops
  register_at(kDefaultFloatState) = kExact;
  asm volatile("vmsr fpscr, %0" ::"r"(kExact));
  run_image();
}

extern "C" [[gnu::section(".vectors"), gnu::used]] const Vectors kVectors = {
    .stack_top = &__stack_top,
    .reset = reset_handler,
    .faults = {fault_handler, fault_handler, fault_handler, fault_handler, fault_handler,
               fault_handler, fault_handler, fault_handler, fault_handler, fault_handler,
               fault_handler, fault_handler, fault_handler},
    .tick = tick_handler,
};
