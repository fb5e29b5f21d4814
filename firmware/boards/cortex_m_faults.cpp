// How every Cortex-M enters a fault, what its registers tell, and how it resets.
#include "boards/cortex_m.hpp"
#include "boards/fault_handler.hpp"

extern "C" std::uint32_t __ram_start, __ram_end;

namespace lockstep::board {

namespace {

// What the CPU could not push is not there: the stack was full, or its pointer wrong.
std::uintptr_t pushed_word(const std::uintptr_t* pushed, int i) {
  const auto word = reinterpret_cast<std::uintptr_t>(pushed + i);
  const bool there = word >= reinterpret_cast<std::uintptr_t>(&__ram_start) &&
                     word < reinterpret_cast<std::uintptr_t>(&__ram_end) && word % 4 == 0;
  return there ? register_at(word) : 0;
}

std::uint16_t current_exception() {
  std::uint32_t ipsr = 0;
  asm volatile("mrs %0, ipsr" : "=r"(ipsr));
  return ipsr & 0x1FF;
}

constexpr FaultWord kWords[] = {
    {"pc", &FaultRecord::pc},     {"lr", &FaultRecord::lr},     {"frame", &FaultRecord::frame},
    {"xpsr", &FaultRecord::xpsr}, {"r0", &FaultRecord::r0},     {"r1", &FaultRecord::r1},
    {"r2", &FaultRecord::r2},     {"r3", &FaultRecord::r3},     {"r12", &FaultRecord::r12},
    {"cfsr", &FaultRecord::cfsr}, {"hfsr", &FaultRecord::hfsr}, {"mmfar", &FaultRecord::mmfar},
    {"bfar", &FaultRecord::bfar}};

}  // namespace

constinit const std::span<const FaultWord> kFaultWords = kWords;

FaultRecord read_fault(const std::uintptr_t* pushed) {
  return {.mark = 0,
          .exception = current_exception(),
          .cpu = link::Cpu::kArm,
          .r0 = pushed_word(pushed, 0),
          .r1 = pushed_word(pushed, 1),
          .r2 = pushed_word(pushed, 2),
          .r3 = pushed_word(pushed, 3),
          .r12 = pushed_word(pushed, 4),
          .lr = pushed_word(pushed, 5),
          .pc = pushed_word(pushed, 6),
          .xpsr = pushed_word(pushed, 7),
          .frame = reinterpret_cast<std::uintptr_t>(pushed),
          .cfsr = register_at(kConfigurableFault),
          .hfsr = register_at(kHardFault),
          .mmfar = register_at(kMemoryFaultAddress),
          .bfar = register_at(kBusFaultAddress),
          .count = 0,
          .step_low = 0,
          .step_high = 0};
}

void reset() {
  asm volatile("dsb" ::: "memory");
  register_at(kApplicationInterrupt) = kVectorKey | kSystemReset;
  for (;;) {
  }
}

// The registers are on the stack that was in use; bit 2 of lr tells which.
extern "C" [[gnu::naked]] void fault_handler() {
  asm volatile(
      "tst lr, #4\n"
      "ite eq\n"
      "mrseq r0, msp\n"
      "mrsne r0, psp\n"
#if __ARM_ARCH >= 8
      "movs r1, #0\n"
      "msr msplim, r1\n"
#endif
      "ldr r1, =%c0\n"
      "msr msp, r1\n"
      "b report_fault\n" ::"i"(fault_stack + sizeof fault_stack / sizeof *fault_stack));
}

}  // namespace lockstep::board
